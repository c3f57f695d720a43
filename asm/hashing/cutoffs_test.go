//go:build (amd64 || arm64) && !purego

package hashing

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// TestCutoffsAreCovered checks that TestBetweenGuardPages tests the lengths around each cutoff at
// which the dispatch changes kernels. Cutoffs are the constants whose names start with least.
func TestCutoffsAreCovered(t *testing.T) {
	files, err := filepath.Glob("*_" + runtime.GOARCH + ".go")
	if err != nil {
		t.Fatal(err)
	}
	cutoffs := 0
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			c, ok := n.(*ast.ValueSpec)
			if !ok || !strings.HasPrefix(c.Names[0].Name, "least") {
				return true
			}
			cutoffs++
			cutoff, err := strconv.Atoi(c.Values[0].(*ast.BasicLit).Value)
			if err != nil || cutoff < 1 || cutoff+1 > 140 {
				t.Errorf("%s: %s is %d keys (%v), outside of the lengths that every run tests", path, c.Names[0].Name, cutoff, err)
			}
			return true
		})
	}
	if cutoffs == 0 {
		t.Error("no cut-offs found")
	}
}
