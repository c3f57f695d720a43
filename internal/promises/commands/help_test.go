package commands

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/internal/testing/long"
	"simhashkit/internal/testing/tools"
)

// The examples in the help of every command run with the files that they name. Other tests run the
// examples of fphash ab.
func TestExamplesOfHelp(t *testing.T) {
	long.Skip(t, "runs every example")
	tools.Need(t, "python3")
	w := newWorkshop(t)
	for name, text := range map[string]string{
		"root_test.go":              "package dedup\n\nimport \"testing\"\n\nfunc BenchmarkNothing(b *testing.B) {\n\tfor b.Loop() {\n\t}\n}\n",
		"encoding/encoding_test.go": "package encoding\n\nimport \"testing\"\n\nfunc BenchmarkParse(b *testing.B) {\n\tfor b.Loop() {\n\t}\n}\n\nfunc BenchmarkWrite(b *testing.B) {\n\tfor b.Loop() {\n\t}\n}\n",
		"myhash.go":                 myHash,
		"texts/a.txt":               "Some words to be hashed, and some more of them.\n",
		"texts.jsonl":               "{\"id\": 1, \"text\": \"Some words to be hashed\"}\n{\"id\": 2, \"text\": \"some more of them\"}\n",
		"members.jsonl":             "{\"group\": 1, \"id\": \"a\", \"text\": \"Some words of a group\"}\n{\"group\": 1, \"id\": \"b\", \"text\": \"some words of a group!\"}\n",
		"words.txt":                 numbered(20000, "word%d\n"),
		"probe.txt":                 "probe/nothing 1\n",
		"a.txt":                     "Some words that are compared.\n",
		"b.txt":                     "Some words that are compared!\n",
		"corpus/1.jsonl":            "{\"body\":\"Some words.\"}\n",
		"documents/a.txt":           "Some words of a document.\n",
		"old.jsonl":                 "{\"id\": 1, \"text\": \"Some words of old\"}\n",
		"new.jsonl":                 "{\"id\": 2, \"text\": \"Some words of old!\"}\n",
	} {
		path := filepath.Join(w.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, path, text)
	}
	kernels := "generic"
	if !lacks("avx2") {
		kernels += ",avx2"
	}
	for _, command := range []string{
		"go build -trimpath -o myhash myhash.go && rm myhash.go && tar czf texts.tar.gz texts",
		"fphash data generate --vectors 600 --weights tfidf --plant 0.97:150 --out vectors.svm && gzip --keep vectors.svm",
		"for file in old new; do fphash bench --samples 6 --time 10us --runs 3 --run 'Sketch/.*nnz=|Quality' --weights f32,unit --pattern dense1e3 --hash xxh64 --encoding le64 --kernel " + kernels + " --out $file.txt; done && cp old.txt main.txt",
		"cp new.txt fphash-bench.txt && cp new.txt branch.txt && cp new.txt bench.txt && cp old.txt hashes.txt",
		"fphash sketch vectors.svm --out stored.tsv",
		"git add --all --force && git commit --quiet --message second",
	} {
		w.run(command, 0)
	}
	for _, example := range w.examples("fphash") {
		if strings.HasPrefix(example, "fphash ab ") {
			continue
		}
		if lacks(example) {
			t.Logf("left out on this machine: %s", example)
			continue
		}
		// remove what the former example wrote
		w.run("git checkout --quiet . && git clean --quiet -d --force", 0)
		if out := output.FindStringSubmatch(example); out != nil {
			os.RemoveAll(filepath.Join(w.dir, out[1])) // commands do not overwrite files
		}
		w.try(example)
	}
}

var output = regexp.MustCompile(`^fphash (?:data generate|bench) .*--out (\S+)$`)

// numbered returns n lines in a format that takes the number of the line.
func numbered(n int, format string) string {
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, format, i)
	}
	return lines.String()
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

// myHash is a hash for fphash doctor. With arguments, as in one of the examples, it hashes lines
// to 128 bits, and otherwise indices to 64 bits.
const myHash = `package main

import (
	"bytes"
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
	for len(keys) > 0 {
		n := 8
		if len(os.Args) > 1 {
			n = bytes.IndexByte(keys, '\n') + 1
		}
		h := fnv.New128a()
		h.Write(keys[:n])
		h.Write([]byte("of mine"))
		sum := h.Sum(nil)
		if len(os.Args) == 1 {
			sum = binary.LittleEndian.AppendUint64(nil, binary.LittleEndian.Uint64(sum)^binary.LittleEndian.Uint64(sum[8:]))
		}
		codes, keys = append(codes, sum...), keys[n:]
	}
	os.Stdout.Write(codes)
}
`
