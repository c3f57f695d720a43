#!/bin/sh
# Gates a change of a Go repository with fphash. README.md beside it explains what for and how; gate.sh --help how it is called.
set -eu

usage() {
  cat <<'END'
Usage: gate.sh [--only STEP]... [--bootstrap] [BASE [PACKAGE...]]

Compares the working tree with what it has in common with BASE (default: the branch
that a pull request is for, else origin/HEAD), in steps:

  hashes   measures FPHASH_HASHES on FPHASH_DATA, to choose from; judges nothing
  quality  measures the quality of the hash and compares it with the baseline, the file
           fphash-quality.txt of BASE: the least loss is a regression
  time     runs the benchmarks of PACKAGE... (default ./...) at BASE and now, in turn
  report   writes summary.md and pages, from what the other steps have left
  verdict  says how the other steps have ended

--only STEP does that step alone, on top of what others have left. Where BASE has never
had a baseline, step quality says so and does not fail. With --bootstrap, it writes
fphash-quality.txt and compares nothing.

Exit code: 1 if a step found a regression; else 2 if one could not compare; else 0.

Variables, from the environment, or set in the shell file ./fphash-gate.conf:

  FPHASH            the program (fphash)
  FPHASH_GATE       folder for what is written (fphash-gate)
  FPHASH_DATA       vectors that the steps hashes and quality are about
  FPHASH_HASHES     hashes to choose from, as in xxh64,splitmix64; none: no step hashes
  FPHASH_HASH       the hash that is in use (xxh64), FPHASH_ENCODING its encoding (le64)
  FPHASH_QUALITY    a command that measures quality in another way, and writes it to the
                    file $FPHASH_OUT in Go benchmark format
  FPHASH_UNITS      units that step quality compares (effective-bits,
                    effective-bits-cos90,constant-bits,copied-bits,recall)
  FPHASH_BENCH      benchmarks of step time (.), as for go test -bench; none: no step time
  FPHASH_THRESHOLD  least change of time that matters (10%)
  FPHASH_BUDGET     time for each benchmark (15s)
  FPHASH_QUALITY_FLAGS, FPHASH_TIME_FLAGS   more flags for fphash compare and fphash ab
END
}

fail() {
  printf 'gate.sh: %s\n' "$*" >&2
  exit 2
}

# How a step may end, besides the exit codes of fphash compare: it has nothing to do, or nothing to compare with yet.
left_out=100
first_run=101

leave_out() {
  echo "left out: $*"
  return "$left_out"
}

# give_up STEP REASON says why a step cannot compare, in the summary too.
give_up() {
  printf '%s\n' "$2" | tee "$out/$1.md"
  return 2
}

# Parentheses around what a step does keep its variables to itself.
step_hashes() (
  rm -f "$out/hashes.txt" "$out/hashes.table"
  [ -n "$FPHASH_HASHES" ] || { leave_out "FPHASH_HASHES names none"; return; }
  [ -n "$FPHASH_DATA" ] || { leave_out "FPHASH_DATA names no vectors"; return; }
  "$FPHASH" bench --tables "$FPHASH_DATA" --hash "$FPHASH_HASHES" --pattern data --run '^Quality|^Sketch.*/data=' --out "$out/hashes.txt" >"$out/hashes.table" || return 2
  cat "$out/hashes.table"
)

measure_quality() {
  if [ -n "$FPHASH_QUALITY" ]; then
    FPHASH_OUT=$1 sh -c "$FPHASH_QUALITY"
  else
    "$FPHASH" bench "$FPHASH_DATA" --hash "$FPHASH_HASH" --encoding "$FPHASH_ENCODING" --pattern data --run '^Quality' --out "$1"
  fi
}

# compare_quality FORMAT FILE. Exact figures do not depend on the machine; and another hash, with another name, is what may be wrong, so names of hashes must not keep rows apart.
compare_quality() {
  rm -f "$2"
  # shellcheck disable=SC2086 # may be several flags
  "$FPHASH" compare --ignore cpu,goos,goarch,/hash,/encoding --filter ".unit:($(echo "$FPHASH_UNITS" | sed 's/,/ OR /g'))" $FPHASH_QUALITY_FLAGS \
    --format "$1" --out "$2" "base=$out/quality-old.txt" "now=$out/quality-new.txt"
}

step_quality() (
  rm -f "$out/quality-new.txt" "$out/quality-old.txt" "$out/quality.txt" "$out/quality.md" "$out/quality.html" "$out/quality.github"
  [ -n "$FPHASH_DATA$FPHASH_QUALITY" ] || { leave_out "neither FPHASH_DATA nor FPHASH_QUALITY is set"; return; }
  code=0
  measure_quality "$out/quality-new.txt" || code=$?
  # 1 is how fphash doctor says that a hash is weak; here the question is whether it has become weaker.
  [ "$code" -le 1 ] || { give_up quality "The command that measures quality has failed with exit code $code."; return; }
  [ -s "$out/quality-new.txt" ] || { give_up quality "The command that measures quality has written nothing into \$FPHASH_OUT."; return; }
  if [ -n "$bootstrap" ]; then
    cp "$out/quality-new.txt" "$baseline" || return 2
    leave_out "$baseline is written, as the baseline; commit it"
    return
  fi
  if ! git cat-file -e "$base:./$baseline" 2>/dev/null; then
    lost=$(git log -1 --format=%h "$base" -- "$baseline")
    [ -z "$lost" ] || { give_up quality "The baseline is gone: commit $lost has removed $baseline, and $base has none."; return; }
    tee "$out/quality.md" <<END
Nothing was compared: this is the first run, and $base has no baseline $baseline yet. From the next commit of the base on that has one the quality is gated. gate.sh --only quality --bootstrap writes it.
END
    return "$first_run"
  fi
  echo "baseline: $baseline at $base"
  git show "$base:./$baseline" >"$out/quality-old.txt" || return 2
  code=0
  compare_quality text "$out/quality.txt" || code=$?
  [ -s "$out/quality.txt" ] || return 2
  cat "$out/quality.txt"
  if [ "${GITHUB_ACTIONS:-}" = true ]; then
    compare_quality github "$out/quality.github" 2>/dev/null || [ "$?" = "$code" ] || return 2
    grep '^::' "$out/quality.github" || :
  fi
  compare_quality markdown "$out/quality.md" 2>/dev/null || [ "$?" = "$code" ] || return 2
  compare_quality html "$out/quality.html" 2>/dev/null || [ "$?" = "$code" ] || return 2
  return "$code"
)

step_time() (
  rm -rf "$out/time" "$out/time.md"
  [ -n "$FPHASH_BENCH" ] || { leave_out "FPHASH_BENCH names no benchmarks"; return; }
  mkdir "$out/time" || return 2
  code=0
  # shellcheck disable=SC2086 # may be several flags
  "$FPHASH" ab --base "$base" --bench "$FPHASH_BENCH" --threshold "$FPHASH_THRESHOLD" --budget "$FPHASH_BUDGET" $FPHASH_TIME_FLAGS \
    --save "$out/time" --format markdown --out "$out/time.md" -- "$@" || code=$?
  [ ! -s "$out/time.md" ] || cat "$out/time.md"
  if [ "${GITHUB_ACTIONS:-}" = true ] && [ -s "$out/time/new.txt" ]; then
    "$FPHASH" compare --format github "$out/time/old.txt" "$out/time/new.txt" 2>/dev/null | grep '^::' || :
  fi
  return "$code"
)

# statuses prints a line for each step that has ended: its name and how, in words.
statuses() (
  for step in hashes quality time; do
    [ -s "$out/status-$step" ] || continue
    case $step-$(cat "$out/status-$step") in
      hashes-0) words='measured' ;;
      *-0) words='no regression' ;;
      *-1) words='regression' ;;
      *-"$left_out") words='left out' ;;
      *-"$first_run") words='not compared: there is no baseline yet' ;;
      *) words='could not be compared: see the log' ;;
    esac
    echo "$step: $words"
  done
)

step_report() (
  {
    echo "## fphash: $(git rev-parse --short HEAD) against $base"
    echo
    statuses | sed 's/^/- /'
    for step in quality time; do
      [ ! -s "$out/$step.md" ] || { printf '\n## %s\n\n' "$step" && cat "$out/$step.md"; }
    done
    [ ! -s "$out/hashes.table" ] || { printf '\n## hashes\n\n```text\n' && cat "$out/hashes.table" && printf '```\n'; }
  } >"$out/summary.md" || return 2
  echo "$out/summary.md"
  set --
  for file in hashes.txt quality-new.txt; do
    [ ! -s "$out/$file" ] || set -- "$@" "$out/$file"
  done
  [ $# -gt 0 ] || return 0
  "$FPHASH" report --force --out "$out/report.html" "$@" || return 2
)

# worst CODE... prints the worst of ways to end: a regression, even if something else could not be compared.
worst() (
  worst=0
  for code in "$@"; do
    case $code in
      0 | "$left_out" | "$first_run") ;;
      1) worst=1 ;;
      *) [ "$worst" = 1 ] || worst=2 ;;
    esac
  done
  echo "$worst"
)

step_verdict() (
  statuses
  set -- "$out"/status-*
  [ -e "$1" ] || { echo "No step has been run."; return 2; }
  # shellcheck disable=SC2046 # a code from each file
  return "$(worst $(cat "$@"))"
)

# run STEP PACKAGE... runs a step and keeps how it has ended.
exit_code=0
run() {
  step=$1
  shift
  printf '\n== %s\n' "$step"
  code=0
  case $step in hashes | quality | time) echo 2 >"$out/status-$step" ;; esac # unless it comes to its end
  case $step in
    hashes) step_hashes || code=$? ;;
    quality) step_quality || code=$? ;;
    time) step_time "$@" || code=$? ;;
    report) step_report || code=$? ;;
    verdict) step_verdict || code=$? ;;
  esac
  case $step in hashes | quality | time) echo "$code" >"$out/status-$step" ;; esac
  exit_code=$(worst "$exit_code" "$code")
}

steps='' bootstrap=''
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage && exit ;;
    --bootstrap) bootstrap=yes ;;
    --only)
      case ${2:-} in
        hashes | quality | time | report | verdict) steps="$steps $2" ;;
        *) fail "--only ${2:-}: expected hashes, quality, time, report or verdict" ;;
      esac
      shift
      ;;
    --) shift && break ;;
    -*) fail "unknown flag $1; gate.sh --help lists them" ;;
    *) break ;;
  esac
  shift
done

# shellcheck source=/dev/null
[ ! -f fphash-gate.conf ] || . ./fphash-gate.conf
: "${FPHASH:=fphash}" "${FPHASH_GATE:=fphash-gate}" "${FPHASH_DATA:=}" "${FPHASH_HASHES:=}" "${FPHASH_HASH:=xxh64}" "${FPHASH_ENCODING:=le64}" "${FPHASH_QUALITY:=}"
: "${FPHASH_UNITS:=effective-bits,effective-bits-cos90,constant-bits,copied-bits,recall}" "${FPHASH_BENCH=.}" "${FPHASH_THRESHOLD:=10%}"
: "${FPHASH_BUDGET:=15s}" "${FPHASH_QUALITY_FLAGS:=}" "${FPHASH_TIME_FLAGS:=}"
out=$FPHASH_GATE
baseline=fphash-quality.txt

command -v "$FPHASH" >/dev/null || fail "there is no program $FPHASH; build it in a checkout of simhashkit by: go build -o FOLDER ./cmd/fphash, with a FOLDER on the path, or set FPHASH"
revision=${1:-origin/${GITHUB_BASE_REF:-HEAD}}
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- ./...
git rev-parse --verify --quiet --end-of-options "$revision^{commit}" >/dev/null || fail "there is no revision $revision here; a shallow clone may lack it (git fetch --unshallow, or fetch-depth: 0 of actions/checkout)"
# What has happened on the branch since this one left it is not held against this one.
base=$(git merge-base "$revision" HEAD) || fail "HEAD and $revision have no commit in common; a shallow clone may lack it"
base=$(git rev-parse --short "$base")

# The folder is for this script alone, which removes files in it.
[ ! -e "$out" ] || [ "$(cat "$out/.gitignore")" = '*' ] || fail "FPHASH_GATE=$out is a folder of something else"
mkdir -p "$out"
echo '*' >"$out/.gitignore"
for step in ${steps:-hashes quality time report verdict}; do
  run "$step" "$@"
done
exit "$exit_code"
