# The steps of the proof: commands for claim, each of which succeeds or fails as a whole. To be sourced from the root of the module.

. .ci/lib/emulate.sh

# random_cases OP COUNT SEED compares all kernels of one op with the definition.
random_cases() {
  local op=$1 pattern
  case $op in
    unit) pattern='^TestUnitOnRandomInput$' ;;
    *) pattern="^TestWeightedOnRandomAndExtremeInput\$/^$op\$" ;;
  esac
  FPHASH_ROUNDS=$2 FPHASH_SEED=$3 go test -count=1 -timeout 55m -run "$pattern" ./asm/accumulate
}

# random_in_pieces OP FILE draws ten million cases in ten pieces, each with a seed of its own, and keeps the last finished one in the file.
random_in_pieces() {
  local seed
  for ((seed = $(cat "$2" 2>/dev/null || echo 0) + 1; seed <= 10; seed++)); do
    random_cases "$1" 1000000 "$seed"
    echo "$seed" >"$2"
  done
}

# kernels runs the tests that call the kernels, in full.
kernels() {
  go test -count=1 ./asm/...
}

# The ops of accumulation that random cases are drawn for.
random_ops='unit f32 f64 i32 i64 f32-sequential f64-sequential'

# fuzz PACKAGE TARGET COUNT runs that many executions; what it finds stays in the package's testdata.
fuzz() {
  go test -run '^$' -fuzz "^$2\$" -fuzztime "$3x" -fuzzminimizetime 1s "$1"
}

# fuzz_targets lists packages and targets.
fuzz_targets() {
  local package
  for package in $(go list ./...); do
    go test -list '^Fuzz' "$package" | grep '^Fuzz' | sed "s|^|$package |" || true
  done
}

# damaged COUNT reads that many damaged inputs.
damaged() {
  FPHASH_DAMAGED=$1 go test -count=1 -timeout 55m -run '^TestDamaged' ./datasets
}

# mutate ARGUMENT... breaks the kernels and ends with a line that sums it up.
mutate() {
  local log
  log=$(mktemp)
  trap 'rm -f "$log"' RETURN
  go run ./asm/internal/mutate "$@" | tee "$log"
  awk '$1 == "all" { printf "%d mutants killed (%d by not ending), %d survived as reviewed, %d unreviewed; %d refused by the assembler\n", $2 + $3, $3, $5, $6, $4 }' "$log"
}
