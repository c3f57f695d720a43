package main

import (
	"os"
	"testing"

	"simhashkit/internal/proof/pages"
)

// The page shows the file that it names.
func TestPageIsAsTheFile(t *testing.T) {
	const root = "../../../.."
	text, err := os.ReadFile(root + "/" + name)
	if err != nil {
		t.Fatal(err)
	}
	updated, err := pages.Updated(root, string(text), blocks)
	if err != nil || updated != string(text) {
		t.Errorf("%s is not as its file has it: go run ./internal/proof/cycles/page; %v", name, err)
	}
}
