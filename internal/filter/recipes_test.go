//go:build unix

package filter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/internal/testing/tools"
)

const root = "../.."

// recipe returns the recipe of an engine in README.md: the blocks of code below its name.
func recipe(t *testing.T, engine string) string {
	t.Helper()
	text, err := os.ReadFile("../../examples/filters.md")
	if err != nil {
		t.Fatal(err)
	}
	_, below, found := strings.Cut(string(text), "\n**"+engine+"**")
	if !found {
		t.Fatalf("README.md has no recipe for %s", engine)
	}
	below, _, _ = strings.Cut(below, "\n**")
	var code strings.Builder
	for _, block := range tools.Blocks(below) {
		code.WriteString(block.Code)
	}
	return code.String()
}

// place is a folder with fphash and with documents in texts.jsonl.
type place struct {
	*testing.T
	folder string
}

// newPlace returns a place with n documents.
func newPlace(t *testing.T, documents int) *place {
	t.Helper()
	p := &place{t, t.TempDir()}
	tools.Fphash(t, root, p.folder)
	var lines bytes.Buffer
	for i := range documents {
		line, err := json.Marshal(map[string]string{"id": fmt.Sprint("d", i), "text": document(i)})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	p.write("texts.jsonl", lines.String())
	return p
}

// document returns a text of 200 words. Every tenth document is a copy of the one before it with
// another last word.
func document(i int) string {
	last := ""
	if i%10 == 9 {
		i, last = i-1, "another"
	}
	r := rand.New(rand.NewPCG(uint64(i), 1))
	var text strings.Builder
	for range 200 {
		fmt.Fprintf(&text, "word%d ", r.IntN(5000))
	}
	return text.String() + last
}

func (p *place) path(name string) string { return filepath.Join(p.folder, name) }

func (p *place) write(name, text string) {
	p.Helper()
	if err := os.WriteFile(p.path(name), []byte(text), 0o666); err != nil {
		p.Fatal(err)
	}
}

func (p *place) read(name string) string {
	p.Helper()
	text, err := os.ReadFile(p.path(name))
	if err != nil {
		p.Fatal(err)
	}
	return string(text)
}

// run runs a program in the folder, with fphash in PATH.
func (p *place) run(program string, args ...string) (stdout, stderr string, err error) {
	command := exec.CommandContext(p.Context(), program, args...)
	var out, said bytes.Buffer
	command.Dir, command.Stdout, command.Stderr = p.folder, &out, &said
	command.Env = append(os.Environ(), "PATH="+p.folder+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+p.folder)
	err = command.Run()
	return out.String(), said.String(), err
}

func (p *place) must(program string, args ...string) string {
	p.Helper()
	stdout, stderr, err := p.run(program, args...)
	if err != nil {
		p.Fatalf("%s %v: %v: %s", program, args, err, stderr)
	}
	return stdout
}

const sketched = "fphash sketch texts.jsonl --text text --id id"

// Documents have the same fingerprints in several parts as in one.
func TestGNUParallel(t *testing.T) {
	// moreutils has another program of that name
	if version, err := exec.Command("parallel", "--version").Output(); err != nil || !bytes.Contains(version, []byte("GNU parallel")) {
		tools.Missing(t, "GNU parallel is not here")
	}
	p := newPlace(t, 1000)
	want := p.must("sh", "-c", sketched)
	shown := recipe(t, "GNU parallel")
	small := strings.Replace(shown, "--block 64M", "--block 100k", 1) // to get many parts
	if small == shown {
		t.Fatalf("%q has no blocks of 64M", shown)
	}
	p.must("sh", "-c", small)
	if got := p.read("fingerprints.tsv"); got != want {
		t.Errorf("%d bytes of fingerprints, expected %d: %.300s", len(got), len(want), got)
	}
	p.write("texts.jsonl", p.read("texts.jsonl")+"{\"id\":1,\"text\":5}\n")
	if _, stderr, err := p.run("sh", "-c", small); err == nil || !strings.Contains(stderr, "text") {
		t.Errorf("a text that is a number: %v, %s", err, stderr)
	}
}
