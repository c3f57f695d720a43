# Runs README's commands like a new user who has Go, but no git, C compiler, Python or browser. The
# module cache and the build cache are empty, the clone has no ../shared, and the user is not root.
# Source this file in the root of the module.

# without NAME... creates the folder $work/poor with links to the programs of this machine, except
# those whose names begin with a NAME.
without() {
  local program name left_out
  mkdir "$work/poor"
  for program in /bin/* /usr/bin/*; do
    name=${program##*/}
    for left_out in "$@"; do
      [[ $name != "$left_out"* ]] || continue 2
    done
    ln -sf "$program" "$work/poor/$name"
  done
}

# newcomer COMMAND... runs a command in the clone.
newcomer() {
  local user=()
  [ "$(id -u)" != 0 ] || user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  (cd "$work/new comer/simhashkit" && "${user[@]}" env -i HOME="$work/home" PATH="$work/poor:$(go env GOROOT)/bin" \
    GOMODCACHE="$GOMODCACHE" GOCACHE="$GOCACHE" GOPROXY="$(go env GOPROXY)" "$@")
}

# readme_commands clones the repository and runs the commands. It fails if the downloads for the
# first command, or the tool, are too large.
readme_commands() {
  local command downloads size
  without git python pip pypy gcc g++ cc c++ clang cpp ld as java qemu chromium google
  export GOMODCACHE=$work/modules GOCACHE=$work/builds
  mkdir -p "$work/new comer" "$work/home" "$GOMODCACHE" "$GOCACHE"
  git clone -q . "$work/new comer/simhashkit"
  chmod 755 "$work"
  [ "$(id -u)" != 0 ] || chown -R 65534:65534 "$work/new comer" "$work/home" "$GOMODCACHE" "$GOCACHE"
  for command in 'go run ./cmd/fphash bench' 'go test ./...'; do
    grep -qxF "$command" README.md || { echo "README.md lacks the command: $command"; return 1; }
  done
  time newcomer go run ./cmd/fphash bench >"$work/table"
  head -n 12 "$work/table"
  downloads=$(find "$GOMODCACHE/cache/download" -name '*.zip' -printf '%s\n' | awk '{ sum += $1 } END { print int(sum / 1e6) }')
  newcomer go build -ldflags='-s -w' -o "$work/home/fphash" ./cmd/fphash
  size=$(($(stat -c %s "$work/home/fphash") / 1000000))
  echo "$downloads MB of modules downloaded; the stripped tool has $size MB"
  [ "$downloads" -le 130 ] && [ "$size" -le 45 ] || { echo "expected at most 130 and 45 MB"; return 1; }
  time newcomer go test ./... >"$work/tests" 2>&1 || { grep -v 'no test files' "$work/tests"; return 1; }
  grep -v 'no test files' "$work/tests" | sort -k 3 -r -n -t $'\t' | sed -n 1,5p # head ends sort by a signal, now and then
}
