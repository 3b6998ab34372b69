# Right moves against playouts in positions that mislead a search. It goes on where it was.
set -e
exec "${PYTHON:-python}" benchmarks/right_moves.py experiments/positions/blind-spots.jsonl \
  --title "Where search fails: right moves against playouts" --output experiments/reports/blind-spots \
  --playouts "${PLAYOUTS:-1000,3000,10000,30000,100000}" --runs "${RUNS:-100}" \
  --engine "uct=uct(c=0.4)" \
  --engine "rave=rave" \
  --engine "knowledge=rave+prior+playout=knowledge" \
  --engine "knowledge, semeai=rave+prior+playout=knowledge+semeai"
