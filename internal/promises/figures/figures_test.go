// Package figures compares computed results with recorded ones. They must be the same to 8 digits
// on every machine. .ci/run also runs this test on emulated processors, for which compilers and
// libraries round differently.
package figures

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/bench"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/bench/choose"
	"simhashkit/internal/bench/terms"
)

var update = flag.Bool("update", false, "record the results instead of comparing them")

// check compares what write writes with a file in testdata, line by line.
func check(t *testing.T, name string, write func(io.Writer) error) {
	t.Helper()
	var got bytes.Buffer
	if err := write(&got); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, is := strings.Split(string(file), "\n"), strings.Split(got.String(), "\n")
	if len(want) != len(is) {
		t.Errorf("%d lines, but %s has %d", len(is), path, len(want))
	}
	differing := 0
	for i := range min(len(want), len(is)) {
		if want[i] != is[i] {
			if differing++; differing <= 5 {
				t.Errorf("%s, line %d:\n%s\nbut now it is\n%s", path, i+1, want[i], is[i])
			}
		}
	}
	if differing > 5 {
		t.Errorf("%s: %d lines differ", path, differing)
	}
}

func rows(list []resultfile.Row) func(io.Writer) error {
	return func(w io.Writer) error { return resultfile.Write(w, resultfile.File{Rows: list}) }
}

func family(t *testing.T, name string) fphash.Family {
	t.Helper()
	f, err := fphash.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// vectors returns vectors like those of texts, with near-duplicates.
func vectors[W datasets.Weight](t *testing.T, kind string, n int) (*datasets.CSR[W], []datasets.Pair) {
	t.Helper()
	set, pairs, err := datasets.Generate[W](t.Context(), datasets.GenerateOptions{
		Seed: 7, Vectors: n, NNZ: 30, Dimensions: 20_000, Weights: kind,
		Duplicates: []datasets.PlantedPairs{{Cosine: 0.98, Pairs: n / 10}, {Cosine: 0.95, Pairs: n / 10}, {Cosine: 0.9, Pairs: n / 10}, {Cosine: 0.6, Pairs: n / 10}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return &set, pairs
}

// With unit weights, many pairs have exactly the same angle, such as 60 degrees, so their order
// depends on exact arithmetic.
func TestQuality(t *testing.T) {
	var results []*quality.Result
	measure := func(w *quality.Workload, err error) {
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"xxh64", "fnv1a64"} {
			h, err := quality.OfFamily(family(t, name), fphash.BE64, 64, fphash.WidenNone)
			if err != nil {
				t.Fatal(err)
			}
			r, err := w.Measure(h, 0)
			if err != nil {
				t.Fatal(err)
			}
			results = append(results, r)
		}
	}
	for _, weights := range quality.Weights() {
		pairs := 100
		if weights == terms.Unit {
			pairs = 1000
		}
		measure(quality.Generate(quality.WorkloadOptions{Pattern: terms.Dense1e3, Weights: weights, Pairs: pairs, Keyings: 12}))
	}
	measure(quality.Generate(quality.WorkloadOptions{Pattern: terms.Strided, Weights: terms.TFIDF, Pairs: 100, Keyings: 12}))
	unit, _ := vectors[float32](t, datasets.Unit, 300)
	measure(quality.FromVectors(t.Context(), unit, quality.WorkloadOptions{Pairs: 200, Keyings: 12}))
	weighted, _ := vectors[float32](t, "tfidf", 300)
	measure(quality.FromVectors(t.Context(), weighted, quality.WorkloadOptions{Pairs: 200, Keyings: 12}))
	check(t, "quality.txt", rows(bench.ResultRows(results)))
}

// Thresholds of choose for unit weights, and for weights of both signs.
func TestThresholds(t *testing.T) {
	unit, _ := vectors[float64](t, datasets.Unit, 400)
	signed, _ := vectors[float64](t, "tfidf", 400)
	for i := range signed.Weights {
		if signed.Indices[i]%3 == 0 {
			signed.Weights[i] = -signed.Weights[i] // cosines below zero, too
		}
	}
	check(t, "thresholds.txt", func(w io.Writer) error {
		for _, set := range []*datasets.CSR[float64]{unit, signed} {
			data, err := bench.NewData("vectors", "generated", *set)
			if err != nil {
				return err
			}
			a, err := choose.Choose(t.Context(), choose.Options{Data: data, Hashes: []string{"xxh64"}})
			if err != nil {
				return err
			}
			p := a.Pairs
			fmt.Fprintf(w, "%d pairs, %d copies, %d near, k from %d to %d, widths %v\n", p.All, p.Copies, p.Near, a.KFrom, a.KTo, a.Widths)
			for _, at := range a.Thresholds {
				fmt.Fprintf(w, "%d bits, k = %d: recall %.8g (%.8g to %.8g), at the threshold %.8g, precision %.8g, %.8g of a million vectors, taken: %v\n", at.Bits, at.K,
					at.Finds, at.Low, at.High, *at.FindsFar, *at.Real, at.Found, at.Take)
			}
		}
		return nil
	})
}

// Generated vectors are the same to the last bit.
func TestGenerated(t *testing.T) {
	check(t, "generated.txt", func(w io.Writer) error {
		for _, kind := range []string{datasets.Unit, "counts", "tfidf"} {
			set, pairs := vectors[float64](t, kind, 400)
			checksum, sum := crc32.NewIEEE(), 0.0
			put := func(x uint64) { checksum.Write(binary.LittleEndian.AppendUint64(nil, x)) }
			for i := range set.Len() {
				indices, weights := set.Row(i)
				put(uint64(len(indices)))
				for _, index := range indices {
					put(index)
				}
				for _, weight := range weights {
					put(math.Float64bits(weight))
				}
			}
			for _, p := range pairs {
				put(math.Float64bits(p.Cosine))
				sum += p.Cosine
			}
			fmt.Fprintf(w, "%s: %d features, checksum %08x, sum of cosines %.8g\n", kind, set.NNZ(), checksum.Sum32(), sum)
		}
		return nil
	})
}
