// Package asm_test holds the generated assembly of all kernels to the rules of the house.
package asm_test

import (
	"regexp"
	"strings"
	"testing"

	"simhashkit/asm/internal/assembly"
)

var (
	// the frame pointer, and the registers of Go's own calling convention
	reserved = regexp.MustCompile(`\b(BP|R14|R15|SP)\b`)
	vector   = regexp.MustCompile(`\b[YZ]\d+\b`)
)

func TestGeneratedAssembly(t *testing.T) {
	for _, path := range assemblyFiles(t) {
		functions, err := assembly.Read(path)
		if err != nil {
			t.Error(err)
		}
		for _, f := range functions {
			if f.Flags != "NOSPLIT, $0" && !strings.HasPrefix(f.Flags, "NOSPLIT, $0-") {
				t.Errorf("%s: %s is not a leaf without a frame: %s", path, f.Name, f.Flags)
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
