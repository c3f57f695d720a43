package filter

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
		cluster := 0
		for members := range result.Groups() {
			cluster++
			for i, m := range members {
				want[strconv.Itoa(int(m))] = fmt.Sprint(cluster, i == 0)
			}
		}
		c, err := ReadClusters(context.Background(), strings.NewReader(strings.Join(pairs, "")), "pairs")
		if err != nil {
			t.Fatal(err)
		}
		got, given := map[string]string{}, 0
		for _, m := range c {
			got[m.ID] = fmt.Sprint(m.Cluster, m.Canonical)
			given = max(given, m.Cluster)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d records: -want +got\n%.2000s", n, diff)
		}
		if given != cluster {
			t.Errorf("got %d clusters, expected %d", given, cluster)
		}
	}
}

func TestClustersAreSorted(t *testing.T) {
	c, err := ReadClusters(context.Background(), strings.NewReader("b\t10\t1\n9\t10\t2\na\t9\t3\n"), "pairs")
	if err != nil {
		t.Fatal(err)
	}
	want := []Member{{"9", 1, true}, {"10", 1, false}, {"a", 1, false}, {"b", 1, false}}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Error(diff)
	}
}

// Errors of pairs name the line and the problem.
func TestPairsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\t1\nc\td":      "pairs:2: the last line has no line feed, so it may be incomplete",
		"a\tb\t1\nc\n":       "pairs:2: expected two ids and a distance",
		"\n":                 "pairs:1: expected two ids",
		"a\tb\n":             "pairs:1: expected two ids and a distance",
		"a\tb\t1\na\tb\tc\n": "pairs:2: expected two ids and a distance",
	} {
		if _, err := ReadClusters(context.Background(), strings.NewReader(text), "pairs"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, expected %q", text, err, want)
		}
	}
	if _, err := ReadClusters(context.Background(), io.MultiReader(strings.NewReader("a\tb\t1\nc"), brokenReader{}), "pairs"); err == nil || !strings.Contains(err.Error(), "after line 1: broken") {
		t.Errorf("error %v", err)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, fmt.Errorf("broken") }
