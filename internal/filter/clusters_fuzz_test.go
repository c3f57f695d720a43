package filter

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// validPair matches a valid line of a pair.
var validPair = regexp.MustCompile(`^[^\t\n]*\t[^\t\n]*\t0*([0-9]{1,3}|[1-3][0-9]{3}|40[0-8][0-9]|409[0-6])(\t[^\n]*)?\r?\n$`)

// FuzzReadClusters checks that for any bytes, read as pairs, the clusters are those of a naive
// search, with the pairs in any order and direction. Errors name the line.
func FuzzReadClusters(f *testing.F) {
	for _, text := range []string{
		"a\tb\t1\nc\td\t2\nd\tb\t3\n", "9\t10\t0\n10\t11\t2\n9\t9\t0\n", "\t\t1\n\t1\t4096\n", "a\tb\n", "a\tb\t4097\n", "a\tb\t1\nc\td", "a\n", "a\tb\t1\nc\td\t1\ne\tf\t1\nf\ta\t1\tmore\n", "a\tb\t1\r\tc\n", "a\tb\t1\r\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ReadClusters(context.Background(), bytes.NewReader(data), "x")
		bad := slices.IndexFunc(slices.Collect(bytes.Lines(data)), func(line []byte) bool { return !validPair.Match(line) })
		if bad >= 0 || err != nil {
			if err == nil || bad < 0 || !strings.HasPrefix(err.Error(), fmt.Sprintf("x:%d: ", bad+1)) {
				t.Errorf("error %v, expected one of line %d", err, bad+1)
			}
			return
		}
		var turned []string
		near := map[string][]string{} // by id: the other ids of its pairs
		for line := range strings.Lines(string(data)) {
			pair := strings.SplitN(strings.TrimSuffix(line, "\n")+"\t", "\t", 3)
			near[pair[0]], near[pair[1]] = append(near[pair[0]], pair[1]), append(near[pair[1]], pair[0])
			turned = append(turned, pair[1]+"\t"+pair[0]+"\t1\n")
		}
		slices.Reverse(turned)
		want := map[string]int{} // the number of each cluster
		number := 0
		for _, m := range c {
			if want[m.ID] == 0 {
				number++
				reach(near, m.ID, number, want)
			}
		}
		if got := numbers(t, c); cmp.Diff(want, got) != "" {
			t.Errorf("-want +got\n%s", cmp.Diff(want, got))
		}
		again, err := ReadClusters(context.Background(), strings.NewReader(strings.Join(turned, "")), "turned")
		if err != nil {
			t.Fatal(err)
		}
		if got := numbers(t, again); cmp.Diff(want, got) != "" {
			t.Errorf("reversed: -want +got\n%s", cmp.Diff(want, got))
		}
	})
}

// reach assigns the number to all ids that chains of pairs connect with id.
func reach(near map[string][]string, id string, number int, numbers map[string]int) {
	if numbers[id] == 0 {
		numbers[id] = number
		for _, other := range near[id] {
			reach(near, other, number, numbers)
		}
	}
}

// numbers returns the clusters of all ids. The first id of each cluster must be the one to keep.
func numbers(t *testing.T, c []Member) map[string]int {
	t.Helper()
	got, given := map[string]int{}, 0
	for _, m := range c {
		if m.Canonical != (m.Cluster > given) {
			t.Fatalf("%v, after %d clusters", m, given)
		}
		given = max(given, m.Cluster)
		got[m.ID] = m.Cluster
	}
	if len(c) != len(got) {
		t.Errorf("%d ids, expected %d", len(c), len(got))
	}
	return got
}
