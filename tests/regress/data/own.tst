# Tests of our own making: four white stones have one liberty left.

loadsgf capture.sgf
10 reg_genmove black
#? [E8]

# The whole record but the last move, White's.
loadsgf capture.sgf 18
20 reg_genmove white
#? [!A1|J9]

boardsize 9
clear_board
komi 5.5
play black D5
play w E5

# Nobody plays there.
30 reg_genmove black
#? [A1]*

40 attack E5
#? [1 E4]

boardsize 4
50 reg_genmove black
#? [B2]

boardsize 7
play black D4
play white D4
60 reg_genmove black
#? [C3]

clear_board
level 10
reg_genmove black
#? [[B-F][2-6]]

# That size is not ours, and the empty board of another one does not help.
boardsize 25
clear_board
play black Y25
70 reg_genmove white
#? [A1]

boardsize 9
clear_board
genmove black
80 reg_genmove white
#? [A1]
