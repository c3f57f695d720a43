package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// architecture describes how to mutate and run the assembly of an architecture.
type architecture struct {
	name    string
	general []string // registers that mutants may replace by each other

	// changes lists the changes of an instruction other than its deletion.
	changes func(f *file, text string) []change
	// begin is the body of the function that fills the registers with noise and jumps to the
	// selected mutant.
	begin []string
	// noise is the number of registers that begin fills from mutantNoise.
	noise int
}

// change is a change of an instruction: its kind, and the new instruction. Kinds are condition,
// immediate, displacement, swap and register; for arm64 also opcode, shift, lane and increment.
type change struct{ kind, after string }

// architectureOf returns the architecture of a file, according to its name.
func architectureOf(path string) (*architecture, error) {
	for _, a := range []*architecture{amd64, arm64} {
		if strings.HasSuffix(path, a.suffix()) {
			return a, nil
		}
	}
	return nil, fmt.Errorf("%s: expected a name that ends in %s or %s", path, amd64.suffix(), arm64.suffix())
}

func (a *architecture) suffix() string { return "_" + a.name + ".s" }

// reviews returns the name of the file that lists the reviewed surviving mutants of an assembly
// file.
func (a *architecture) reviews(path string) string {
	folder := filepath.Base(filepath.Dir(path))
	if a == amd64 {
		return folder + ".txt"
	}
	return folder + "_" + a.name + ".txt"
}

// environment returns the environment in which Go commands build for the architecture.
func (a *architecture) environment() []string {
	if a.name == runtime.GOARCH {
		return os.Environ()
	}
	return append(os.Environ(), "GOARCH="+a.name, "CGO_ENABLED=0")
}

// emulator returns the command that runs programs for the architecture, or "" if they need no
// emulator.
func (a *architecture) emulator() (string, error) {
	if a.name == runtime.GOARCH || a == amd64 {
		return "", nil
	}
	for _, name := range []string{"qemu-aarch64", "qemu-aarch64-static"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("qemu-aarch64 is required to run programs for %s, but not installed (Debian: qemu-user)", a.name)
}
