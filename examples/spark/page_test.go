//go:build unix

package spark

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/internal/testing/long"
	"simhashkit/internal/testing/workshop"
)

// The commands of README.md, word for word, install pyspark, start a cluster and write the
// attributes of the documents.
func TestPage(t *testing.T) {
	long.Skip(t, "installs pyspark and starts a cluster")
	python := os.Getenv(variable)
	if python == "" {
		t.Skipf("%s is not set to a Python with pyspark", variable)
	}
	cache, err := exec.Command(python, "-m", "pip", "cache", "dir").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PIP_CACHE_DIR", strings.TrimSpace(string(cache))) // the page's HOME has none
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := workshop.Blocks(string(text))
	if len(blocks) != 1 {
		t.Fatalf("README.md has %d blocks, want 1", len(blocks))
	}
	corpus, w := newCorpus(t, root, 0), workshop.New(t, root)
	if err := os.CopyFS(filepath.Join(w.Dir, "corpus"), os.DirFS(corpus.folder)); err != nil {
		t.Fatal(err)
	}
	// The trap also stops the cluster after an error.
	w.Run("set -e\ntrap 'kill $first $second $master 2>/dev/null || true' EXIT\n"+blocks[0].Code, 0)
	if !t.Failed() {
		corpus.check(t, "README.md", rows(t, filepath.Join(w.Dir, "out")))
	}
}
