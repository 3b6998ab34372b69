# Table 3 of the scalability paper. It goes on where it was: RUNS=500 PLAYOUTS=1000,30000 is all of it.
set -e
knowledge="rave+prior+playout=knowledge"
exec "${PYTHON:-python}" benchmarks/right_moves.py experiments/positions/table3.jsonl \
  --experiment experiments/scalability-table3.toml --title "Right moves in two capturing races (scalability, Table 3)" \
  --output experiments/reports/scalability-table3 --playouts "${PLAYOUTS:-1000,30000}" --runs "${RUNS:-500}" \
  --engine "plain=$knowledge" \
  --engine "expertise=$knowledge+semeai(expertise,positions=100000)" \
  --engine "conditioning=$knowledge+semeai(conditioning,positions=100000)" \
  --engine "both=$knowledge+semeai(expertise,conditioning,positions=100000)" \
  --engine "settle=$knowledge+semeai(expertise,settle,positions=100000)" \
  --engine "settle, 5,000 positions=$knowledge+semeai" \
  --engine "uniform=rave" \
  --engine "uniform expertise=rave+semeai(expertise,positions=100000)" \
  --engine "uniform conditioning=rave+semeai(conditioning,positions=100000)" \
  --engine "uniform both=rave+semeai(expertise,conditioning,positions=100000)" \
  --engine "uniform settle=rave+semeai(expertise,settle,positions=100000)" \
  --engine "uniform settle, effort 100=rave+semeai(expertise,settle,positions=100000,effort=100)"
