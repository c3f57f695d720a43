package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"simhashkit/datasets/documents"
	"simhashkit/dedup/corpus"
	"simhashkit/fphash"
)

func TestMain(m *testing.M) {
	beam.Init()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	// Beam leaves a file behind for each run.
	folder, err := os.MkdirTemp("", "fpbeam")
	if err == nil {
		err = os.Setenv("TMPDIR", folder)
	}
	if err != nil {
		panic(err)
	}
	// Runners send the program to their workers. Prism's are in this process.
	*jobopts.WorkerBinary = filepath.Join(folder, "worker")
	if err := os.WriteFile(*jobopts.WorkerBinary, nil, 0o666); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// document is a line of an input.
type document struct {
	ID   any    `json:"id"`
	Text string `json:"text"`
}

// texts returns documents of which some are copies, some are near others and one has no words. They
// are the same for the same seed.
func texts(seed uint64, n int) []document {
	random := rand.New(rand.NewPCG(seed, 1))
	list := make([]document, n)
	for i := range list {
		var words []string
		if i > 0 && random.IntN(2) == 0 {
			words = strings.Fields(list[random.IntN(i)].Text)
			for range min(random.IntN(3), len(words)) {
				words[random.IntN(len(words))] = fmt.Sprint("word", random.IntN(300))
			}
		} else {
			for range 20 + random.IntN(60) {
				words = append(words, fmt.Sprint("word", random.IntN(300)))
			}
		}
		list[i] = document{fmt.Sprint("document ", i), strings.Join(words, " ")}
	}
	list[n/2].Text = "..."
	return list
}

// written writes documents to files of a new folder, as many to each but for the last, and returns
// the inputs. A file more has none.
func written(t *testing.T, list []document, files int) []Input {
	t.Helper()
	folder := t.TempDir()
	var inputs []Input
	each := (len(list) + files - 1) / files
	for i := range files + 1 {
		var lines []byte
		for _, d := range list[min(i*each, len(list)):min(i*each+each, len(list))] {
			line, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(append(lines, line...), '\n')
		}
		name := fmt.Sprintf("%02d.jsonl", i)
		if err := os.WriteFile(filepath.Join(folder, name), lines, 0o666); err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, Input{Number: int64(i), Path: filepath.Join(folder, name), Name: name})
	}
	return inputs
}

// options returns those of a pipeline over the inputs that writes to a new folder.
func options(t *testing.T, inputs []Input) Options {
	t.Helper()
	const bits = 64
	return Options{Inputs: inputs, Texts: Texts{ID: "id", Definition: "xxh64,le64,64"}, Search: Search{Bits: bits, K: 3, Block: 1000},
		By: "components", Output: Output{Folder: t.TempDir(), Format: "jsonl", Bits: bits}}
}

// execute runs a pipeline on Prism. With more, something is done with what lies between the stages.
func execute(o Options, more ...func(beam.Scope, Collections)) (Counts, error) {
	p, s := beam.NewPipelineWithRoot()
	c := Build(s, o)
	for _, each := range more {
		each(s, c)
	}
	result, err := prism.Execute(context.Background(), p)
	if err != nil {
		return Counts{}, err
	}
	return CountsOf(result.Metrics()), nil
}

func mustExecute(t *testing.T, o Options, more ...func(beam.Scope, Collections)) Counts {
	t.Helper()
	counts, err := execute(o, more...)
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

// contents returns all files below a folder.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[filepath.Base(path)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// lines returns the lines of all files, in the order of their names.
func lines(t *testing.T, folder string) []string {
	var all []string
	files := contents(t, folder)
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range files {
			if !yield(name) {
				return
			}
		}
	}) {
		all = append(all, strings.SplitAfter(files[name], "\n")...)
	}
	return slices.DeleteFunc(all, func(line string) bool { return line == "" })
}

// source makes the records of dedup/corpus, which knows nothing of Beam.
type source struct{ texts Texts }

func (s source) Definition() string { return s.texts.Definition }
func (s source) Bits() int {
	d, err := fphash.ParseDefinition(s.texts.Definition)
	if err != nil {
		panic(err)
	}
	return d.Bits
}

func (s source) Unsure() int { return 0 }

func (s source) Records(ctx context.Context, path string) iter.Seq2[corpus.Record, error] {
	return func(yield func(corpus.Record, error) bool) {
		sketcher, err := s.texts.Sketcher(ctx)
		if err != nil {
			yield(corpus.Record{}, err)
			return
		}
		reader, err := documents.Open(ctx, path, documents.Options{Format: s.texts.Format, Text: s.texts.Text, ID: s.texts.ID})
		if err != nil {
			yield(corpus.Record{}, err)
			return
		}
		defer reader.Close()
		for d, err := range sketcher.Documents(ctx, reader, 1) {
			r := corpus.Record{ID: d.ID, Number: d.NumericID, Fingerprint: d.Fingerprint, Informative: d.Status.Err() == nil}
			if len(r.ID) == 0 {
				r.ID, r.Number = fmt.Append(nil, d.Number), true
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// inProcess returns the files of attributes that dedup/corpus writes, whose join is that of package
// join.
func inProcess(t *testing.T, o Options) map[string]string {
	t.Helper()
	run := corpus.Run{Folder: t.TempDir(), Source: source{o.Texts}, K: o.Search.K, By: o.By, Duplicates: o.Output.Duplicates}
	for _, format := range formats {
		if format.Name == o.Output.Format {
			run.Format = format
		}
	}
	for _, in := range o.Inputs {
		run.Inputs = append(run.Inputs, corpus.Input{Path: in.Path, Name: in.Name})
	}
	if _, err := run.Sketch(t.Context(), 0, 1); err != nil {
		t.Fatal(err)
	}
	result, err := run.Find(t.Context(), "the test", nil)
	if err == nil {
		err = result.WriteAttributes(t.Context())
	}
	if err == nil {
		err = os.RemoveAll(filepath.Join(run.Folder, "fphash-run"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return contents(t, run.Folder)
}
