package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// architecture is what differs between the processors whose assembly is mutated.
type architecture struct {
	name    string
	general []string // registers that a mutant may use instead of one another

	// changes lists what can be done to an instruction but to delete it.
	changes func(f *file, text string) []change
	// begin is the function that goes to the mutant that is picked, but for the TEXT line: first it
	// fills the registers with noise.
	begin []string
	// noise is the number of registers that it fills from mutantNoise.
	noise int
}

// change is one way to break an instruction: of which kind, and what is written instead. Kinds are
// condition, immediate, displacement, swap and register; for arm64 also opcode, shift, lane and
// increment.
type change struct{ kind, after string }

// architectureOf says what a file is for, by its name.
func architectureOf(path string) (*architecture, error) {
	for _, a := range []*architecture{amd64, arm64} {
		if strings.HasSuffix(path, a.suffix()) {
			return a, nil
		}
	}
	return nil, fmt.Errorf("%s: expected a name that ends in %s or %s", path, amd64.suffix(), arm64.suffix())
}

func (a *architecture) suffix() string { return "_" + a.name + ".s" }

// reviews is the name of the list of reviewed survivors of a file.
func (a *architecture) reviews(path string) string {
	folder := filepath.Base(filepath.Dir(path))
	if a == amd64 {
		return folder + ".txt"
	}
	return folder + "_" + a.name + ".txt"
}

// environment has the Go commands build for the architecture.
func (a *architecture) environment() []string {
	if a.name == runtime.GOARCH {
		return os.Environ()
	}
	return append(os.Environ(), "GOARCH="+a.name, "CGO_ENABLED=0")
}

// emulator is the command that runs programs for the architecture here, empty if they run by
// themselves.
func (a *architecture) emulator() (string, error) {
	if a.name == runtime.GOARCH || a == amd64 {
		return "", nil
	}
	for _, name := range []string{"qemu-aarch64", "qemu-aarch64-static"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("there is no qemu-aarch64 here to run programs for %s with (Debian: qemu-user)", a.name)
}
