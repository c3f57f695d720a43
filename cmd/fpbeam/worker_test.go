package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// workerScript writes a program that a runner starts for a worker: it has this test program be
// fpbeam with the flags of a worker, and does something else before. It returns flags for that.
func workerScript(t *testing.T, before string) (flags string) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "worker")
	text := `#!/bin/sh
for flag; do
  case $flag in
    --id=*) id=$(echo "${flag#--id=}" | tr -d "'") ;;
    --provision_endpoint=*) endpoint=${flag#--provision_endpoint=} ;;
  esac
done
export ` + asProgram + `=1
` + before + `
exec '` + program + `' --worker=true "--id=$id" "--logging_endpoint=$endpoint" "--control_endpoint=$endpoint"
`
	if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(" --environment_type PROCESS --environment_config {\"command\":\"%s\"}", path)
}

// What goes to a worker in another process is all that it needs: types, functions, options.
func TestWorkerOfItsOwn(t *testing.T) {
	inFolder(t, map[string]string{"in/a.jsonl": three, "in/b.jsonl": strings.ReplaceAll(three, "kind", "sort")})
	started := filepath.Join(t.TempDir(), "started")
	worker := workerScript(t, "echo >>"+started)
	for _, flags := range []string{"--block 1 --by first --format csv", "--parts --features characters,n=4 --bits 100 --widen mix --seed 5 --format parquet"} {
		line := "--in in --id id " + flags
		if code, _, stderr := fpbeam(t, line+" --out inside"); code != 0 {
			t.Fatal(stderr)
		}
		if code, _, stderr := fpbeam(t, line+" --out outside"+worker); code != 0 {
			t.Fatal(stderr)
		}
		same(t, "inside", "outside")
	}
	if text, err := os.ReadFile(started); len(text) != 2 {
		t.Errorf("%d workers were started, expected 2; %v", len(text), err)
	}
}

// same holds two folders to the same files.
func same(t *testing.T, a, b string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(a, "*"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("files %q, %v", paths, err)
	}
	for _, path := range paths {
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(b, filepath.Base(path))); err != nil || string(got) != string(want) {
			t.Errorf("%s is %q in %s, %q in %s; %v", filepath.Base(path), want, a, got, b, err)
		}
	}
}
