package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
)

// sampleOptions says what a made-up result file holds.
type sampleOptions struct {
	hashes, patterns, weights                                     []string
	quality, kernels, maps, curves, projections, searches, unsure bool
}

// everything is a sample with rows for all sections.
var everything = sampleOptions{
	hashes:   []string{"fnv1a64", "xxh64", "splitmix64", "md5"},
	patterns: []string{"consecutive", "dense1e3", "uniform64"},
	weights:  []string{"unit", "tfidf"},
	quality:  true, kernels: true, maps: true, curves: true, projections: true, searches: true, unsure: true,
}

// source makes a result file up: as benchmarks would write it, with figures of about the right
// size, the same ones each time.
func (o sampleOptions) source(t testing.TB, name string) Source {
	t.Helper()
	file, err := resultfile.Read(strings.NewReader(o.text()), name)
	if err != nil {
		t.Fatal(err)
	}
	return Source{Name: name, File: file}
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
			if o.maps {
				g.avalanche(hash, encoding, weak)
			}
			cost := 0.3 * math.Pow(1.5, float64(h))
			if encoding == "dec" {
				cost += 1.5
			}
			g.samples(fmt.Sprintf("Hash/hash=%s/encoding=%s/kernel=library/n=1024", hash, encoding), "ns/key", 2*cost)
			g.samples(fmt.Sprintf("Hash/hash=%s/encoding=%s/kernel=avx2/n=1024", hash, encoding), "ns/key", cost)
		}
	}
	if o.kernels {
		for k, kernel := range []string{"naive", "generic", "avx2"} {
			for _, weights := range []string{"unit", "f32"} {
				for _, nnz := range []int{1, 10, 100, 1000} {
					g.samples(fmt.Sprintf("Accumulate/weights=%s/f=64/kernel=%s/nnz=%d", weights, kernel, nnz), "ns/nnz", 200/math.Pow(8, float64(k))*(1+4/float64(nnz)))
				}
			}
		}
	}
	if o.projections {
		g.projections()
	}
	if o.searches {
		g.searches()
	}
	if o.unsure {
		g.unsure()
	}
	return b.String()
}

// sampleWriter writes rows.
type sampleWriter struct {
	*strings.Builder
	r *rand.Rand
}

// samples writes eight samples, each at most a hundredth off.
func (g sampleWriter) samples(name, unit string, value float64) {
	for range 8 {
		fmt.Fprintf(g, "Benchmark%s 1000 %.8g %s\n", name, value*(1+(g.r.Float64()-0.5)/50), unit)
	}
}

// row writes one line with some figures.
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
			0.7, "bias-p", 1.0, "correlation-p", math.Pow(0.25, 40*(wide-1)), "avalanche-p", 0.03, "unrelated-mean-p", 0.5, "unrelated-variance-p",
			1.001, "unrelated-mean-ratio", wide*wide, "unrelated-variance-ratio", verdict, "verdict", 100.0, "keyings", 2000.0, "pairs")
	}
	if !o.curves {
		return
	}
	for angle := 5; angle < 90; angle += 10 {
		mean := 64 * float64(angle) / 180
		sd := math.Sqrt(mean * (1 - mean/64))
		g.row(fmt.Sprintf("Distance/%s/angle=%d", which, angle), mean*(1-0.1*(wide-1)), "mean-distance", sd*wide, "sd-distance", mean, "ideal-mean-distance", sd, "ideal-sd-distance", 200.0, "pairs")
	}
	for k := range 17 {
		recall := 1 - math.Exp(-float64(k*k)/20)
		precision := 1 - float64(k*k)/800
		g.row(fmt.Sprintf("NearDuplicates/%s/k=%d", which, k), recall/wide+(1-1/wide)*0.2, "recall", precision/wide, "precision", recall, "ideal-recall", precision, "ideal-precision")
	}
}

// avalanche writes a map; a weak one flips nothing below its diagonal, and everything on it.
func (g sampleWriter) avalanche(hash, encoding string, weak bool) {
	for in := range 64 {
		var figures []any
		for out := range 64 {
			p := 0.5 + 0.04*(g.r.Float64()-0.5)
			if weak && out <= in {
				p = math.Max(0, 0.5-float64(in-out)/40)
			}
			if weak && out == in {
				p = 1
			}
			figures = append(figures, p, fmt.Sprintf("flip-out%d", out))
		}
		g.row(fmt.Sprintf("Avalanche/hash=%s/encoding=%s/f=64/in=%d", hash, encoding, in), figures...)
	}
}

// searches writes rows of three sizes, the lists crossing the scan between the first two.
func (g sampleWriter) searches() {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		size := float64(n)
		name := func(base, index, more string) string {
			return fmt.Sprintf("%s/index=%s/f=64/k=3/kernel=avx2%s/n=%d", base, index, more, n)
		}
		g.samples(name("Query", "scan", ""), "ns/query", 0.1*size)
		g.samples(name("Query", "postings", ""), "ns/query", 18*math.Sqrt(size))
		g.samples(name("Query", "ball", ""), "ns/query", 5e6)
		g.samples(name("Query", "blocks", ""), "ns/query", 300+100*math.Log10(size))
		g.samples(name("Query", "blocks", "/queries=1000"), "ns/query", 100+50*math.Log10(size))
		g.samples(name("Build", "blocks", ""), "ns/op", 40*size)
		g.row(name("Build", "blocks", ""), 33.5, "bytes/entry")
		g.samples(name("Pairs", "blocks", ""), "ns/op", 30*size)
		g.samples(name("Groups", "blocks", "/pattern=skewed"), "ns/op", 50*size)
		g.samples(fmt.Sprintf("MemoryLatency/n=%d", n), "ns/read", 10*math.Log10(size))
	}
	g.samples("Query/index=blocks/f=64/k=5/kernel=avx2/n=1000000", "ns/query", 3000)
	g.samples("Query/index=scan/f=64/k=5/kernel=avx2/n=1000000", "ns/query", 120000)
}

// unsure writes rows of two kinds of vectors, on the second of which nothing is gained.
func (g sampleWriter) unsure() {
	for _, kind := range []struct {
		weights string
		recall  [4]float64 // at a cosine of 0.95
		bias    float64
	}{{"lognormal", [4]float64{0.11, 0.38, 0.61, 0.59}, 0.0002}, {"outlier", [4]float64{0.91, 0.98, 0.99, 0.99}, 0.04}} {
		name := "Unsure/hash=xxh64/weights=" + kind.weights + "/f=64/nnz=100"
		for i, cosine := range []string{"0.98", "0.95", "0.90", "0.80"} {
			at, share := name+"/cosine="+cosine, []float64{1.5, 1, 0.3, 0.02}[i]
			for w, way := range []string{"k=3", "k=5", "t=8/k=3", "t=4/masks=2/k=3"} {
				g.row(at+"/"+way, math.Min(kind.recall[w]*share, 0.999), "recall", 20000.0, "pairs")
			}
			g.row(at+"/by=distance", 0.02*float64(i+1), "cosine-rmse", -0.005, "cosine-bias")
			g.row(at+"/by=sums", 0.013*float64(i+1), "cosine-rmse", kind.bias, "cosine-bias")
		}
		for w, way := range []string{"k=3", "k=5", "t=8/k=3", "t=4/masks=2/k=3"} {
			g.row(name+"/"+way, []float64{2.36e-15, 4.48e-13, 4.05e-13, 3.58e-13}[w], "strangers")
		}
	}
}

func (g sampleWriter) projections() {
	for _, method := range []struct {
		name         string
		time, growth float64
		bytes        float64
		most         int
	}{{"gaussian", 900, 0.3, 256, 5}, {"signs", 600, 0.2, 8, 6}, {"hashes-per-bit", 8000, 0, 0, 7}, {"one-hash", 90, 0, 0, 7}} {
		for e := 2; e <= method.most; e++ {
			name := fmt.Sprintf("Projection/method=%s/f=64/D=%.0f/nnz=100", method.name, math.Pow10(e))
			g.samples(name, "ns/vector", method.time*math.Exp(method.growth*float64(e)))
			g.row(name, method.bytes*math.Pow10(e), "table-bytes", 0.1+0.001*float64(e), "angle-rmse", 0.0001, "angle-bias")
		}
	}
}
