package bench

import (
	"sync"
	"testing"
)

// The cases of all suites under the names they have in result files: go test -bench . -cpu 1 ./bench

func BenchmarkHash(b *testing.B)        { benchmark(b, Hash) }
func BenchmarkAccumulate(b *testing.B)  { benchmark(b, Accumulate) }
func BenchmarkSketch(b *testing.B)      { benchmark(b, Sketch) }
func BenchmarkHammingScan(b *testing.B) { benchmark(b, HammingScan) }
func BenchmarkMemoryRead(b *testing.B)  { benchmark(b, MemoryRead) }

var benchmarkInputs = sync.OnceValues(func() (*Inputs, error) {
	data, _, err := LoadDefaultData()
	return NewInputs(data), err
})

func benchmark(b *testing.B, kind string) {
	in, err := benchmarkInputs()
	if err != nil {
		b.Fatal(err)
	}
	var cases []Case
	for _, suite := range Suites() {
		more, err := Grid(Options{Suite: suite, Data: in.Data.Name})
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
		b.Run(c.Name.Sub(), func(b *testing.B) {
			t, err := c.ready(in)
			if err != nil {
				b.Fatal(err)
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
