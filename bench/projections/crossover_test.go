package projections

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
)

// rowAt has that many samples within 1% of the time.
func rowAt(method string, dimensions uint64, nanoseconds float64, samples int, bytes uint64) Row {
	r := Row{Case: Case{method, 64, dimensions, terms.Uniform, 100}, TableBytes: bytes, HeapBytes: bytes}
	for i := range samples {
		r.Samples = append(r.Samples, resultfile.Sample{Iterations: 1, Value: nanoseconds * (0.99 + 0.02*float64(i)/float64(samples))})
	}
	return r
}

func TestCrossovers(t *testing.T) {
	var rows []Row
	for i, gaussian := range []float64{50, 100.5, 400, 1600} {
		d := uint64(math.Pow10(i + 2))
		rows = append(rows, rowAt(Gaussian, d, gaussian, 20, 256*d), rowAt(HashPerBit, d, 9000, 20, 512), rowAt(HashPerIndex, d, 100, 20, 25_600))
	}
	rows[9].Samples, rows[9].HeapBytes, rows[9].Skipped = nil, 0, "too large"
	got := Crossovers(rows)
	kind := func(method string) Case { return Case{method, 64, 0, terms.Uniform, 100} }
	want := []Crossover{
		{kind(Gaussian), Faster, 100, 10_000, 1000}, // about: see below
		{kind(Gaussian), Smaller, 0, 1000, 0},       // equal at D = 100
		{kind(HashPerBit), Faster, 0, 100, 0},
	}
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	if near := got[0].Near; near < 950 || near > 1000 {
		t.Errorf("crossing near %v, want some less than 1000", near)
	}
	got[0].Near = 1000
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
	if got, want := got[1].String(), "hash-per-index is smaller than gaussian from D = 1000 on, and nowhere behind: f=64 nnz=100"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := got[0].String(), "hash-per-index is faster than gaussian from D = 10000 on (near 1e+03): f=64 nnz=100"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for i := range rows {
		rows[i].Samples = rows[i].Samples[:min(5, len(rows[i].Samples))] // too few for an interval
	}
	if c := Crossovers(rows)[0]; c.From != 0 || c.Behind != 0 {
		t.Errorf("5 samples decide: %+v", c)
	}
}

// It goes back and forth: there is no place where they cross, and being ahead counts from the last
// place on.
func TestCrossoversBackAndForth(t *testing.T) {
	var rows []Row
	for i, stored := range []float64{200, 50, 200, 50} {
		d := uint64(math.Pow10(i + 2))
		rows = append(rows, rowAt(Rademacher, d, stored, 9, 8*d), rowAt(HashPerIndex, d, 100, 9, 8))
	}
	if c := Crossovers(rows)[0]; c.From != 0 || c.Behind != 100_000 || c.Near != 0 {
		t.Errorf("%+v", c)
	}
	if c := Crossovers(rows[:6])[0]; c.From != 10_000 || c.Behind != 1000 || c.Near != 0 {
		t.Errorf("%+v", c)
	}
	alike := append(rows[:2:2], rowAt(Rademacher, 1000, 100.1, 9, 8000), rowAt(HashPerIndex, 1000, 100, 9, 8))
	if c := Crossovers(alike)[0]; c.From != 0 || c.Behind != 0 || c.Near != 0 {
		t.Errorf("ahead, then alike: %+v", c)
	}
}

// Medians that cross where nothing tells them apart are no crossing.
func TestCrossoverWithinNoise(t *testing.T) {
	var rows []Row
	for i, stored := range []float64{99.9, 100.1, 200} {
		d := uint64(math.Pow10(i + 2))
		rows = append(rows, rowAt(Rademacher, d, stored, 9, 8*d), rowAt(HashPerIndex, d, 100, 9, 8))
	}
	c := Crossovers(rows)[0]
	if want := "hash-per-index is faster than rademacher from D = 10000 on, and nowhere significantly behind: f=64 nnz=100"; c.String() != want || c.Near != 0 {
		t.Errorf("%q, want %q", c, want)
	}
	if c := Crossovers(rows[:4])[0]; c.Near != 0 || c.From != 0 {
		t.Errorf("never ahead: %+v", c)
	}
}

// What a file says of the rows gives the same crossovers; what is no measurement gives none.
func TestCrossoversOfResults(t *testing.T) {
	var rows []Row
	for i, gaussian := range []float64{50, 100.5, 400, 1600} {
		d := uint64(math.Pow10(i + 2))
		rows = append(rows, rowAt(Gaussian, d, gaussian, 20, 256*d), rowAt(HashPerIndex, d, 100, 20, 25_600))
	}
	rows[6].Samples, rows[6].HeapBytes, rows[6].Skipped = nil, 0, "too large"
	results := Results(rows)
	other := []resultfile.Row{{Name: "Projection/method=gaussian/f=x/D=100/nnz=100"}, {Name: "Projection/method=gaussian/f=64/D=-1/nnz=100"}, {Name: "Hash/hash=md5"}, {Name: "a b"}}
	back := FromResults(append(other, results...))
	if diff := cmp.Diff(Crossovers(rows), Crossovers(back)); diff != "" || len(back) != len(rows) {
		t.Errorf("%d rows (-want +got):\n%s", len(back), diff)
	}
	for i := range results {
		for j := range results[i].Samples {
			results[i].Samples[j].Value *= -1
		}
	}
	for _, c := range Crossovers(FromResults(results)) {
		if c.From != 0 || c.Behind != 0 || c.Near != 0 {
			t.Errorf("negative figures: %+v", c)
		}
	}
}
