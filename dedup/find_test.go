package dedup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/internal/tabular"
)

// collection is a set of records, together with their fingerprints of up to 64 bits in plain form.
type collection struct {
	records      *Records
	fingerprints []uint64
	informative  []bool
}

// clustered makes n records. Most of them are a few bits away from another record.
func clustered(random *rand.Rand, n, width int) *collection {
	c := &collection{records: &Records{Name: "clustered"}}
	c.records.Set.Bits = width
	for i := range n {
		fingerprint := random.Uint64() >> (64 - width)
		if i > 0 && random.IntN(4) > 0 {
			fingerprint = c.fingerprints[random.IntN(i)]
			for range random.IntN(4) {
				fingerprint ^= 1 << random.IntN(width)
			}
		}
		informative := random.IntN(10) > 0
		c.fingerprints, c.informative = append(c.fingerprints, fingerprint), append(c.informative, informative)
		c.records.Add([]byte("r"+strconv.Itoa(i)), []uint64{fingerprint}, informative)
	}
	return c
}

// near reports whether two records are near, by the definition.
func (c *collection) near(a, b, k int) bool {
	return c.informative[a] && c.informative[b] && bits.OnesCount64(c.fingerprints[a]^c.fingerprints[b]) <= k
}

// canonical returns, by the definition, the record kept in place of each record. The first old
// records are kept.
func (c *collection) canonical(k, old int, first bool) []int {
	of, root := make([]int, len(c.fingerprints)), make([]int, len(c.fingerprints))
	for i := range of {
		of[i], root[i] = i, i
		for j := range i {
			if i >= old && first && of[j] == j && c.near(j, i, k) {
				of[i] = j
				break
			}
		}
	}
	for again := !first; again; {
		again = false
		for i := range of {
			for j := range i {
				if root[i] != root[j] && c.near(j, i, k) {
					root[i], root[j], again = min(root[i], root[j]), min(root[i], root[j]), true
				}
			}
		}
	}
	for i := old; i < len(of) && !first; i++ {
		of[i] = root[i]
	}
	return of
}

// list returns the lines of a list.
func list(t *testing.T, r *Result, name string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := r.List(t.Context(), &out, name, tabular.Text); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(out.String()) {
		lines = append(lines, strings.TrimSuffix(line, "\n"))
	}
	return lines
}

// Find must agree with the definitions, for each way, with and without old records.
func TestFindIsWhatItsDefinitionSays(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, width := range []int{16, 61, 64} {
		for _, first := range []bool{false, true} {
			for _, old := range []int{0, 1, 40, 120} {
				for k := range 4 {
					c := clustered(random, 120, width)
					r, err := Find(t.Context(), c.records, Options{Spec: Spec{K: k, First: first}, Old: old})
					if err != nil {
						t.Fatal(err)
					}
					c.checkLists(t, fmt.Sprintf("%d bits, first %v, k = %d, %d old", width, first, k, old), r, old, c.canonical(k, old, first))
					c.checkPairs(t, r, k, old)
				}
			}
		}
	}
}

// checkPairs fails the test unless r yields exactly the near pairs with a new record.
func (c *collection) checkPairs(t *testing.T, r *Result, k, old int) {
	t.Helper()
	want, got := map[string]bool{}, map[string]bool{}
	for b := old; b < len(c.fingerprints); b++ {
		for a := range b {
			if c.near(a, b, k) {
				want[fmt.Sprintf("r%d\tr%d\t%d", a, b, bits.OnesCount64(c.fingerprints[a]^c.fingerprints[b]))] = true
			}
		}
	}
	for _, line := range list(t, r, "pairs") {
		if got[line] {
			t.Errorf("%s comes twice", line)
		}
		got[line] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("pairs within %d, %d old: -want +got\n%s", k, old, diff)
	}
}

// checkLists fails the test unless the lists follow from canonical.
func (c *collection) checkLists(t *testing.T, name string, r *Result, old int, canonical []int) {
	t.Helper()
	var keep, drop []string
	groups := map[string]bool{}
	for i, of := range canonical {
		if of == i {
			if i >= old {
				keep = append(keep, c.records.ID(i))
			}
			continue
		}
		drop = append(drop, c.records.ID(i))
		groups[fmt.Sprintf("%s no %d of %s", c.records.ID(i), bits.OnesCount64(c.fingerprints[i]^c.fingerprints[of]), c.records.ID(of))] = true
		groups[c.records.ID(of)+" yes 0 of "+c.records.ID(of)] = true
	}
	listed := map[string]bool{}
	first := ""
	for _, line := range list(t, r, "groups") {
		cells := strings.Split(line, "\t")
		if cells[2] == "yes" {
			first = cells[1]
		}
		listed[fmt.Sprintf("%s %s %s of %s", cells[1], cells[2], cells[3], first)] = true
	}
	for what, diff := range map[string]string{
		"keep": cmp.Diff(keep, list(t, r, "keep")), "drop": cmp.Diff(drop, list(t, r, "drop")), "groups": cmp.Diff(groups, listed),
	} {
		if diff != "" {
			t.Fatalf("%s: %s: -want +got\n%s", name, what, diff)
		}
	}
	if r.Dropped() != len(drop) || len(r.groups.members) != len(groups) {
		t.Errorf("%s: %d dropped and %d in groups, want %d and %d", name, r.Dropped(), len(r.groups.members), len(drop), len(groups))
	}
}

// cancelling cancels a context at the first write.
type cancelling struct{ cancel func() }

func (c cancelling) Write(p []byte) (int, error) {
	c.cancel()
	return len(p), nil
}

var errStopped = errors.New("stopped")

// A list stops with the cause of the context when the context ends while it is written.
func TestListsEndWithTheContext(t *testing.T) {
	records := &Records{}
	records.Set.Bits = 64
	for i := range 20_000 {
		records.Add(nil, []uint64{uint64(i/2) * 0x9e3779b97f4a7c15}, true)
	}
	r, err := Find(t.Context(), records, Options{Spec: Spec{}})
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
