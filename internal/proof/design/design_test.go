package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/internal/proof/pages"
)

const root = "../../.."

// TestPageIsTrue: the page shows the packages as they are.
func TestPageIsTrue(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	want, err := pages.Updated(root, string(text), blocks)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) == want {
		return
	}
	t.Errorf("%s is not what the go command lists; go run ./internal/proof/design writes it", name)
	is := strings.Split(string(text), "\n")
	for i, line := range strings.Split(want, "\n") {
		if i >= len(is) || is[i] != line {
			t.Fatalf("the first line that differs should be:\n%s", line)
		}
	}
}

// TestPackagesAreDocumented: each row of the table has a sentence.
func TestPackagesAreDocumented(t *testing.T) {
	packages, err := list(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages {
		if !strings.HasSuffix(p.Doc, ".") || sentence(p) == p.Doc {
			t.Errorf("%s: expected documentation that begins with a sentence about the package, got %q", p.ImportPath, p.Doc)
		}
	}
}
