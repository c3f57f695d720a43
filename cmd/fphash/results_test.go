package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestResultsGolden(t *testing.T) {
	root := filepath.Join(t.TempDir(), "results")
	replace := strings.NewReplacer(root, "STORE", `\`, "/")
	for _, tc := range []struct{ name, args string }{
		{"help-results", "results --help"},
		{"help-results-add", "results add --help"},
		{"help-results-list", "results list --help"},
		{"help-results-show", "results show --help"},
		{"results-list-empty", "results list --store STORE"},
		{"results-add", "results add --store STORE testdata/compare/quality-old.txt testdata/compare/quality-new.txt"},
		{"results-add-again", "results add --store STORE testdata/compare/quality-old.txt"},
		{"results-add-same-name", "results add --store STORE --name quality-old testdata/compare/quality-new.txt"},
		{"results-add-nothing", "results add --store STORE testdata/small.svm"},
		{"results-add-bad-name", "results add --store STORE --name ../x testdata/compare/old.txt"},
		{"results-list", "results list --store STORE"},
		{"results-show", "results show --store STORE quality-new"},
		{"results-show-unknown", "results show --store STORE nothing"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var args []string
			for _, a := range strings.Fields(tc.args) {
				args = append(args, strings.Replace(a, "STORE", root, 1))
			}
			code, stdout, stderr := execute(t, "", args...)
			compareGolden(t, tc.name, fmt.Sprintf("$ fphash %s\nexit code %d\n--- stdout\n%s--- stderr\n%s", tc.args, code, replace.Replace(stdout), replace.Replace(stderr)))
		})
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(root), "x.txt")); err == nil {
		t.Error("a name has led out of the store")
	}
}
