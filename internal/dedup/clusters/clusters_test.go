package clusters

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/dedup"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/join"
)

// Clusters are the groups of package dedup, with the same canonical records and numbers.
func TestClustersAreThoseOfDedup(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 2, 50, 20000} {
		records := &dedup.Records{Name: "test", Set: index.Set{Bits: 64}}
		for i := range n {
			x := r.Uint64()
			if i > 0 && r.IntN(2) == 0 {
				x = records.Set.Words[r.IntN(i)] ^ 1<<r.IntN(64) // near an earlier one: chains
			}
			records.Add([]byte(strconv.Itoa(i)), []uint64{x}, true)
		}
		var pairs []string
		for p, err := range (&join.Join{Set: &records.Set, K: 3}).Pairs(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			pairs = append(pairs, fmt.Sprintf("%d\t%d\t%d\n", p.B, p.A, p.Distance))
		}
		r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		result, err := dedup.Find(context.Background(), records, dedup.Options{Spec: dedup.Spec{K: 3}})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		for g := range result.Groups.Len() {
			for i, m := range result.Groups.Members(g) {
				want[strconv.Itoa(int(m))] = fmt.Sprint(g+1, i == 0)
			}
		}
		c, err := Read(context.Background(), strings.NewReader(strings.Join(pairs, "")), "pairs")
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for i := range n {
			cluster, canonical, err := c.Next([]byte(strconv.Itoa(i)))
			if err != nil {
				t.Fatal(err)
			}
			if cluster > 0 {
				got[strconv.Itoa(i)] = fmt.Sprint(cluster, canonical)
			} else if !canonical {
				t.Errorf("%d has no cluster and is not kept", i)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d records: -want +got\n%.2000s", n, diff)
		}
		if err := c.End(); err != nil || len(c.ids) != len(want) || c.given != result.Groups.Len() {
			t.Errorf("got %d members and %d clusters, error %v", len(c.ids), c.given, err)
		}
	}
}

func TestSorted(t *testing.T) {
	c, err := Read(context.Background(), strings.NewReader("b\t10\t1\n9\t10\t2\na\t9\t3\n"), "pairs")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"9", "10", "a", "b"}, c.Sorted()); diff != "" {
		t.Error(diff)
	}
}

// Errors name the line and the problem.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\t1\nc\td":      "pairs:2: the last line has no line feed, so it may be incomplete",
		"a\tb\t1\nc\n":       "pairs:2: expected two ids and a distance",
		"\n":                 "pairs:1: expected two ids",
		"a\tb\n":             "pairs:1: expected two ids and a distance",
		"a\tb\t1\na\tb\tc\n": "pairs:2: expected two ids and a distance",
	} {
		if _, err := Read(context.Background(), strings.NewReader(text), "pairs"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, expected %q", text, err, want)
		}
	}
	if _, err := Read(context.Background(), io.MultiReader(strings.NewReader("a\tb\t1\nc"), brokenReader{}), "pairs"); err == nil || !strings.Contains(err.Error(), "after line 1: broken") {
		t.Errorf("error %v", err)
	}
	c, err := Read(context.Background(), strings.NewReader("a\ta\t0\na\tb\t1\nb\ta\t1\n"), "pairs")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Next([]byte("a")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Next([]byte("a")); err == nil || !strings.Contains(err.Error(), `record 2 has the id "a" of an earlier one`) {
		t.Errorf("error %v", err)
	}
	if err := c.End(); err == nil || !strings.Contains(err.Error(), `no record has the id "b" of pairs:2`) {
		t.Errorf("error %v", err)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, fmt.Errorf("broken") }
