package pipeline

import (
	"context"
	"errors"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/batch"

	"simhashkit/dedup/corpus"
)

var errWorker = errors.New("the worker has failed")

// again does work that fails when something is emitted for the n-th time, for all n, and then the
// whole of it with the same values: it must be what comes without failures. So do runners do work
// of a worker that has failed; Prism itself gives up at the first failure.
func again[T any](t *testing.T, what string, work func(emit func(T))) {
	t.Helper()
	var want []T
	work(func(value T) { want = append(want, value) })
	if len(want) == 0 {
		t.Fatalf("%s: nothing is emitted", what)
	}
	for n := range len(want) {
		func() {
			defer func() {
				if r := recover(); r != errWorker {
					t.Errorf("%s: %v", what, r)
				}
			}()
			left := n
			work(func(T) {
				if left--; left < 0 {
					panic(errWorker)
				}
			})
		}()
	}
	var got []T
	work(func(value T) { got = append(got, value) })
	if !reflect.DeepEqual(want, got) {
		t.Errorf("%s: %v after failures, %v without", what, got, want)
	}
}

// iterator returns values one by one, as Beam does.
func iterator[T any](values []T) func(*T) bool {
	return func(to *T) bool {
		if len(values) == 0 {
			return false
		}
		*to, values = values[0], values[1:]
		return true
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Stages whose work is done again emit the same.
func TestDoneAgain(t *testing.T) {
	ctx := context.Background()
	o := options(t, written(t, texts(4, 30), 1))
	sketch := &sketchFn{Texts: o.Texts}
	must(t, sketch.Setup(ctx))
	var records []Record
	again(t, "fingerprints", func(emit func(Record)) { must(t, sketch.ProcessElement(ctx, o.Inputs[0], emit)) })
	must(t, sketch.ProcessElement(ctx, o.Inputs[0], func(r Record) { records = append(records, r) }))

	copies := &copiesFn{}
	positions := []Position{7, 5, 9}
	again(t, "copies", func(emit func(Pair)) {
		copies.ProcessElement(ctx, appendWords(nil, []uint64{1}), iterator(positions), func(Fingerprint) {}, emit)
	})

	o.Search.Block = 3
	var block []Fingerprint
	for i := range uint64(8) {
		block = append(block, Fingerprint{int64(i + 1), []uint64{i << 60}})
	}
	pairs, parts := &pairsFn{Search: o.Search}, &partsFn{Search: o.Search}
	must(t, pairs.Setup())
	must(t, parts.Setup())
	key := pairs.tables.AppendKey(nil, 0, block[0].Words)
	again(t, "pairs", func(emit func(Pair)) { must(t, pairs.ProcessElement(ctx, key, iterator(block[:3]), emit, nil)) })
	var cut []Part
	again(t, "cuts", func(emit func(Part)) {
		must(t, pairs.ProcessElement(ctx, key, iterator(block), nil, func(_ []byte, p Part) { emit(p) }))
	})
	must(t, pairs.ProcessElement(ctx, key, iterator(block), nil, func(k []byte, p Part) {
		if strings.HasSuffix(string(k), "/0/1") {
			cut = append(cut, p)
		}
	}))
	again(t, "pairs of parts", func(emit func(Pair)) { must(t, parts.ProcessElement(ctx, key, iterator(cut), emit)) })
	groups := &groupsFn{By: o.By}
	again(t, "groups", func(emit func(Member)) {
		groups.ProcessElement(ctx, 0, iterator([]Pair{{A: 3, B: 4}, {A: 1, B: 4}, {A: 7, B: 8}}), emit)
	})
}

// torn is a writer of attributes that fails at the second record.
type torn struct {
	corpus.Writer
	n int
}

func (w *torn) Write(a corpus.Attributes) error {
	if w.n++; w.n > 1 {
		return errWorker
	}
	return w.Writer.Write(a)
}

// A file that was there stays until the new one is whole.
func TestFilesAreWhole(t *testing.T) {
	ctx := context.Background()
	o := options(t, written(t, texts(5, 10), 1))
	mustExecute(t, o)
	want := contents(t, o.Output.Folder)
	f := &attributesFn{Output: o.Output}
	records := []Record{{Position: 1, ID: []byte("a")}, {Position: 2, ID: []byte("b")}}
	usual := formats[0]
	defer func() { formats[0] = usual }()
	formats[0].New = func(w io.Writer, columns corpus.Columns) corpus.Writer { return &torn{Writer: usual.New(w, columns)} }
	err := f.ProcessElement(ctx, 0, iterator(o.Inputs[:1]), iterator(records), iterator[Member](nil), iterator[bool](nil))
	if !errors.Is(err, errWorker) || !strings.HasPrefix(err.Error(), Failed) {
		t.Errorf("error %v", err)
	}
	if got := contents(t, o.Output.Folder); !reflect.DeepEqual(want, got) {
		t.Errorf("files %v, expected those that were there", got)
	}
}

// A job that fails in the middle and is started again gives the same as one that does not fail.
func TestStartedAgain(t *testing.T) {
	o := options(t, written(t, texts(6, 60), 3))
	path := o.Inputs[1].Path
	whole, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, append(slices.Clone(whole), "{\n"...), 0o666))
	if _, err := execute(o); err == nil || !strings.Contains(err.Error(), Failed+path+":21:") {
		t.Errorf("error %v", err)
	}
	must(t, os.WriteFile(path, whole, 0o666))
	mustExecute(t, o)
	if want, got := inProcess(t, o), contents(t, o.Output.Folder); !reflect.DeepEqual(want, got) {
		t.Errorf("%v, expected %v", got, want)
	}
}

var batchSizes []int

func collectBatch(_ batch.ShardedKey[string], values []int) {
	batchSizes = append(batchSizes, len(values))
}
func sameKey(value int) (string, int) { return "key", value }

func init() {
	register.Function2x0(collectBatch)
	register.Function1x2(sameKey)
}

// Why hot blocks are cut here and not by GroupIntoBatchesWithShardedKey: in Go each element has a
// shard to itself, so that batches have one element. When this fails, look at it again; it would
// still say nothing of pairs of two batches.
func TestShardedBatchesHaveOneElement(t *testing.T) {
	batchSizes = nil
	p, s := beam.NewPipelineWithRoot()
	keyed := beam.ParDo(s, sameKey, beam.CreateList(s, []int{1, 2, 3, 4, 5, 6}))
	beam.ParDo0(s, collectBatch, batch.GroupIntoBatchesWithShardedKey[string](s, batch.Params{BatchSize: 3}, keyed))
	if _, err := prism.Execute(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	if want := []int{1, 1, 1, 1, 1, 1}; !slices.Equal(want, batchSizes) {
		t.Errorf("batches of %v elements, expected %v", batchSizes, want)
	}
}
