# Records the proof: a claim is a command that must succeed. Source this file in the root of the
# module.
#
# Each line of proof.txt is a claim: its text, a figure, the seconds that the command took, the
# command, and a key. If the key has not changed, nothing that the command is built from has
# changed, and it need not run again. Only these functions write the file.

proof_cpu=$(sed -n '0,/^model name/s/^model name[^:]*: *//p' /proc/cpuinfo | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9]\+/-/g; s/^-//; s/-$//')
proof_filed=results/${proof_cpu:-$(uname -m)}
proof_folder=${FPHASH_PROOF:-$proof_filed/$(date +%F)}
proof_work=$(mktemp -d)
trap 'rm -rf "$proof_work"' EXIT

# sources ARCHITECTURES PACKAGE... lists the files of this module that the test binaries of the
# packages are built from or read, and the other modules that they need.
sources() {
  local architectures=$1 architecture package
  shift
  for architecture in $architectures; do
    GOARCH=$architecture go list -deps -test -f '{{with .Module}}{{if not .Main}}module {{.Path}} {{.Version}}{{end}}{{end}}{{$dir := .Dir}}{{range .GoFiles}}
{{$dir}}/{{.}}{{end}}{{range .SFiles}}
{{$dir}}/{{.}}{{end}}{{range .HFiles}}
{{$dir}}/{{.}}{{end}}{{range .EmbedFiles}}
{{$dir}}/{{.}}{{end}}' "$@"
  done | grep -e '^module ' -e "^$PWD/" | grep -v // | sed "s|^$PWD/||" | sort -u
  for package in "$@"; do
    [ ! -d "$package/testdata" ] || find "${package#./}/testdata" -type f | sort
  done
}

# key COMMAND... prints a hash of a command, which is a step of steps.sh with its arguments, and of
# all that its result depends on: the code of the step, the sources of the tested packages, the
# modules that they need, and the compiler.
key() {
  local list
  list=$(sources "$(architectures_of "$@")" $(packages_of "$@"))
  {
    echo "$*"
    text_of "$@"
    go env GOVERSION
    grep '^module ' <<<"$list" || true
    grep -v '^module ' <<<"$list" | xargs -d '\n' sha256sum
  } | sha256sum | cut -c 1-16
}

# proved KEY succeeds if a line with the key is filed for this processor, or is in the folder of
# this run.
proved() {
  { cat "$proof_filed"/*/proof.txt "$proof_folder/proof.txt" 2>/dev/null || true; } | awk -F '\t' -v key="$1" '$5 == key { found = 1 } END { exit !found }'
}

# claim TEXT FIGURE COMMAND... runs the command; if it succeeds, it replaces the line of that claim
# in proof.txt. The figure is a text, or "-" for the last line that the command prints. If the
# command fails, claim writes no line and returns its status. The command, a step of steps.sh with
# its arguments, runs in its own shell, because in a function whose status is tested, bash continues
# after a failure.
claim() {
  local text=$1 figure=$2 start=$SECONDS status=0 key kept
  shift 2
  key=$(key "$@")
  printf '\n-- %s\n' "$text"
  bash -euo pipefail -c '. .ci/lib/steps.sh; "$@"' steps "$@" >"$proof_work/out" 2>&1 || status=$?
  tail -n "${FPHASH_PROOF_LINES:-12}" "$proof_work/out"
  if [ "$status" -ne 0 ]; then
    kept=$(mktemp "${TMPDIR:-/tmp}/fphash-proof-failed.XXXXXX")
    cp "$proof_work/out" "$kept"
    echo "FAILED with status $status: $text (all of its output is in $kept)" >&2
    return "$status"
  fi
  [ "$(key "$@")" = "$key" ] || {
    echo "FAILED: sources were edited while this ran, so it proves nothing: $text" >&2
    return 1
  }
  [ "$figure" != - ] || figure=$(tail -n 1 "$proof_work/out")
  mkdir -p "$proof_folder"
  local file=$proof_folder/proof.txt
  {
    printf '# claim\tfigure\tseconds\tcommand\tkey\n# machine: %s, %s cpus; %s; %s\n' \
      "$(sed -n '0,/^model name/s/^model name[^:]*: *//p' /proc/cpuinfo)" "$(nproc)" "$(uname -sr)" "$(go version)"
    { [ ! -f "$file" ] || grep -v '^#' "$file" | awk -F '\t' -v claim="$text" '$1 != claim'; } || true
    printf '%s\t%s\t%s\t%s\t%s\n' "$text" "$figure" "$((SECONDS - start))" "$*" "$key"
  } >"$proof_work/proof.txt"
  mv "$proof_work/proof.txt" "$file.new" && mv "$file.new" "$file"
}
