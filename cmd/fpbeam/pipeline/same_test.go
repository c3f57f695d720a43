package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	gocmp "github.com/google/go-cmp/cmp"

	"simhashkit/dedup"
	"simhashkit/dedup/corpus"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/join"
)

// Attributes are those of fphash dedup, byte by byte.
func TestAsDedup(t *testing.T) {
	list := texts(1, 200)
	numbered := slices.Clone(list)
	for i := range numbered {
		numbered[i].ID = 7 * i
	}
	for name, c := range map[string]struct {
		documents []document
		change    func(*Options)
	}{
		"as usual":    {list, func(*Options) {}},
		"by first":    {list, func(o *Options) { o.By = dedup.First }},
		"far":         {list, func(o *Options) { o.By, o.Search.K = dedup.First, 12 }},
		"copies":      {list, func(o *Options) { o.Search.K = 0 }},
		"CSV":         {list, func(o *Options) { o.Output.Format, o.Output.Duplicates = "csv", true }},
		"Parquet":     {list, func(o *Options) { o.Output.Format = "parquet" }},
		"numbers":     {numbered, func(o *Options) { o.Output.Format = "parquet" }},
		"without ids": {list, func(o *Options) { o.Texts.ID = "" }},
		"other bits": {list, func(o *Options) {
			o.Texts.Features, o.Texts.Scheme, o.Texts.Definition = "characters,n=4", "log", "xxh64,le64,100,widen=mix,tie=one,seed=3"
			o.Search.Bits, o.Output.Bits, o.Search.K = 100, 100, 9
		}},
		"other tables": {list, func(o *Options) { o.Search.Design = index.Design{Blocks: 6, Choose: 3} }},
		"drawn tables": {list, func(o *Options) { o.Search.Recall, o.Search.KeyBits = 0.999999, 12 }},
		"none":         {nil, func(*Options) {}},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t, written(t, c.documents, 3))
			c.change(&o)
			mustExecute(t, o)
			want := map[string]string{}
			if c.documents == nil { // dedup refuses a corpus without documents
				for _, in := range o.Inputs {
					want[corpus.AttributesOf(in.Name, "jsonl")] = ""
				}
			} else {
				want = inProcess(t, o)
			}
			if diff := gocmp.Diff(want, contents(t, o.Output.Folder)); diff != "" {
				t.Errorf("-in process +Prism\n%s", diff)
			}
		})
	}
}

// What comes out does not depend on how documents are divided into files, how many goroutines and
// bundles there are, nor on where blocks are cut.
func TestSameHoweverDivided(t *testing.T) {
	list := texts(2, 150)
	o := options(t, written(t, list, 1))
	mustExecute(t, o)
	want := lines(t, o.Output.Folder)
	if len(want) != len(list) {
		t.Fatalf("%d lines of %d documents", len(want), len(list))
	}
	defer func(old string) { *jobopts.Experiments = old }(*jobopts.Experiments)
	for _, files := range []int{1, 2, 50} {
		for _, block := range []int{1, 2, 7, 1000} {
			*jobopts.Experiments = []string{"", "prism_disable_rtc", "prism_disable_sdf_split"}[block%3]
			o := options(t, written(t, list, files))
			o.Texts.Workers, o.Search.Block = 1+files%3, block
			counts := mustExecute(t, o)
			if diff := gocmp.Diff(want, lines(t, o.Output.Folder)); diff != "" {
				t.Errorf("%d files, blocks of %d: -one file +these\n%s", files, block, diff)
			}
			if hot := counts.HotBlocks > 0; hot != (block < 1000) {
				t.Errorf("%d files, blocks of %d: %d of %d blocks were hot, the largest of %d", files, block, counts.HotBlocks, counts.Blocks, counts.LargestBlock)
			}
		}
	}
}

// collected is what tests take out of pipelines, whose workers are in this process.
var collected struct {
	sync.Mutex
	records []Record
	pairs   []Pair
}

func collectRecord(r Record) {
	collected.Lock()
	defer collected.Unlock()
	collected.records = append(collected.records, r)
}

func collectPair(p Pair) {
	collected.Lock()
	defer collected.Unlock()
	collected.pairs = append(collected.pairs, p)
}

func init() {
	register.Function1x0(collectRecord)
	register.Function1x0(collectPair)
}

// Pairs are those of package join, each once: of distinct fingerprints as they are, of copies each
// with the first.
func TestPairs(t *testing.T) {
	for _, block := range []int{1, 5, 1000} {
		collected.records, collected.pairs = nil, nil
		o := options(t, written(t, texts(3, 300), 4))
		o.Search.Block = block
		mustExecute(t, o, func(s beam.Scope, c Collections) {
			beam.ParDo0(s, collectRecord, c.Records)
			beam.ParDo0(s, collectPair, c.Pairs)
		})
		slices.SortFunc(collected.records, func(a, b Record) int { return cmp.Compare(a.Position, b.Position) })
		set := index.Set{Bits: o.Search.Bits}
		var positions []Position
		copies := map[uint64][]Position{}
		for _, r := range collected.records {
			if r.Informative {
				set.Words = append(set.Words, r.Words...)
				positions = append(positions, r.Position)
				copies[r.Words[0]] = append(copies[r.Words[0]], r.Position)
			}
		}
		want := map[Pair]int{}
		for p, err := range (&join.Join{Set: &set, K: o.Search.K}).Pairs(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			a, b := positions[p.A], positions[p.B]
			isCopy := p.Distance == 0
			if (!isCopy || a == copies[set.Words[p.A]][0]) && (isCopy || a == copies[set.Words[p.A]][0] && b == copies[set.Words[p.B]][0]) {
				want[Pair{a, b, int64(p.Distance), isCopy}]++
			}
		}
		got := map[Pair]int{}
		for _, p := range collected.pairs {
			got[p]++
		}
		if !reflect.DeepEqual(want, got) || len(want) < 50 {
			t.Errorf("blocks of %d: %s", block, fmt.Sprint(gocmp.Diff(want, got)))
		}
	}
}
