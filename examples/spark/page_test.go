//go:build unix

package spark

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/internal/testing/long"
	"simhashkit/internal/testing/tools"
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
	blocks := tools.Blocks(string(text))
	if len(blocks) != 1 {
		t.Fatalf("README.md has %d blocks, want 1", len(blocks))
	}
	corpus, home := newCorpus(t, root, 0), t.TempDir()
	ours, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	yours := filepath.Join(home, "yours")
	if err := errors.Join(os.Symlink(ours, filepath.Join(home, "simhashkit")), os.CopyFS(filepath.Join(yours, "corpus"), os.DirFS(corpus.folder))); err != nil {
		t.Fatal(err)
	}
	// The trap also stops the cluster after an error.
	command := exec.Command("sh", "-c", "set -e\ntrap 'kill $first $second $master 2>/dev/null || true' EXIT\n"+blocks[0].Code)
	command.Dir, command.Env = yours, append(os.Environ(), "HOME="+home)
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} { // they are below the usual HOME
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		command.Env = append(command.Env, name+"="+strings.TrimSpace(string(value)))
	}
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	corpus.check(t, "README.md", rows(t, filepath.Join(yours, "out")))
}
