# Right moves against playouts in positions that mislead a search. It goes on where it was. A million playouts, of a few:
# ONLY=races PLAYOUTS=1000000 RUNS=10 (the report that is kept has RUNS=20, and 5 of these)
set -e
case "${ONLY:-all}" in
  all) only() { "$@"; } ;;
  races) only() { "$@" --only "four against four" --only "four against two" --only "take the ko now"; } ;;
  *) echo "ONLY is all or races, not $ONLY" >&2; exit 2 ;;
esac
only "${PYTHON:-python}" benchmarks/right_moves.py experiments/positions/blind-spots.jsonl \
  --title "Where search fails: right moves against playouts" --output experiments/reports/blind-spots \
  --playouts "${PLAYOUTS:-1000,3000,10000,30000,100000}" --runs "${RUNS:-100}" \
  --engine "uct=uct(c=0.4)" \
  --engine "rave=rave" \
  --engine "knowledge=rave+prior+playout=knowledge" \
  --engine "knowledge, semeai=rave+prior+playout=knowledge+semeai" \
  --engine "knowledge, semeai and life=rave+prior+playout=knowledge+semeai(life)"
