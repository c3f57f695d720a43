package naive

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// The example from the literature has five words with weights 5, 2, 3, 1, 4 and hashes of six bits.
func TestWorkedExample(t *testing.T) {
	codes := []uint64{0b100101, 0b101011, 0b100111, 0b101111, 0b111011}
	const width, want = 1<<6 - 1, 0b100111
	if got := Sketch64(codes, []float32{5, 2, 3, 1, 4}) & width; got != want {
		t.Errorf("float32: %06b, want %06b", got, want)
	}
	if got := Sketch64(codes, []int64{5, 2, 3, 1, 4}) & width; got != want {
		t.Errorf("int64: %06b, want %06b", got, want)
	}
	if got := SketchUnit64(codes) & width; got != 0b101111 {
		t.Errorf("unit: %06b, want 101111", got)
	}
}

func TestUnitIsWeightOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 50 {
		codes, ones := make([]uint64, n), make([]int32, n)
		for i := range codes {
			codes[i], ones[i] = rng.Uint64(), 1
		}
		if a, b := SketchUnit64(codes), Sketch64(codes, ones); a != b {
			t.Errorf("%d codes: %x and %x", n, a, b)
		}
	}
}

func TestScan(t *testing.T) {
	got, _ := Scan{0, 1, 3, 7, 15, 1 << 63}.AppendWithin(nil, 0)
	if want := []int32{0, 1, 2, 3, 5}; !slices.Equal(got, want) {
		t.Errorf("positions %v, want %v", got, want)
	}
}

// All exact searches find what a scan finds. Random permutations find only true matches.
func TestSearches(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	fingerprints := make([]uint64, 3000)
	for i := range fingerprints {
		fingerprints[i] = rng.Uint64()
		if i%3 == 1 { // near the one before
			fingerprints[i] = fingerprints[i-1]
			for range rng.IntN(5) {
				fingerprints[i] ^= 1 << rng.IntN(64)
			}
		}
	}
	exact := map[string]Searcher{
		"postings": NewPostings(fingerprints), "neighbours": NewNeighbours(fingerprints), "blocks": NewBlocks(fingerprints),
		"manku 4": NewManku(fingerprints, 4), "manku 10": NewManku(fingerprints, 5), "manku 20": NewManku(fingerprints, 6),
	}
	some := NewPermutations(fingerprints, 10, 20)
	tables := map[string]int{}
	for _, m := range []string{"manku 4", "manku 10", "manku 20"} {
		tables[m] = len(exact[m].(*Manku).tables)
	}
	if tables["manku 4"] != 4 || tables["manku 10"] != 10 || tables["manku 20"] != 20 {
		t.Errorf("tables %v", tables)
	}
	sorted := func(s []int32) []int32 { slices.Sort(s); return slices.Compact(s) }
	all, missed := 0, 0
	for _, query := range fingerprints[:300] {
		want, candidates := Scan(fingerprints).AppendWithin(nil, query)
		if candidates != len(fingerprints) {
			t.Fatalf("a scan looked at %d", candidates)
		}
		for name, s := range exact {
			got, n := s.AppendWithin(nil, query)
			if got = sorted(got); !slices.Equal(got, want) {
				t.Fatalf("%s: %x: %v, want %v", name, query, got, want)
			}
			if name == "neighbours" && n != 43_745 {
				t.Fatalf("%d probes", n)
			}
		}
		got, _ := some.AppendWithin(nil, query)
		for _, i := range got {
			if !slices.Contains(want, i) {
				t.Fatalf("permutations: %d is not near %x", i, query)
			}
		}
		all, missed = all+len(want), missed+len(want)-len(sorted(got))
	}
	if missed == all || all < 350 {
		t.Errorf("permutations miss %d of %d", missed, all)
	}
}

func TestDistances(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{{"100111", "101010", 3}, {"10101", "00110", 3}, {"00101110", "00001111", 2}} {
		a, _ := strconv.ParseUint(tc.a, 2, 64)
		b, _ := strconv.ParseUint(tc.b, 2, 64)
		for i, got := range []int{DistanceOfStrings(tc.a, tc.b), DistanceByClearing(a, b)} {
			if got != tc.want {
				t.Errorf("%s and %s, way %d: %d, want %d", tc.a, tc.b, i, got, tc.want)
			}
		}
	}
}

// Every projection gives the signs of dot products with its rows.
func TestProjections(t *testing.T) {
	const dimensions = 500
	g, s := NewGaussian(dimensions, 1), NewSigns(dimensions, 1)
	entries := map[string]func(i uint64, j int) float64{
		"gaussian":  func(i uint64, j int) float64 { return float64(g.Rows[i][j]) },
		"signs":     func(i uint64, j int) float64 { return float64(int(s.Rows[i]>>j&1)*2 - 1) },
		"functions": func(i uint64, j int) float64 { return float64(int(Hash(i, uint64(j))&1)*2 - 1) },
		"hash":      func(i uint64, j int) float64 { return float64(int(Hash(i, 0)>>j&1)*2 - 1) },
	}
	sketch := map[string]func([]uint64, []float32) uint64{"gaussian": g.Sketch64, "signs": Codes(s.Code).Sketch64, "functions": Codes(FunctionsCode).Sketch64, "hash": Codes(HashCode).Sketch64}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		indices, weights := make([]uint64, 30), make([]float32, 30)
		for i := range indices {
			indices[i], weights[i] = rng.Uint64N(dimensions), float32(1+rng.IntN(20))
		}
		for name, entry := range entries {
			got := sketch[name](indices, weights)
			for j := range 64 {
				dot := 0.0
				for i, index := range indices {
					dot += float64(weights[i]) * entry(index, j)
				}
				if (dot > 0) != (got>>j&1 == 1) && (dot > 1e-3 || dot < -1e-3) {
					t.Fatalf("%s bit %d of %x: dot product %v", name, j, got, dot)
				}
			}
		}
	}
}
