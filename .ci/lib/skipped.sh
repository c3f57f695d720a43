# Runs tests and lists those that were skipped, because a test that is always skipped proves
# nothing. Source this file in the root of the module. Its files are in the folder $work.

# all_tests ARGUMENT... runs go test with the arguments, and shows the result of each package. If a
# test fails, the last lines are the failed tests with their last messages.
all_tests() {
  local status=0
  go test -v "$@" >"$work/tests" 2>&1 || status=$?
  skips <"$work/tests" >>"$work/skipped"
  if [ "$status" -ne 0 ]; then
    grep -aEv '^ *(=== |--- (PASS|SKIP): |PASS$)' "$work/tests"
    echo 'Failed:'
    grep -aE -B 3 '^ *--- FAIL: |^panic: |^FAIL[[:space:]]' "$work/tests" | cut -c 1-400 | tail -n 60
  else
    grep -aE '^(ok|\?)[[:space:]]' "$work/tests" | grep -v 'no test files' || true
  fi
  return "$status"
}

# skips turns the output of go test -v into lines with the package, the skipped test and the reason.
skips() {
  awk '
    /^ *[A-Za-z0-9_]+\.go:[0-9]+: / { said = $0; sub(/^ *[A-Za-z0-9_]+\.go:[0-9]+: /, "", said) }
    /^ *--- SKIP: / { list[++n] = $3 ": " said }
    /^(ok|FAIL) *\t/ { for (i = 1; i <= n; i++) print $2 " " list[i]; n = 0 }'
}

# skipped prints the number and the names of the skipped tests.
skipped() {
  echo "$(wc -l <"$work/skipped") skipped"
  cat "$work/skipped"
}
