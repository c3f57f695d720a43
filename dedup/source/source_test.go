package source

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/dedup"
	"simhashkit/fphash"
)

// inFolder writes files to a new folder, which becomes the current one.
func inFolder(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func opened(t *testing.T, hints Hints, paths ...string) *Source {
	t.Helper()
	s, err := Open(t.Context(), paths, hints)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

var someFiles = map[string]string{
	"a.jsonl":    `{"id":"1","body":"a text of some words"}` + "\n" + `{"id":"2","body":"A text of some words!"}` + "\n",
	"b.jsonl":    `{"body":"another text without an id"}` + "\n",
	"t.csv":      "id,text\n1,some words\n",
	"v.svm":      "1 3:1 4:2\n1 3:2 4:4\n",
	"f.tsv":      "00000000000000ff\tone\n00000000000000fe\ttwo\n",
	"texts/a.md": "some words\n", "texts/b.md": "Some words.\n",
	"code/a.go": "package a\n", "code/b.go": "package b\n",
	"one.txt": "a line\n", "two.txt": "a line\n",
}

// Open returns what it has detected and assumed.
func TestDetected(t *testing.T) {
	inFolder(t, someFiles)
	for _, c := range []struct {
		paths []string
		hints Hints
		want  Detected
	}{
		{[]string{"a.jsonl"}, Hints{}, Detected{Kind: Texts, Text: "body", ID: "id", TextFrom: "a.jsonl"}},
		{[]string{"a.jsonl"}, Hints{Text: "body", NoID: true}, Detected{Kind: Texts, Text: "body"}},
		{[]string{"b.jsonl", "a.jsonl"}, Hints{}, Detected{Kind: Texts, Text: "body", ID: "id", TextFrom: "b.jsonl"}},
		{[]string{"t.csv"}, Hints{}, Detected{Kind: Texts, ID: "id"}},
		{[]string{"v.svm"}, Hints{}, Detected{Kind: Vectors}},
		{[]string{"v.svm"}, Hints{Texts: true, Format: "lines"}, Detected{Kind: Texts}},
		{[]string{"f.tsv"}, Hints{}, Detected{Kind: Fingerprints}},
		{[]string{"texts"}, Hints{}, Detected{Kind: Texts, Units: []Unit{{Paths: "texts", Files: 2, Whole: true}}}},
		{[]string{"code"}, Hints{}, Detected{Kind: Texts, Code: true, Units: []Unit{{Paths: "code", Files: 2, Whole: true}}}},
		{[]string{"one.txt", "two.txt"}, Hints{}, Detected{Kind: Texts, Units: []Unit{{Paths: "one.txt to two.txt", Files: 2, Lines: []string{"one.txt", "two.txt"}}}}},
		{[]string{"-"}, Hints{Stdin: strings.NewReader("id,text\n1,a\n")}, Detected{Kind: Texts, MaybeCSV: true}},
	} {
		if diff := cmp.Diff(c.want, opened(t, c.hints, c.paths...).Detected); diff != "" {
			t.Errorf("%v: -want +got\n%s", c.paths, diff)
		}
	}
}

// A source is read any number of times, also if it is a stream, with the same result each time.
func TestFindTwice(t *testing.T) {
	inFolder(t, someFiles)
	for name, want := range map[string]string{"a.jsonl": "2\n", "v.svm": "2\n", "f.tsv": "two\n"} {
		for _, s := range []*Source{opened(t, Hints{}, name), opened(t, Hints{Stdin: strings.NewReader(someFiles[name])})} {
			for range 2 {
				if s.Kind == Fingerprints && s.stream != nil {
					break // it is not copied
				}
				r, err := Find(t.Context(), s, Options{})
				if err != nil {
					t.Fatal(err)
				}
				var out bytes.Buffer
				if err := r.List(t.Context(), &out, "drop", "text"); err != nil || strings.TrimPrefix(out.String(), "#") != want {
					t.Errorf("%s: dropped %q, %v, want %q", s.Name, &out, err, want)
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

func specOf(s *Source) *dedup.Spec {
	spec := s.DefaultSpec()
	return &spec
}

// Find refuses options that do not fit the records, instead of ignoring them.
func TestFindRefuses(t *testing.T) {
	inFolder(t, someFiles)
	longest, err := ParseKeep("longest")
	if err != nil {
		t.Fatal(err)
	}
	texts, vectors, fingerprints := opened(t, Hints{}, "a.jsonl"), opened(t, Hints{}, "v.svm"), opened(t, Hints{}, "f.tsv")
	once := opened(t, Hints{Once: true}, "a.jsonl")
	for _, c := range []struct {
		s    *Source
		o    Options
		want string
	}{
		{fingerprints, Options{Spec: specOf(texts)}, "expected texts or vectors, which have a similarity"},
		{vectors, Options{Spec: specOf(texts)}, `the measure "words" cannot compare vectors`},
		{texts, Options{Spec: specOf(vectors)}, `the measure "cosine" cannot compare texts`},
		{texts, Options{Spec: &dedup.Spec{K: 3}}, "requires a Method"},
		{once, Options{}, "a.jsonl: expected a source that can be read twice"},
		{texts, Options{Against: []*Source{once}}, "a.jsonl: expected a source that can be read twice"},
		{vectors, Options{Keep: longest}, "to keep the longest: expected texts, got vectors"},
		{texts, Options{Against: []*Source{vectors}}, "v.svm: expected texts as in a.jsonl, got vectors"},
		{vectors, Options{Runs: []string{"run"}}, "run: expected vectors as in v.svm, got the texts of a run"},
		{texts, Options{Spec: &dedup.Spec{Measure: dedup.Words, Similarity: 2, Recall: 0.9}}, "similarity 2, expected 0.5 to 1"},
	} {
		r, err := Find(t.Context(), c.s, c.o)
		if err == nil {
			_ = r.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	hash, err := fphash.New(fphash.Definition{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Find(t.Context(), vectors, Options{Spec: &dedup.Spec{K: 3}, Method: &Method{Hash: hash, Weights: "f64"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.WriteExamples(t.Context(), io.Discard, r.Examples(1, false)); err == nil {
		t.Error("examples of vectors")
	}
}

// In several files, records without an id are named by file and number, which counts malformed
// records.
func TestNumberedIDs(t *testing.T) {
	inFolder(t, map[string]string{
		"a.jsonl": "{\"text\":\"a\"}\n\n{\"text\":\"b\"}\nbad\n",
		"b.jsonl": "bad\n{\"text\":\"c\"}\n{\"text\":\"d\",\"id\":\"own\"}\n",
	})
	s := opened(t, Hints{ID: "id", OnError: func(error) {}}, "a.jsonl", "b.jsonl")
	method, err := MethodOf(s.DefaultSpec(), nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	records, counts, err := s.Read(t.Context(), method, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range records.Len() {
		got = append(got, records.ID(i))
	}
	if diff := cmp.Diff([]string{"a.jsonl:1", "a.jsonl:2", "b.jsonl:2", "own"}, got); diff != "" || counts.LeftOut != 2 {
		t.Errorf("%d left out: -want +got\n%s", counts.LeftOut, diff)
	}
}

// joined returns the old records followed by the new ones, with their ids and fingerprints.
func TestJoined(t *testing.T) {
	for _, withIDs := range []bool{false, true} {
		make := func(from int, informative ...bool) *dedup.Records {
			r := &dedup.Records{Name: fmt.Sprint("from ", from)}
			r.Set.Bits, r.Set.Definition = 128, "d"
			for i, ok := range informative {
				var id []byte
				if withIDs {
					id = fmt.Append(nil, "id", from+i)
				}
				r.Add(id, []uint64{uint64(from + i), 7}, ok)
			}
			return r
		}
		for _, sides := range [][2][]bool{{{true, true}, {true}}, {{true, false, true}, {true, true}}, {{true}, {false, true}}, {{}, {true, false}}, {{false, false}, {}}} {
			old, new := make(0, sides[0]...), make(100, sides[1]...)
			got := joined([]*dedup.Records{old, new})
			var want, held []string
			for n, side := range []*dedup.Records{old, new} {
				for p := range side.Set.Len() {
					record := int(side.Set.ID(p))
					id := side.ID(record)
					if n == 0 && !withIDs {
						id = "from 0:" + id
					}
					want = append(want, fmt.Sprint(n*old.Len()+record, id, side.Set.At(p)))
				}
			}
			for p := range got.Set.Len() {
				held = append(held, fmt.Sprint(got.Set.ID(p), got.ID(int(got.Set.ID(p))), got.Set.At(p)))
			}
			if !cmp.Equal(held, want) {
				t.Errorf("%v: %v, expected %v", sides, held, want)
			}
			for i := range got.Len() {
				if got.HasID(i) != withIDs {
					t.Errorf("record %d has an id: %t, expected %t", i, !withIDs, withIDs)
				}
			}
			if got.Len() != old.Len()+new.Len() || got.WithoutFingerprint() != old.WithoutFingerprint()+new.WithoutFingerprint() || got.Name != new.Name || got.Set.Bits != 128 || got.Set.Definition != "d" {
				t.Errorf("%v: %d records of %s, %d without a fingerprint", sides, got.Len(), got.Name, got.WithoutFingerprint())
			}
		}
	}
}
