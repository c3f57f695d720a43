package dedup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/tabular"
)

// collection is records with fingerprints of up to 64 bits, in plain form.
type collection struct {
	records      *Records
	fingerprints []uint64
	informative  []bool
	cosine       func(a, b int) float64
}

// clustered makes n records, most of them a few bits and a few features away from another.
func clustered(random *rand.Rand, n, width int) *collection {
	c := &collection{records: &Records{Name: "clustered", Vectors: new(datasets.CSR[float64])}}
	c.records.Set.Bits = width
	var rows []datasets.Row[float64]
	for i := range n {
		fingerprint := random.Uint64() >> (64 - width)
		row := datasets.Row[float64]{Indices: []uint64{1, 2, 3}, Weights: []float64{random.Float64(), random.Float64(), random.Float64()}}
		if i > 0 && random.IntN(4) > 0 {
			near := random.IntN(i)
			fingerprint = c.fingerprints[near]
			for range random.IntN(4) {
				fingerprint ^= 1 << random.IntN(width)
			}
			row.Weights = append([]float64(nil), rows[near].Weights...)
			row.Weights[random.IntN(3)] += random.Float64()
		}
		informative := random.IntN(10) > 0
		c.fingerprints, c.informative = append(c.fingerprints, fingerprint), append(c.informative, informative)
		c.records.Add([]byte("r"+strconv.Itoa(i)), []uint64{fingerprint}, informative)
		rows = append(rows, row)
		if err := c.records.Vectors.Append(&row); err != nil {
			panic(err)
		}
	}
	c.cosine = func(a, b int) float64 {
		return datasets.Cosine(rows[a].Indices, rows[a].Weights, rows[b].Indices, rows[b].Weights)
	}
	return c
}

// near is the definition: of what the result must find all.
func (c *collection) near(a, b, k int, cosine float64) bool {
	return c.informative[a] && c.informative[b] && bits.OnesCount64(c.fingerprints[a]^c.fingerprints[b]) <= k && (cosine == 0 || c.cosine(a, b) >= cosine)
}

// canonical returns by definition of whom each record is a duplicate.
func (c *collection) canonical(k int, by string, cosine float64) []int {
	of := make([]int, len(c.fingerprints))
	for i := range of {
		of[i] = i
		for j := range i {
			if by == First && of[j] == j && c.near(j, i, k, cosine) {
				of[i] = j
				break
			}
		}
	}
	for again := by == Components; again; {
		again = false
		for i := range of {
			for j := range i {
				if of[i] != of[j] && c.near(j, i, k, cosine) {
					of[i], of[j], again = min(of[i], of[j]), min(of[i], of[j]), true
				}
			}
		}
	}
	return of
}

// verifier returns what verifies a cosine of that much, nil for 0.
func verifier(t *testing.T, records, against *Records, cosine float64) Verifier {
	t.Helper()
	if cosine == 0 {
		return nil
	}
	v, err := NewVectors(records, against, Measure{Kind: Cosine, Least: cosine})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// list returns the lines of a list.
func list(t *testing.T, r *Result, name string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := r.List(t.Context(), &out, name, tabular.Text); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// Groups and lists are what the definitions say, by both ways, verified and not.
func TestFindIsWhatItsDefinitionSays(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, width := range []int{16, 61, 64} {
		for _, by := range Ways() {
			for _, cosine := range []float64{0, 0.95} {
				for k := range 4 {
					if by == Components && cosine > 0 {
						continue // refused
					}
					c := clustered(random, 120, width)
					r, err := Find(t.Context(), c.records, Options{K: k, By: by, Verify: verifier(t, c.records, nil, cosine)})
					if err != nil {
						t.Fatal(err)
					}
					name := fmt.Sprintf("%d bits by %s, cosine %v, k = %d", width, by, cosine, k)
					c.hold(t, name, r, c.canonical(k, by, cosine))
				}
			}
		}
	}
}

// hold holds the lists to what each record is a duplicate of.
func (c *collection) hold(t *testing.T, name string, r *Result, canonical []int) {
	t.Helper()
	var keep, drop []string
	groups := map[string]bool{}
	for i, of := range canonical {
		if of == i {
			keep = append(keep, c.records.ID(i))
			continue
		}
		drop = append(drop, c.records.ID(i))
		groups[fmt.Sprintf("%s no %d of %s", c.records.ID(i), bits.OnesCount64(c.fingerprints[i]^c.fingerprints[of]), c.records.ID(of))] = true
		groups[c.records.ID(of)+" yes 0 of "+c.records.ID(of)] = true
	}
	listed := map[string]bool{}
	first := ""
	for _, line := range list(t, r, ListGroups) {
		cells := strings.Split(line, "\t")
		if cells[2] == "yes" {
			first = cells[1]
		}
		listed[fmt.Sprintf("%s %s %s of %s", cells[1], cells[2], cells[3], first)] = true
	}
	for what, diff := range map[string]string{
		"keep": cmp.Diff(keep, list(t, r, ListKeep)), "drop": cmp.Diff(drop, list(t, r, ListDrop)), "groups": cmp.Diff(groups, listed),
	} {
		if diff != "" {
			t.Fatalf("%s: %s: -want +got\n%s", name, what, diff)
		}
	}
	if r.Dropped() != len(drop) || r.Groups.InGroups() != len(groups) {
		t.Errorf("%s: %d dropped and %d in groups, want %d and %d", name, r.Dropped(), r.Groups.InGroups(), len(drop), len(groups))
	}
}

// Against another set, what is near one of it is dropped, and nothing else.
func TestAgainst(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, cosine := range []float64{0, 0.95} {
		both := clustered(random, 200, 64)
		var sides [2]*Records
		for s := range sides {
			sides[s] = &Records{Name: "side", Vectors: new(datasets.CSR[float64])}
			sides[s].Set.Bits = 64
			for i := s; i < 200; i += 2 {
				sides[s].Add([]byte(both.records.ID(i)), both.fingerprints[i:i+1], both.informative[i])
				indices, weights := both.records.Vectors.Row(i)
				if err := sides[s].Vectors.Append(&datasets.Row[float64]{Indices: indices, Weights: weights}); err != nil {
					t.Fatal(err)
				}
			}
		}
		r, err := Find(t.Context(), sides[0], Options{K: 3, Against: sides[1], Verify: verifier(t, sides[0], sides[1], cosine)})
		if err != nil {
			t.Fatal(err)
		}
		var drop []string
		pairs := 0
		for a := 0; a < 200; a += 2 {
			before := pairs
			for b := 1; b < 200; b += 2 {
				if both.near(a, b, 3, cosine) {
					pairs++
				}
			}
			if pairs > before {
				drop = append(drop, both.records.ID(a))
			}
		}
		if diff := cmp.Diff(drop, list(t, r, ListDrop)); diff != "" {
			t.Errorf("cosine %v: -want +got\n%s", cosine, diff)
		}
		if got := list(t, r, ListPairs); len(got) != pairs || len(drop) == 0 {
			t.Errorf("cosine %v: %d pairs, want %d", cosine, len(got), pairs)
		}
	}
}

// cancelling ends a context at the first write.
type cancelling struct{ cancel func() }

func (c cancelling) Write(p []byte) (int, error) {
	c.cancel()
	return len(p), nil
}

var errStopped = errors.New("stopped")

// A list that is interrupted ends with the cause, in the middle.
func TestListsEndWithTheContext(t *testing.T) {
	records := &Records{}
	records.Set.Bits = 64
	for i := range 20_000 {
		records.Add(nil, []uint64{uint64(i/2) * 0x9e3779b97f4a7c15}, true)
	}
	r, err := Find(t.Context(), records, Options{K: 0, By: Components})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Lists() {
		ctx, cancel := context.WithCancelCause(t.Context())
		if err := r.List(ctx, cancelling{func() { cancel(errStopped) }}, name, tabular.JSONLines); !errors.Is(err, errStopped) {
			t.Errorf("%s: error %v, want %v", name, err, errStopped)
		}
	}
}

// The default for 64 bits is 3, by MinHash 10, and others have as large a part of their bits.
func TestDefaultK(t *testing.T) {
	for sketch, of := range map[fphash.Sketch]map[int]int{
		fphash.SimHash: {64: 3, 128: 6, 256: 12, 32: 1, 16: 0, 1: 0, 4096: 192},
		fphash.MinHash: {64: 10, 128: 21, 256: 42, 32: 5, 1: 0},
	} {
		for bits, want := range of {
			if got := DefaultK(sketch, bits); got != want {
				t.Errorf("%v, %d bits: k = %d, want %d", sketch, bits, got, want)
			}
		}
	}
}

// A pair of exactly the wanted cosine has it, for pairs as for groups; the next larger
// cosine is one that it has not.
func TestPairsOfExactlyTheCosine(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	tried := 0
	for range 30 {
		c := clustered(random, 2, 64)
		exact := c.cosine(0, 1)
		if !c.near(0, 1, 3, exact) {
			continue
		}
		tried++
		for more, cosine := range []float64{exact, math.Nextafter(exact, 2)} {
			r, err := Find(t.Context(), c.records, Options{K: 3, Verify: verifier(t, c.records, nil, cosine)})
			if err != nil {
				t.Fatal(err)
			}
			pairs := 0
			for p, err := range r.Pairs(t.Context()) {
				if err != nil || p.Figure != exact {
					t.Errorf("a pair of cosine %v, %v, expected %v", p.Figure, err, exact)
				}
				pairs++
			}
			if want := 1 - more; pairs != want || r.Groups.Len() != want || r.Dropped() != want || r.Check != (Check{1, want}) {
				t.Errorf("from a cosine of %v: %d pairs, %d groups, %d dropped, %v, expected %d of a pair of %v", cosine, pairs, r.Groups.Len(), r.Dropped(), r.Check, want, exact)
			}
		}
	}
	if tried < 10 {
		t.Errorf("%d pairs", tried)
	}
}
