#!/bin/sh
# Checks a change of a Go repository with fphash. README.md explains the checks; gate.sh --help shows the usage.
set -eu

usage() {
  cat <<'END'
Usage: gate.sh [--only STEP]... [--bootstrap] [BASE [PACKAGE...]]

Compares the working tree with its last common commit with BASE, in steps. BASE defaults
to the target branch of a pull request, or else to the first that exists of origin/HEAD,
origin/main, origin/master, main and master.

  hashes   measures FPHASH_HASHES on FPHASH_DATA to help you choose; never fails the gate
  quality  measures the quality of the hash and compares it with the baseline, the file
           fphash-quality.txt of BASE: any loss is a regression
  time     runs the benchmarks of PACKAGE... (default ./...) at BASE and now, interleaved
  report   writes summary.md and pages from the results of the other steps
  verdict  prints the results of the other steps

--only STEP runs a single step, with the results of earlier steps. If BASE has never had a
baseline, step quality reports this and does not fail. With --bootstrap, it writes
fphash-quality.txt and compares nothing.

Exit codes: 1 a step found a regression; else 2 a step could not compare; else 0.

Variables, from the environment or the shell file ./fphash-gate.conf of BASE (with
defaults). Only --bootstrap reads the file in the working tree:

  FPHASH            the program (fphash)
  FPHASH_GATE       output folder (fphash-gate)
  FPHASH_DATA       vectors for the steps hashes and quality
  FPHASH_HASHES     hashes for step hashes, such as xxh64,splitmix64; empty: no such step
  FPHASH_HASH       the hash that you use (xxh64)
  FPHASH_ENCODING   its encoding (le64)
  FPHASH_QUALITY    another command that measures quality, and writes results in Go
                    benchmark format to the file $FPHASH_OUT
  FPHASH_UNITS      units that step quality compares (effective-bits,
                    effective-bits-cos90,constant-bits,copied-bits,recall)
  FPHASH_BENCH      benchmarks of step time, as for go test -bench (.); empty: no such step
  FPHASH_THRESHOLD  smallest change of time that matters (10%)
  FPHASH_BUDGET     time for all benchmarks (15s for each, at most 30m)
  FPHASH_QUALITY_FLAGS, FPHASH_TIME_FLAGS   more flags for fphash compare and fphash ab
END
}

fail() {
  printf 'gate.sh: %s\n' "$*" >&2
  exit 2
}

# Exit codes of steps in addition to those of fphash compare: nothing to do, and no baseline yet.
left_out=100
first_run=101

leave_out() {
  echo "left out: $*"
  return "$left_out"
}

# give_up STEP REASON prints why a step cannot compare, and adds it to the summary.
give_up() {
  printf '%s\n' "$2" | tee "$out/$1.md"
  return 2
}

# Each step is a subshell, so its variables are local.
step_hashes() (
  rm -f "$out/hashes.txt" "$out/hashes.table"
  [ -n "$FPHASH_HASHES" ] || { leave_out "FPHASH_HASHES is empty"; return; }
  [ -n "$FPHASH_DATA" ] || { leave_out "FPHASH_DATA is empty"; return; }
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

# compare_quality FORMAT FILE compares the figures of the baseline with the new ones. It ignores the machine, since exact figures do not depend on it, and the name of the hash, since the hash may have changed.
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
  # fphash doctor exits with 1 if a hash is weak. This step only checks whether the hash has become weaker.
  [ "$code" -le 1 ] || { give_up quality "The command that measures quality failed with exit code $code."; return; }
  [ -s "$out/quality-new.txt" ] || { give_up quality "The command that measures quality wrote nothing to \$FPHASH_OUT."; return; }
  if [ -n "$bootstrap" ]; then
    cp "$out/quality-new.txt" "$baseline" || return 2
    leave_out "the baseline $baseline was written; commit it"
    return
  fi
  if ! git cat-file -e "$base:./$baseline" 2>/dev/null; then
    lost=$(git log -1 --format=%h "$base" -- "$baseline")
    [ -z "$lost" ] || { give_up quality "There is no baseline: commit $lost removed $baseline, and $base does not have it."; return; }
    tee "$out/quality.md" <<END
Nothing was compared: this is the first run, and $base has no baseline $baseline yet. gate.sh --only quality --bootstrap writes it. The quality is checked as soon as the base has a baseline.
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
  [ -n "$FPHASH_BENCH" ] || { leave_out "FPHASH_BENCH is empty"; return; }
  mkdir "$out/time" || return 2
  code=0
  # shellcheck disable=SC2086 # may be several flags
  "$FPHASH" ab --base "$base" --bench "$FPHASH_BENCH" --threshold "$FPHASH_THRESHOLD" ${FPHASH_BUDGET:+--budget "$FPHASH_BUDGET"} $FPHASH_TIME_FLAGS \
    --save "$out/time" --format markdown --out "$out/time/report.md" -- "$@" || code=$?
  # Users of the gate set FPHASH_BUDGET instead of the flag.
  [ ! -s "$out/time/report.md" ] || sed 's/--budget/FPHASH_BUDGET/g' "$out/time/report.md" | tee "$out/time.md"
  rm -f "$out/time/report.md"
  if [ "${GITHUB_ACTIONS:-}" = true ] && [ -s "$out/time/new.txt" ]; then
    "$FPHASH" compare --format github "$out/time/old.txt" "$out/time/new.txt" 2>/dev/null | sed 's/--budget/FPHASH_BUDGET/g' | grep '^::' || :
  fi
  return "$code"
)

# statuses prints a line with the result of each completed step.
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
    [ -z "$notice" ] || printf '\n%s\n' "$notice"
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

# worst CODE... prints the worst of the codes: 1 for a regression, else 2 if something could not be compared, else 0.
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
  [ -e "$1" ] || { echo "No step has run."; return 2; }
  # shellcheck disable=SC2046 # a code from each file
  return "$(worst $(cat "$@"))"
)

# run STEP PACKAGE... runs a step and saves its exit code.
exit_code=0
run() {
  step=$1
  shift
  printf '\n== %s\n' "$step"
  code=0
  case $step in hashes | quality | time) echo 2 >"$out/status-$step" ;; esac # if the script is killed
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

revision=${1:-${GITHUB_BASE_REF:+origin/$GITHUB_BASE_REF}}
for name in origin/HEAD origin/main origin/master main master; do
  [ -n "$revision" ] || ! git rev-parse --verify --quiet "$name^{commit}" >/dev/null || revision=$name
done
[ -n "$revision" ] || fail "name the revision to compare with: there is no branch origin/HEAD, main or master"
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- ./...
git rev-parse --verify --quiet --end-of-options "$revision^{commit}" >/dev/null || fail "there is no revision $revision; in a shallow clone, use git fetch --unshallow or fetch-depth: 0 of actions/checkout"
# Compare with the last common commit, so that later changes of the base branch do not count.
base=$(git merge-base "$revision" HEAD) || fail "HEAD and $revision have no commit in common; a shallow clone may not contain it"
base=$(git rev-parse --short "$base")

# The settings are those of the base, so that a change cannot pass by changing them. A new baseline
# needs the new settings.
settings=fphash-gate.conf notice=''
new_settings=$(cat "$settings" 2>/dev/null) || :
old_settings=$(git show "$base:./$settings" 2>/dev/null) || :
if [ -n "$bootstrap" ]; then
  old_settings=$new_settings
elif ! git cat-file -e "$base:./$settings" 2>/dev/null; then
  [ ! -e "$settings" ] || notice="$base has no $settings. The defaults apply until this change is merged."
elif [ "$old_settings" != "$new_settings" ]; then
  notice="This change edits $settings. The settings of $base apply until it is merged."
fi
[ -z "$notice" ] || echo "$notice"
eval "$old_settings"
: "${FPHASH:=fphash}" "${FPHASH_GATE:=fphash-gate}" "${FPHASH_DATA:=}" "${FPHASH_HASHES:=}" "${FPHASH_HASH:=xxh64}" "${FPHASH_ENCODING:=le64}" "${FPHASH_QUALITY:=}"
: "${FPHASH_UNITS:=effective-bits,effective-bits-cos90,constant-bits,copied-bits,recall}" "${FPHASH_BENCH=.}" "${FPHASH_THRESHOLD:=10%}"
: "${FPHASH_BUDGET:=}" "${FPHASH_QUALITY_FLAGS:=}" "${FPHASH_TIME_FLAGS:=}"
out=$FPHASH_GATE
baseline=fphash-quality.txt

command -v "$FPHASH" >/dev/null || fail "there is no program $FPHASH; set FPHASH, or run in a checkout of simhashkit: go build -o FOLDER ./cmd/fphash, with a FOLDER in PATH"

# The script removes files in this folder, so it must not contain anything else.
[ ! -e "$out" ] || [ "$(cat "$out/.gitignore")" = '*' ] || fail "FPHASH_GATE=$out: expected a new folder, or one of an earlier run"
mkdir -p "$out"
echo '*' >"$out/.gitignore"
for step in ${steps:-hashes quality time report verdict}; do
  run "$step" "$@"
done
exit "$exit_code"
