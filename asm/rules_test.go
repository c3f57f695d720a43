// Package asm_test checks that the assembly of all kernels follows the project's rules.
package asm_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	// the frame pointer, and the registers of Go's own calling convention
	reserved = regexp.MustCompile(`\b(BP|R14|R15|SP)\b`)
	vector   = regexp.MustCompile(`\b[YZ]\d+\b`)

	// on arm64: the platform's register, the assembler's own and those of Go's calling convention
	reservedOfARM64 = regexp.MustCompile(`\b(R18|R2[6-9]|R30|RSP|LR|FP)\b`)
	numbered        = regexp.MustCompile(`\bWORD\b`)
	frameOfARM64    = regexp.MustCompile(`^NOSPLIT, \$(\d+)-\d+$`)
)

// everywhere are the extensions that every amd64 processor has.
var everywhere = map[string]bool{"CMOV": true, "SSE": true, "SSE2": true, "MMX+": true}

// TestGeneratedAssembly checks that kernels require no more than their tier, use no reserved
// registers and no frame, and leave the upper halves of the registers clean.
func TestGeneratedAssembly(t *testing.T) {
	for _, path := range assemblyFiles(t, "amd64") {
		functions, err := readAssembly(path)
		if err != nil {
			t.Error(err)
		}
		for _, f := range functions {
			if f.Flags != "NOSPLIT, $0" && !strings.HasPrefix(f.Flags, "NOSPLIT, $0-") {
				t.Errorf("%s: %s is not NOSPLIT without a frame: %s", path, f.Name, f.Flags)
			}
			for _, name := range f.Requires {
				if !slices.Contains(strings.Split(tierOf(f.Name).Needs().String(), ", "), name) && !everywhere[name] {
					t.Errorf("%s: %s requires %s, but its tier does not", path, f.Name, name)
				}
			}
			wide := false
			for i, line := range f.Lines {
				if reserved.MatchString(line.Text) {
					t.Errorf("%s:%d: reserved register: %s", path, line.Number, line.Text)
				}
				wide = wide || vector.MatchString(line.Text)
				if line.Text == "RET" && wide && f.Lines[i-1].Text != "VZEROUPPER" {
					t.Errorf("%s:%d: %s returns without VZEROUPPER", path, line.Number, f.Name)
				}
			}
		}
	}
}

// TestWrittenAssembly checks that assembly written by hand uses no reserved registers, has frames
// that fit on any stack, and encodes instructions as numbers only in macros of headers.
func TestWrittenAssembly(t *testing.T) {
	for _, path := range assemblyFiles(t, "arm64") {
		functions, err := readAssembly(path)
		if err != nil {
			t.Error(err)
		}
		for _, f := range functions {
			frame := frameOfARM64.FindStringSubmatch(f.Flags)
			if frame == nil {
				t.Errorf("%s: %s is not NOSPLIT: %s", path, f.Name, f.Flags)
			} else if size, err := strconv.Atoi(frame[1]); err != nil || size > 320 {
				t.Errorf("%s: %s has a frame of %s bytes, expected at most 320", path, f.Name, frame[1])
			}
		}
	}
	for _, pattern := range []string{"*/*_arm64.s", "*/*_arm64.h"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal("no files match", pattern, err)
		}
		for _, path := range paths {
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(source), "\n") {
				if !strings.HasPrefix(line, "//") {
					checkRegisters(t, path, i+1, line)
				}
				if strings.HasSuffix(path, ".s") && numbered.MatchString(line) {
					t.Errorf("%s:%d: an instruction encoded as a number: %s", path, i+1, line)
				}
			}
		}
	}
}

// checkRegisters fails if the line names a reserved register. FP is allowed as the base of
// arguments.
func checkRegisters(t *testing.T, path string, number int, line string) {
	line, _, _ = strings.Cut(line, "//")
	line = strings.ReplaceAll(line, "(FP)", "")
	if reservedOfARM64.MatchString(line) {
		t.Errorf("%s:%d: reserved register: %s", path, number, line)
	}
}
