# Keeps the evidence: a claim is a command that must succeed. To be sourced from the root of the module.
#
# Each claim is a line of proof.txt: what holds, the figure, the seconds it took and the command. The file is written by these functions alone.

proof_cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1 | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9]\+/-/g; s/^-//; s/-$//')
proof_folder=${FPHASH_PROOF:-results/${proof_cpu:-$(uname -m)}/$(date +%F)}
proof_work=$(mktemp -d)
trap 'rm -rf "$proof_work"' EXIT

# claim TEXT FIGURE COMMAND... runs the command; if it succeeds, it replaces the line of that claim in proof.txt. The figure is a text, or "-" for the last line that the command
# prints. A command that fails leaves no line, and its status is returned. The command, one of steps.sh with its arguments, has a shell of its own: in a function whose status is
# asked for, bash goes on after a failure.
claim() {
  local text=$1 figure=$2 start=$SECONDS status=0
  shift 2
  printf '\n-- %s\n' "$text"
  bash -euo pipefail -c '. .ci/lib/steps.sh; "$@"' steps "$@" >"$proof_work/out" 2>&1 || status=$?
  tail -n "${FPHASH_PROOF_LINES:-12}" "$proof_work/out"
  if [ "$status" -ne 0 ]; then
    cp "$proof_work/out" "${TMPDIR:-/tmp}/fphash-proof-failed.txt"
    echo "FAILED with status $status: $text (all of its output is in ${TMPDIR:-/tmp}/fphash-proof-failed.txt)" >&2
    return "$status"
  fi
  [ "$figure" != - ] || figure=$(tail -n 1 "$proof_work/out")
  mkdir -p "$proof_folder"
  local file=$proof_folder/proof.txt
  {
    printf '# claim\tfigure\tseconds\tcommand\n# machine: %s, %s cpus; %s; %s\n' \
      "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)" "$(nproc)" "$(uname -sr)" "$(go version)"
    { [ ! -f "$file" ] || grep -v '^#' "$file" | awk -F '\t' -v claim="$text" '$1 != claim'; } || true
    printf '%s\t%s\t%s\t%s\n' "$text" "$figure" "$((SECONDS - start))" "$*"
  } >"$proof_work/proof.txt"
  mv "$proof_work/proof.txt" "$file.new" && mv "$file.new" "$file"
}
