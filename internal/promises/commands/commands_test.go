// Package commands tests the commands and programs of all pages.
package commands

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"simhashkit/internal/testing/long"
	"simhashkit/internal/testing/tools"
)

const root = "../../.."

// The commands of README run in order, in a module beside a checkout, as README says. This leaves
// out commands that build or test this module. Without FPHASH_LONG, it also leaves out commands
// that measure.
func TestCommandsOfReadme(t *testing.T) {
	w := newWorkshop(t)
	if err := os.CopyFS(filepath.Join(w.dir, "asm"), os.DirFS(filepath.Join(root, "asm"))); err != nil {
		t.Fatal(err)
	}
	leaveOut := "^go (test|build) |^git |^fphash ab "
	if !long.Enabled() {
		leaveOut += "|fphash (bench|choose)"
	}
	w.follow("README.md", regexp.MustCompile(leaveOut))
}

// README shows the first lines that dedup and choose print.
func TestOutputOfReadme(t *testing.T) {
	tools.Need(t, "go")
	bin := t.TempDir()
	program := tools.Fphash(t, root, bin)
	vectors := filepath.Join(bin, "vectors.svm")
	readme := read(t, "README.md")
	for _, block := range tools.Blocks(readme) {
		_, below, _ := strings.Cut(readme, "```\n"+block.Code+"```\n\n```text\n")
		shown, _, _ := strings.Cut(below, "```")
		if block.Language != "" || shown == "" || strings.Contains(block.Code, "choose") && !long.Enabled() {
			continue
		}
		var out []byte
		for line := range strings.Lines(block.Code) {
			arguments := strings.TrimPrefix(strings.TrimSpace(line), "go run ./cmd/fphash ")
			c := exec.Command(program, strings.Fields(strings.ReplaceAll(arguments, "vectors.svm", vectors))...)
			c.Dir = root
			var err error
			if out, err = c.Output(); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
		if !strings.HasPrefix(string(out), shown) {
			t.Errorf("README shows another output of %s: %.500s", block.Code, out)
		}
	}
}

// The commands of README that compare a branch run in a user's repository.
func TestGateOfReadme(t *testing.T) {
	long.Skip(t, "compiles the standard library again, with -trimpath")
	w := newWorkshop(t)
	w.run("git remote add origin .", 0)
	w.follow("README.md", regexp.MustCompile("^go (run|test) "))
}

func TestCommandsOfRecipes(t *testing.T) {
	long.Skip(t, "gates a change")
	w := newWorkshop(t)
	w.run("git rm --quiet fphash-gate.conf && git commit --quiet --message 'no settings'", 0)
	w.follow(filepath.Join("bench", "recipes", "README.md"), nil)
}

// The benchmark of the recipes declares an exact unit and reports its figure.
func TestBenchmarkOfRecipes(t *testing.T) {
	w := newWorkshop(t)
	folder := filepath.Join(w.dir, "duplicates")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	const head = "package duplicates\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"testing\"\n)\n\nfunc duplicates() (found, all int) { return 9, 10 }\n\n"
	write(t, filepath.Join(folder, "duplicates_test.go"), head+program(t, "bench/recipes/README.md"))
	w.run("go test -bench . -benchtime 1x ./duplicates >duplicates.txt && grep -q '^Unit recall assume=exact better=higher$' duplicates.txt && grep -q ' 0.9000 recall$' duplicates.txt", 0)
}

// The program of the conventions computes a fingerprint.
func TestProgramOfConventions(t *testing.T) {
	tools.Need(t, "go")
	folder, ours := t.TempDir(), absolute(t, root)
	main, overlay := filepath.Join(folder, "main.go"), filepath.Join(folder, "overlay.json")
	write(t, main, "package main\n\nimport (\n\t\"fmt\"\n\n\t\"simhashkit/fphash/conventions\"\n)\n\nfunc main() {\n\tdigests := []string{\"12345678\"}\n"+
		program(t, "fphash/conventions/README.md")+"\tfmt.Println(len(fingerprint), status, err)\n}\n")
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(ours, "internal", "promises", "page", "main.go"): main}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, overlay, string(replaced))
	c := exec.Command("go", "run", "-overlay", overlay, "./internal/promises/page")
	c.Dir = ours
	if out, err := c.CombinedOutput(); err != nil || string(out) != "1 informative <nil>\n" {
		t.Errorf("%v: %s", err, out)
	}
}

// program returns the only program in Go of a page.
func program(t *testing.T, page string) (code string) {
	t.Helper()
	for _, block := range tools.Blocks(read(t, page)) {
		if block.Language == "go" {
			if code != "" {
				t.Fatalf("%s has several programs", page)
			}
			code = block.Code
		}
	}
	return code
}

func read(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCommandsOfCorpus(t *testing.T) {
	w := newWorkshop(t)
	w.run(`mkdir corpus && echo '{"id": 1, "text": "Some words"}' | gzip >corpus/a.jsonl.gz`, 0)
	w.follow("dedup/corpus.md", nil)
}

func TestCommandsOfFilters(t *testing.T) {
	w := newWorkshop(t)
	w.run("fphash data generate --vectors 1000 --weights tfidf --plant 0.99:200 --out vectors.svm && gzip vectors.svm", 0)
	w.follow("examples/filters.md", regexp.MustCompile("^parallel ")) // TestGNUParallel runs it
	w.run("test -s pairs.tsv && grep -q '\"is_canonical\": *false' clusters.jsonl", 0)
}

func TestCommandsOfChinese(t *testing.T) {
	long.Skip(t, "builds fphash with dictionaries")
	w := newWorkshop(t)
	w.follow("textsketch/chinese.md", nil)
	w.run("grep -q '^1b641db70bb525b8' texts.tsv && grep -q '^1960ccf52df52695' texts.tsv && grep -q '	18$' pairs.tsv", 0)
}

func TestCommandsOfConventions(t *testing.T) {
	w := newWorkshop(t)
	write(t, filepath.Join(w.dir, "old.tsv"), "1234567890123456\tone\n")
	write(t, filepath.Join(w.dir, "new.jsonl"), "{\"id\": \"two\", \"text\": \"Some words to be hashed\"}\n")
	w.follow(filepath.Join("fphash", "conventions", "README.md"), regexp.MustCompile("^hash := "))
}
