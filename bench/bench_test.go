package bench

import (
	"context"
	"strings"
	"sync"
	"testing"

	"simhashkit/bench/terms"
)

// The cases of all suites under the names they have in result files: go test -bench . -cpu 1
// ./bench

func BenchmarkHash(b *testing.B)        { benchmark(b, terms.Hash) }
func BenchmarkAccumulate(b *testing.B)  { benchmark(b, terms.Accumulate) }
func BenchmarkSketch(b *testing.B)      { benchmark(b, terms.Sketch) }
func BenchmarkHammingScan(b *testing.B) { benchmark(b, terms.HammingScan) }
func BenchmarkMemoryRead(b *testing.B)  { benchmark(b, terms.MemoryRead) }

// Loading the data set takes longer than a run of most benchmarks, and whoever compares with fphash
// ab starts a process for each run. So only those that need it load it.
var (
	inputsWithout = sync.OnceValue(func() *Inputs { return NewInputs(nil) })
	inputsWith    = sync.OnceValues(func() (*Inputs, error) {
		data, _, err := LoadDefaultData(context.Background())
		return NewInputs(data), err
	})
)

func inputsOf(b *testing.B, c Case) *Inputs {
	name := c.Name.Get("data")
	if name == "" {
		return inputsWithout()
	}
	in, err := inputsWith()
	if err != nil {
		b.Fatal(err)
	}
	if in.Data.Name != name {
		b.Skipf("%s is not here", name)
	}
	return in
}

func benchmark(b *testing.B, kind string) {
	var cases []Case
	for _, suite := range Suites() {
		more, err := casesOf(Options{Suite: suite, Data: DataName(DefaultData)})
		if err != nil {
			b.Fatal(err)
		}
		cases = append(cases, more...)
	}
	seen := map[string]bool{}
	for _, c := range cases {
		name := c.Name.String()
		if c.Name.Base != kind || seen[name] {
			continue
		}
		seen[name] = true
		var t *trial // what all samples of the process have in common
		b.Run(strings.TrimPrefix(c.Name.String(), c.Name.Base+"/"), func(b *testing.B) {
			if t == nil {
				in := inputsOf(b, c)
				var err error
				if t, err = c.ready(in); err != nil {
					b.Fatal(err)
				}
			}
			leave, err := c.enter()
			if err != nil {
				b.Fatal(err)
			}
			defer leave()
			b.ResetTimer()
			t.loop(b.N)
			b.StopTimer()
			b.ReportMetric(0, "ns/op") // what an operation is, differs; the unit says it all
			b.ReportMetric(figure(c.Unit, t.per, b.N, b.Elapsed()), c.Unit)
		})
	}
}
