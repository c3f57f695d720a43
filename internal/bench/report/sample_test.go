package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/bench/advice"
)

// sampleOptions selects the contents of a made-up result file.
type sampleOptions struct {
	hashes, patterns, weights []string
	quality                   bool
}

// everything is a sample with rows for all sections.
var everything = sampleOptions{
	hashes:   []string{"fnv1a64", "xxh64", "splitmix64", "md5"},
	patterns: []string{"consecutive", "dense1e3", "uniform64"},
	weights:  []string{"unit", "tfidf"},
	quality:  true,
}

// source returns a made-up result file with realistic figures, which never change.
func (o sampleOptions) source(t testing.TB, name string) advice.Source {
	t.Helper()
	file, err := resultfile.Read(strings.NewReader(o.text()), name)
	if err != nil {
		t.Fatal(err)
	}
	return advice.Source{Name: name, File: file}
}

func (o sampleOptions) text() string {
	var b strings.Builder
	b.WriteString("# date: 2026-01-02T03:04:05Z\n# command: fphash bench --out=bench.txt\n# go: go1.26.0\n# kernels: generic avx2\n# tier: avx2\n" +
		"goos: linux\ngoarch: amd64\npkg: simhashkit/bench\ncpu: Example CPU\n\n")
	g := sampleWriter{&b, rand.New(rand.NewPCG(1, 2))}
	for h, hash := range o.hashes {
		for _, encoding := range []string{"le64", "dec"} {
			if hash == "splitmix64" && encoding != "le64" {
				continue
			}
			weak := hash == "fnv1a64" && encoding == "dec"
			for _, pattern := range o.patterns {
				for _, weights := range o.weights {
					g.cases(o, hash, encoding, pattern, weights, weak && pattern != "uniform64")
				}
			}
			cost := 0.3 * math.Pow(1.5, float64(h))
			if encoding == "dec" {
				cost += 1.5
			}
			g.samples(fmt.Sprintf("Hash/hash=%s/encoding=%s/kernel=library/n=1024", hash, encoding), "ns/key", 2*cost)
			g.samples(fmt.Sprintf("Hash/hash=%s/encoding=%s/kernel=avx2/n=1024", hash, encoding), "ns/key", cost)
		}
	}
	return b.String()
}

// sampleWriter writes rows.
type sampleWriter struct {
	*strings.Builder
	r *rand.Rand
}

// samples writes eight samples within one percent of the value.
func (g sampleWriter) samples(name, unit string, value float64) {
	for range 8 {
		fmt.Fprintf(g, "Benchmark%s 1000 %.8g %s\n", name, value*(1+(g.r.Float64()-0.5)/50), unit)
	}
}

// row writes one line with several values.
func (g sampleWriter) row(name string, valuesAndUnits ...any) {
	fmt.Fprintf(g, "Benchmark%s 1", name)
	for i := 0; i < len(valuesAndUnits); i += 2 {
		fmt.Fprintf(g, " %.8g %s", valuesAndUnits[i], valuesAndUnits[i+1])
	}
	fmt.Fprintln(g)
}

// cases writes the rows of one case.
func (g sampleWriter) cases(o sampleOptions, hash, encoding, pattern, weights string, weak bool) {
	which := fmt.Sprintf("hash=%s/encoding=%s/pattern=%s/weights=%s/f=64", hash, encoding, pattern, weights)
	bits, verdict, wide := 63+2*g.r.Float64(), 1.0, 1.0
	if weak {
		bits, verdict, wide = 8+4*g.r.Float64(), -1, 2.5
	}
	if o.quality {
		g.row("Quality/"+which, bits, "effective-bits", bits*0.95, "effective-bits-low", bits*1.05, "effective-bits-high",
			bits*1.01, "effective-bits-cos90", bits*0.9, "effective-bits-cos90-low", bits*1.1, "effective-bits-cos90-high",
			0.001, "bias", 0.1*wide, "rmse", wide*wide, "variance-ratio", 0.0, "constant-bits", 3*(wide-1), "copied-bits",
			verdict, "verdict", 100.0, "keyings", 2000.0, "pairs")
	}
}
