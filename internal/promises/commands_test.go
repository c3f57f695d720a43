package promises

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
)

var fenced = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")

// follow does what a document shows: blocks without a language are commands, those of conf are for
// the configuration of the gate.
func (w *workshop) follow(document string, leaveOut ...string) {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(root, document))
	if err != nil {
		w.t.Fatal(err)
	}
	tried := 0
	for _, block := range fenced.FindAllStringSubmatch(string(text), -1) {
		switch block[1] {
		case "":
			for command := range strings.Lines(block[2]) {
				if command = strings.TrimSpace(command); command != "" && !slices.Contains(leaveOut, command) {
					w.try(command)
					tried++
				}
			}
		case "conf":
			former, err := os.ReadFile(filepath.Join(w.dir, "fphash-gate.conf"))
			if err != nil {
				w.t.Fatal(err)
			}
			write(w.t, filepath.Join(w.dir, "fphash-gate.conf"), string(former)+block[2])
		}
	}
	if tried == 0 {
		w.t.Errorf("%s shows no commands", document)
	}
}

// The commands of README run in the order in which they stand there, in a module beside a checkout
// as README says; the tests of this module are what runs this.
func TestCommandsOfReadme(t *testing.T) {
	newWorkshop(t).follow("README.md", "go test ./...")
}

func TestCommandsOfRecipes(t *testing.T) {
	w := newWorkshop(t)
	write(t, filepath.Join(w.dir, "fphash-gate.conf"), "")
	w.follow(filepath.Join("bench", "recipes", "README.md"))
}

func TestCommandsOfMethodology(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "METHODOLOGY.md"))
	if err != nil {
		t.Fatal(err)
	}
	if fenced.Match(text) {
		t.Error("METHODOLOGY.md shows commands now: follow it as the other documents")
	}
}

// The examples of every command's help run with the files that they name.
func TestExamplesOfHelp(t *testing.T) {
	w := newWorkshop(t)
	for name, text := range map[string]string{
		"root_test.go":              "package dedup\n\nimport \"testing\"\n\nfunc BenchmarkNothing(b *testing.B) {\n\tfor b.Loop() {\n\t}\n}\n",
		"encoding/encoding_test.go": "package encoding\n\nimport \"testing\"\n\nfunc BenchmarkParse(b *testing.B) {\n\tfor b.Loop() {\n\t}\n}\n\nfunc BenchmarkWrite(b *testing.B) {\n\tfor b.Loop() {\n\t}\n}\n",
		"myhash.go":                 myHash,
		"texts/a.txt":               "Some words to be hashed, and some more of them.\n",
		"probe.txt":                 "probe/nothing 1\n",
	} {
		path := filepath.Join(w.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, path, text)
	}
	if err := os.CopyFS(filepath.Join(w.dir, "results", "bars"), os.DirFS(filepath.Join(root, "results", "bars"))); err != nil {
		t.Fatal(err)
	}
	kernels := "generic"
	if !lacks("avx2") {
		kernels += ",avx2"
	}
	for _, command := range []string{
		"go build -o myhash myhash.go && rm myhash.go && tar czf texts.tar.gz texts",
		"go test -c -o old.test ./encoding && cp old.test new.test",
		"fphash data generate --vectors 600 --weights tfidf --plant 0.97:150 --out vectors.svm && gzip --keep vectors.svm",
		"for file in main old new; do fphash bench --samples 6 --time 10us --runs 3 --run 'Sketch/.*nnz=|Quality' --weights f32,unit --pattern dense1e3 --hash xxh64 --encoding le64 --kernel " + kernels + " --out $file.txt; done",
		"cp new.txt fphash-bench.txt && cp new.txt branch.txt && cp new.txt bench.txt && cp old.txt kernels.txt && fphash results add --name bench main.txt old.txt",
		"git add --all --force && git commit --quiet --message second && git tag v1.2.0 && git tag v1.3.0",
	} {
		w.run(command, 0)
	}
	for _, example := range examples(w, "fphash") {
		if lacks(example) {
			t.Logf("left out on this machine: %s", example)
			continue
		}
		// what the example before has written
		w.run("git checkout --quiet . && git clean --quiet -d --force", 0)
		w.try(example)
	}
}

// lacks reports whether an example names a kernel that this machine does not have.
func lacks(example string) bool {
	for _, tier := range []cpu.Tier{cpu.AVX2, cpu.AVX512} {
		if strings.Contains(example, tier.String()) && cpu.Active() < tier {
			return true
		}
	}
	return false
}

var (
	examplesOf    = regexp.MustCompile(`(?ms)^Examples:\n(.*?)\n\n`)
	subcommandsOf = regexp.MustCompile(`(?ms)^Available Commands:\n(.*?)\n\n`)
)

// examples returns the examples in the help of a command and those below it.
func examples(w *workshop, command string) (list []string) {
	w.t.Helper()
	c := exec.Command("sh", "-c", command+" --help")
	c.Env = w.env
	help, err := c.Output()
	if err != nil {
		w.t.Fatal(err)
	}
	if block := examplesOf.FindSubmatch(help); block != nil {
		for line := range strings.Lines(strings.ReplaceAll(string(block[1]), "\\\n", "")) {
			list = append(list, strings.TrimSpace(line))
		}
	}
	if block := subcommandsOf.FindSubmatch(help); block != nil {
		for line := range strings.Lines(string(block[1])) {
			if name := strings.Fields(line)[0]; name != "help" && name != "completion" {
				list = append(list, examples(w, command+" "+name)...)
			}
		}
	}
	return list
}

// myHash is a hash as fphash doctor wants it: of 128 bits if it is called with a seed, as in one of
// the examples, else of 64.
const myHash = `package main

import (
	"encoding/binary"
	"hash/fnv"
	"io"
	"os"
)

func main() {
	keys, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	var codes []byte
	for ; len(keys) >= 8; keys = keys[8:] {
		h := fnv.New128a()
		h.Write(keys[:8])
		h.Write([]byte("of mine"))
		sum := h.Sum(nil)
		if len(os.Args) == 1 {
			sum = binary.LittleEndian.AppendUint64(nil, binary.LittleEndian.Uint64(sum)^binary.LittleEndian.Uint64(sum[8:]))
		}
		codes = append(codes, sum...)
	}
	os.Stdout.Write(codes)
}
`
