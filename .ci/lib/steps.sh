# The steps of the proof: commands for claim, each of which succeeds or fails as a whole. Source
# this file in the root of the module.
#
# A slow step saves its state in the folder FPHASH_PARTIAL, which is specific to its sources, and
# continues from there. FPHASH_JOBS is the number of processes (default: the number of processors).

. .ci/lib/emulate.sh

# The operations for which random cases are drawn: accumulation, minima, all kinds of scans, and all
# hashes with a library to compare with.
random_ops='unit f32 f64 i32 i64 f32-sequential f64-sequential minhash scan hash'

random_package() {
  case $1 in
    minhash) echo ./asm/minhash ;;
    scan) echo ./asm/hamming ;;
    hash) echo ./fphash ;;
    *) echo ./asm/accumulate ;;
  esac
}

random_pattern() {
  case $1 in
    unit) echo '^TestUnitOnRandomInput$' ;;
    minhash) echo '^TestMinimaOnRandomInput$' ;;
    scan) echo '^TestScanOnRandomInput$' ;;
    hash) echo '^TestKernelsAgainstLibraries$' ;;
    *) echo "^TestWeightedOnRandomAndExtremeInput\$/^$1\$" ;;
  esac
}

# counted LEAST WORDS copies the output of tests. The last line is the smallest number that a test
# logged before WORDS. It fails if that is less than LEAST, or if there is none, because for the go
# command, "no tests to run" is a success.
counted() {
  awk -v least="$1" -v words="$2" '
    { print }
    match($0, "[0-9]+ " words "( |$)") {
      n = substr($0, RSTART) + 0
      if (!counts++ || n < fewest) fewest = n
    }
    END {
      if (!counts) { print "no test has counted " words; exit 1 }
      if (fewest < least) { print fewest " " words " are too few: " least " were asked for"; exit 1 }
      print fewest
    }'
}

# random_cases OP COUNT compares all kernels of an operation with the definition in COUNT random
# cases. For OP hash, it compares COUNT keys of each family with its library. The last line is the
# number of cases.
random_cases() {
  FPHASH_ROUNDS=$2 go test -count=1 -v -timeout 55m -run "$(random_pattern "$1")" "$(random_package "$1")" | counted "$2" 'random cases'
}

# random_in_pieces OP COUNT draws the cases in pieces of a million, each with its own seed. The last
# line is the number of cases.
random_in_pieces() {
  local binary
  binary=$(mktemp -d)/random.test
  go test -c -o "$binary" "$(random_package "$1")"
  export FPHASH_ROUNDS=1000000 FPHASH_PARTIAL
  export -f counted
  (cd "$(random_package "$1")" && seq $(($2 / FPHASH_ROUNDS)) | xargs -P "${FPHASH_JOBS:-$(nproc)}" -I SEED bash -euo pipefail -c '
    piece=$FPHASH_PARTIAL/SEED
    [ -s "$piece" ] || { FPHASH_SEED=SEED "$1" -test.v -test.timeout 55m -test.run "$2" | counted "$FPHASH_ROUNDS" "random cases" >"$piece.new" || { cat "$piece.new"; exit 1; }
      mv "$piece.new" "$piece"; }' piece "$binary" "$(random_pattern "$1")")
  rm -r "$(dirname "$binary")"
  tail -q -n 1 "$FPHASH_PARTIAL"/[0-9]* | awk '{ sum += $1 } END { print sum + 0; exit !sum }'
}

# fuzz PACKAGE TARGET COUNT runs COUNT executions. The last line is their number. Failing inputs
# stay in the package's testdata. New inputs are hardly minimized, because that takes longer than
# finding them. Temporary files are in memory if possible, because some targets need half of their
# time to create them. The limit is not a time, because go test reports a slow execution at the end
# of the time as a failure.
fuzz() {
  local temporary=${TMPDIR:-/tmp}
  [ ! -w /dev/shm ] || temporary=/dev/shm
  GOTMPDIR=${GOTMPDIR:-${TMPDIR:-/tmp}} TMPDIR=$temporary go test -run '^$' -fuzz "^$2\$" -fuzztime "$3x" -fuzzminimizetime 10x -parallel "${FPHASH_JOBS:-$(nproc)}" "$1" | executed "$3"
}

# executed LEAST copies the output of fuzzing. The last line is the number of executions. It fails
# if this is less than LEAST, for example if the target does not exist.
executed() {
  awk -v least="$1" '
    { print }
    match($0, /execs: [0-9]+/) { n = substr($0, RSTART + 7) + 0 }
    END {
      if (n + 0 < least) { print n + 0 " executions are too few: " least " were asked for"; exit 1 }
      print n
    }'
}

# fuzz_in_pieces PACKAGE TARGET COUNT is like fuzz, in pieces of a million executions.
fuzz_in_pieces() {
  local piece file
  for ((piece = 1; piece <= $3 / 1000000; piece++)); do
    file=$FPHASH_PARTIAL/$piece
    [ -s "$file" ] || { fuzz "$1" "$2" 1000000 | tee "$file.new" && mv "$file.new" "$file"; }
  done
  tail -q -n 1 "$FPHASH_PARTIAL"/[0-9]* | awk '{ sum += $1 } END { print sum + 0; exit !sum }'
}

# fuzz_targets lists packages and targets.
fuzz_targets() {
  local package
  for package in $(go list -f '{{.Dir}}' ./... | sed "s|^$PWD|.|"); do
    sed -n "s|^func \(Fuzz[A-Za-z0-9_]*\)(f \*testing\.F).*|$package \1|p" "$package"/*_test.go 2>/dev/null || true
  done
}

# damaged COUNT reads COUNT damaged inputs. The last line is their number.
damaged() {
  FPHASH_DAMAGED=$1 go test -count=1 -v -timeout 55m -run '^TestDamaged' ./datasets | counted "$1" 'damaged inputs'
}

# changed_inputs COUNT runs dedup COUNT times and changes its inputs meanwhile. The last line is the
# number of runs.
changed_inputs() {
  FPHASH_CHANGES=$1 go test -count=1 -v -timeout 55m -run '^TestInputsThatChange$' ./cmd/fphash | counted "$1" 'runs with inputs that changed'
}

# index_files TESTS COUNT runs the tests of index files that match the pattern TESTS, with COUNT
# repetitions. The last line is the last message of the tests. It fails if a test is skipped, for
# example for lack of permissions.
index_files() {
  local log
  log=$(mktemp)
  FPHASH_LONG=1 FPHASH_KILLS=$2 FPHASH_POWER_CUTS=$2 FPHASH_CORRUPTIONS=$2 FPHASH_LOAD=$2 go test -count=1 -v -timeout 55m -run "$1" ./fphash/index/indexfile | tee "$log"
  if grep '^ *--- SKIP' "$log" || ! grep -q '^--- PASS' "$log"; then
    echo "not all tests that $1 names have run"
    return 1
  fi
  sed -n 's/^ *[a-z_]*_test\.go:[0-9]*: //p' "$log" | tail -n 1
  rm "$log"
}

# with_rapid lists the packages whose tests use package rapid, without_rapid all others. .ci/run
# fixes the seed of rapid, so that no unrelated case fails after a change. .ci/deep draws new cases.
with_rapid() {
  git grep -l '"pgregory.net/rapid"' -- '*_test.go' ':!results' | xargs dirname | sort -u | sed 's|^|./|'
}
without_rapid() {
  go list -f '{{.Dir}}' ./... | sed "s|^$PWD|.|" | grep -vxF "$(with_rapid)"
}

# with_goroutines lists the packages of the library that start goroutines or use locks.
with_goroutines() {
  git grep -lE '^[^/]*\b(go func|sync\.|atomic\.|errgroup\.)|^\s*go [a-zA-Z.]+\(' -- 'asm/*.go' 'datasets/documents/*.go' 'dedup/*.go' 'fphash/*.go' 'internal/*.go' 'textsketch/*.go' ':!internal/promises' ':!internal/testing' ':!*testdata*' ':!*_test.go' | xargs dirname | sort -u | sed 's|^|./|'
}

# lower_tiers lists the tiers that this processor supports according to the operating system, except
# the highest, which is the default.
lower_tiers() {
  local flags
  [ "$(go env GOARCH)" = amd64 ] || { echo generic; return; }
  flags=$(grep -m 1 '^flags' /proc/cpuinfo)
  if [[ $flags == *' avx512_vbmi'* || $flags == *' avx512vbmi'* ]]; then
    echo generic avx2 avx512
  elif [[ $flags == *' avx512vl'* ]]; then
    echo generic avx2
  elif [[ $flags == *' avx2'* ]]; then
    echo generic
  fi
}

# drawn COUNT makes rapid draw COUNT cases for each property, new ones in every run.
drawn() {
  go test -count=1 -timeout 55m $(with_rapid) -run "$(rapid_tests)" -rapid.checks="$1"
}

# rapid_tests prints a pattern of the tests that draw cases.
rapid_tests() {
  git grep -h -B 30 'rapid\.Check(t' -- '*_test.go' ':!results' | sed -n 's/^func \(Test[A-Za-z0-9_]*\)(.*/\1/p' | sort -u | paste -sd '|' | sed 's/.*/^(&)$/'
}

# platforms builds the tool for other systems. The last line is their number.
platforms() {
  local platform n=0
  for platform in windows/amd64 darwin/arm64 freebsd/amd64 plan9/amd64 js/wasm linux/386 linux/s390x; do
    GOOS=${platform%/*} GOARCH=${platform#*/} go build -o /dev/null ./cmd/fphash
    n=$((n + 1))
  done
  echo "$n"
}

# cluster compares the Spark job with fphash dedup on made-up texts. The last line is the number of
# corpora.
cluster() {
  local folder
  folder=$(mktemp -d)
  python3 -m venv "$folder/python"
  "$folder/python/bin/pip" install -q -r .ci/engines.txt
  go build -o "$folder/fphash" ./cmd/fphash
  (cd results && go run ./measure/cluster -fphash "$folder/fphash" -python "$folder/python/bin/python" -o "$folder/cluster.txt")
  grep -c '^BenchmarkCluster' "$folder/cluster.txt"
  rm -rf "$folder"
}

# count_packages FLAGS runs all tests except the long ones. The last line is the number of packages.
count_packages() {
  local log status=0
  log=$(FPHASH_LONG= go test -count=1 -timeout 55m "$@" ./... 2>&1) || status=$?
  printf '%s\n' "$log"
  [ "$status" -eq 0 ] || return "$status"
  grep -c '^ok' <<<"$log"
}

# bits32 runs all tests in 32 bits.
bits32() { GOARCH=386 count_packages; }

# race runs all tests under the race detector.
race() { count_packages -race; }

# mutate PACKAGE ARCHITECTURE tests mutants of the kernels in asm/PACKAGE. The last line is a
# summary.
mutate() {
  local log
  log=$(mktemp)
  [ "$2" != arm64 ] || install_emulator
  (cd avo && go run ./mutate -j "${FPHASH_JOBS:-$(nproc)}" -resume -out "$FPHASH_PARTIAL/mutants.txt" ../asm/"$1"/*_"$2".s) | tee "$log"
  awk '$1 == "all" { printf "%d mutants killed (%d by not ending), %d survived as reviewed, %d unreviewed; %d refused by the assembler\n", $2 + $3, $3, $5, $6, $4 }' "$log"
  rm "$log"
}

reviewed_of() {
  case $2 in
    amd64) echo "avo/mutate/reviewed/$1.txt" ;;
    *) echo "avo/mutate/reviewed/$1_$2.txt" ;;
  esac
}

# quality TESTS COUNT runs the tests of bench/quality that match the pattern TESTS, each with COUNT
# seeds. The last line is a summary.
quality() {
  local log
  log=$(mktemp)
  FPHASH_LONG=1 FPHASH_QUALITY_ROUNDS=$2 go test -count=1 -v -timeout 55m -run "$1" ./bench/quality | tee "$log"
  awk '
    /^--- PASS: / { tests++ }
    / of [0-9]+ runs$/ && match($0, /cover(s 64 in)? [0-9]+/) {
      rest = substr($0, RSTART)
      gsub(/[^0-9]+/, " ", rest)
      n = split(rest, figures, " ")
      if ($0 ~ /covers 64 in/) { covered += figures[2]; intervals += figures[3] }
      else { covered += figures[1] + figures[2]; intervals += 2 * figures[3] }
    }
    END {
      if (!tests) { print "no test ran"; exit 1 }
      printf "%d tests passed", tests
      if (intervals) printf "; %d of %d intervals cover the truth", covered, intervals
      print ""
    }' "$log"
  rm "$log"
}

# packages_of STEP ARGUMENT... lists the packages that the step tests, architectures_of lists the
# architectures, and text_of prints the code of the step.
packages_of() {
  case $1 in
    random_*) random_package "$2" ;;
    fuzz*) echo "$2" ;;
    damaged) echo ./datasets ;;
    changed_inputs) echo ./cmd/fphash ;;
    index_files) echo ./fphash/index/indexfile ;;
    drawn) with_rapid ;;
    quality) echo ./bench/quality ;;
    mutate) echo "./asm/$2" ;;
    emulate) printf './%s ' $emulated_packages ;;
    cluster | platforms) echo ./cmd/fphash ;;
    race | bits32) go list -f '{{.Dir}}' ./... | sed "s|^$PWD|.|" ;;
    *) echo "there is no step $1" >&2; return 1 ;;
  esac
}

architectures_of() {
  case $1 in
    emulate) echo "amd64 386 $architectures_deep" ;;
    bits32) echo 386 ;;
    mutate) echo "$3" ;;
    *) go env GOARCH ;;
  esac
}

text_of() {
  case $1 in
    random_*) declare -f counted random_cases random_in_pieces random_pattern ;;
    fuzz*) declare -f executed fuzz fuzz_in_pieces ;;
    emulate) cat .ci/lib/emulate.sh ;;
    damaged) declare -f counted damaged ;;
    changed_inputs) declare -f counted changed_inputs ;;
    drawn) declare -f drawn with_rapid rapid_tests ;;
    race | bits32) declare -f "$1" count_packages ;;
    mutate) declare -f mutate && cat avo/go.sum avo/mutate/*.go "$(reviewed_of "$2" "$3")" ;;
    *) declare -f "$1" ;;
  esac
}
