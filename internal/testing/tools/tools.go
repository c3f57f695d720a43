// Package tools finds the programs on this machine that tests need, and builds fphash for them.
package tools

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"simhashkit/internal/testing/long"
)

// Need skips a test if one of the programs is not on the path. In continuous integration with long
// tests, it fails the test: all programs are installed there.
func Need(t testing.TB, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			Missing(t, "there is no "+name+" on the path")
		}
	}
}

// Missing skips or fails a test like Need, if something other than a program is missing.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") != "" && long.Enabled() {
		t.Fatal(what)
	}
	t.Skip(what)
}

// NeedExecutable skips a test if programs in the folder for temporary files cannot run, as on a
// disk that is mounted with noexec.
func NeedExecutable(t testing.TB) {
	t.Helper()
	if runtime.GOOS == "windows" {
		return
	}
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command(program).Run(); errors.Is(err, fs.ErrPermission) {
		Missing(t, "programs in "+os.TempDir()+" cannot run")
	}
}

// Fphash builds fphash from the module at root and copies it into a folder. It uses go run with cp,
// because go run caches the program for all test packages, but go build links it each time.
func Fphash(t testing.TB, root, folder string) (program string) {
	t.Helper()
	Need(t, "go", "cp")
	NeedExecutable(t)
	program, err := filepath.Abs(filepath.Join(folder, "fphash"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(program), 0o777); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "go", "run", "-exec", "cp", "./cmd/fphash", program)
	command.Dir, command.Env = root, append(os.Environ(), "GOWORK=off")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}
