# Runs tests so that those are known that were skipped: a test that is always skipped proves nothing,
# and passes. To be sourced from the root of the module; the files are in the folder $work.

# all_tests ARGUMENT... runs go test with the arguments, and shows of each package what that does.
all_tests() {
  local status=0
  go test -v "$@" >"$work/tests" 2>&1 || status=$?
  skips <"$work/tests" >>"$work/skipped"
  if [ "$status" -ne 0 ]; then
    grep -aEv '^ *(=== |--- (PASS|SKIP): |PASS$)' "$work/tests"
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

# unexpected FILE copies those of the lines of skips that the file does not list: it has a package
# and a test on each line, and comments. It fails if there are any.
unexpected() {
  awk -v list="$1" '
    BEGIN { while ((getline line < list) > 0) if (line !~ /^ *(#|$)/) may[line] = 1 }
    { sub(/: .*/, "", $0) } !($0 in may) { print; found = 1 }
    END { exit found }'
}

# skipped shows the tests that were skipped, and fails in the continuous integration where one was
# that .ci/skips.txt does not list.
skipped() {
  cat "$work/skipped"
  unexpected .ci/skips.txt <"$work/skipped" >"$work/unexpected" && return
  echo "skipped, and not in .ci/skips.txt:"
  cat "$work/unexpected"
  [ -z "${CI:-}" ]
}
