# Runs tests so that those are known that were skipped: a test that is always skipped proves nothing,
# and passes. To be sourced from the root of the module; the files are in the folder $work.

# all_tests ARGUMENT... runs go test with the arguments, and shows of each package what that does.
# If it fails, the last lines name the tests that did, and the last thing that each of them said.
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

# skips turns what go test -v says into lines of package, test and reason.
skips() {
  awk '
    /^ *[A-Za-z0-9_]+\.go:[0-9]+: / { said = $0; sub(/^ *[A-Za-z0-9_]+\.go:[0-9]+: /, "", said) }
    /^ *--- SKIP: / { list[++n] = $3 ": " said }
    /^(ok|FAIL) *\t/ { for (i = 1; i <= n; i++) print $2 " " list[i]; n = 0 }'
}

# skipped counts and names the tests that were.
skipped() {
  echo "$(wc -l <"$work/skipped") skipped"
  cat "$work/skipped"
}
