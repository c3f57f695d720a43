package advice

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/benchname"
)

const searchName = "%s/index=%s/f=64/k=3/kernel=avx2%s/n=%d"

// even are nine samples whose median is the value.
func (r *results) even(name, unit string, value float64) { r.samples(name, unit, value, 9, 0.01) }

// searched are the rows of three sizes: a scan of 0.1 ns an entry, lists that are ahead of it from
// 31,623 on, blocks that always take 500 ns, and a ball that takes 5 ms.
func searched() (r results) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		size, auto := float64(n), 600.0
		if n == 1_000_000 {
			auto = 450 // by chance: it is one of the others
		}
		for index, ns := range map[string]float64{"scan": 0.1 * size, "postings": 177.83 * math.Sqrt(size) / 10, "blocks": 500, "ball": 5e6, "auto": auto} {
			r.even(fmt.Sprintf(searchName, "Query", index, "", n), "ns/query", ns)
		}
		r.even(fmt.Sprintf(searchName, "Query", "blocks", "/queries=1000", n), "ns/query", 200)
		r.even(fmt.Sprintf(searchName, "Build", "blocks", "", n), "ns/op", 40*size)
		r.exact(fmt.Sprintf(searchName, "Build", "blocks", "", n), 33.5, "bytes/entry")
		r.even(fmt.Sprintf(searchName, "Build", "blocks", "/cpus=2", n), "ns/op", 22*size)
		r.even(fmt.Sprintf(searchName, "Pairs", "blocks", "", n), "ns/op", 30*size)
		r.even(fmt.Sprintf(searchName, "Groups", "blocks", "/pattern=skewed", n), "ns/op", 45*size)
		r.even(fmt.Sprintf("MemoryLatency/n=%d", n), "ns/read", 20)
	}
	r.even("Build/cpus=2", "ns/op", 5) // somebody else's
	return r
}

func searchOf(t *testing.T, r results) *Search {
	t.Helper()
	list := Searches(set(r).Machines()[0])
	if len(list) != 1 {
		t.Fatalf("%d searches, want one", len(list))
	}
	return list[0]
}

func TestSearches(t *testing.T) {
	s := searchOf(t, searched())
	if diff := cmp.Diff([]string{"scan", "postings", "ball", "blocks", "auto"}, s.Indexes); diff != "" {
		t.Errorf("structures (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{10_000, 100_000, 1_000_000}, s.Sizes); diff != "" {
		t.Errorf("sizes (-want +got):\n%s", diff)
	}
	bytes, ok := s.Bytes("blocks", 100_000)
	latency, there := s.Latency(100_000)
	two, built := s.Time(SearchRow{Base: "Build", Index: "blocks", CPUs: "2", N: 10_000})
	batch, asked := s.Time(SearchRow{Base: "Query", Index: "blocks", Queries: "1000", N: 10_000})
	if !ok || !there || !built || !asked || bytes != 33.5 || latency.Median != 20 || two.Median != 220_000 || batch.Median != 200 {
		t.Errorf("%v bytes, %v, two cores %v, batch %v", bytes, latency.Median, two.Median, batch.Median)
	}
	if _, ok := s.Time(SearchRow{Base: "Query", Index: "manku4", N: 10_000}); ok {
		t.Error("there is a time of what was not measured")
	}
}

func TestSearchFindings(t *testing.T) {
	var got []string
	for _, f := range searchOf(t, searched()).Findings() {
		got = append(got, f.Words)
		if len(f.Rows) == 0 {
			t.Errorf("%q names no row", f.Words)
		}
	}
	want := []string{
		"The fastest for one query after the other: blocks among 10k, 500 ns, 2 times as fast as the scan; blocks among 100k, 500 ns, 20.0 times as fast as the scan; blocks among 1M, 500 ns, 200 times as fast as the scan.",
		"What auto chooses takes at most 1.2 times as long as the fastest: 600 ns among 10k.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// Rows that are missing leave sentences out, and nothing is said of none.
func TestSearchFindingsOfFewRows(t *testing.T) {
	var r results
	r.even(fmt.Sprintf(searchName, "Query", "blocks", "", 1000), "ns/query", 500)
	if list := searchOf(t, r).Findings(); len(list) != 0 {
		t.Errorf("findings %+v", list)
	}
	r.even(fmt.Sprintf(searchName, "Query", "scan", "", 1000), "ns/query", 100)
	r.even(fmt.Sprintf(searchName, "Query", "ball", "", 1000), "ns/query", 50)
	list := searchOf(t, r).Findings()
	if len(list) != 1 || !strings.Contains(list[0].Words, "ball among 1k, 50 ns, 2 times as fast as the scan.") {
		t.Errorf("findings %+v", list)
	}
}

// Where auto is far ahead of all others it has chosen what is none of them; where it is as fast as
// one of them within what measurements differ by, it is that one.
func TestAutoIsOneOfTheOthersOrNot(t *testing.T) {
	for ns, want := range map[float64][]string{
		450: {"blocks among 1k, 500 ns", "as fast as the fastest."},
		520: {"blocks among 1k, 500 ns", "as fast as the fastest."},
		200: {"auto among 1k, 200 ns", "as fast as the fastest."},
		900: {"blocks among 1k, 500 ns", "at most 1.8 times as long as the fastest: 900 ns among 1k."},
	} {
		var r results
		r.even(fmt.Sprintf(searchName, "Query", "scan", "", 1000), "ns/query", 9000)
		r.even(fmt.Sprintf(searchName, "Query", "blocks", "", 1000), "ns/query", 500)
		r.even(fmt.Sprintf(searchName, "Query", "auto", "", 1000), "ns/query", ns)
		list := searchOf(t, r).Findings()
		for i, words := range want {
			if len(list) != len(want) || !strings.Contains(list[i].Words, words) {
				t.Errorf("auto takes %v ns: %+v, want one with %q", ns, list, words)
			}
		}
	}
}

// Of two that are as fast the first in order is the fastest, whichever is ahead by chance.
func TestAsFastIsNotFaster(t *testing.T) {
	for ns, want := range map[float64]string{490: "blocks among 1k, 500 ns", 400: "manku4 among 1k, 400 ns"} {
		var r results
		r.even(fmt.Sprintf(searchName, "Query", "manku4", "", 1000), "ns/query", ns)
		r.even(fmt.Sprintf(searchName, "Query", "blocks", "", 1000), "ns/query", 500)
		r.even(fmt.Sprintf(searchName, "Query", "scan", "", 1000), "ns/query", 9000)
		if list := searchOf(t, r).Findings(); len(list) != 1 || !strings.Contains(list[0].Words, want) {
			t.Errorf("manku4 takes %v ns: %+v, want %q", ns, list, want)
		}
	}
}

// Benchmarks of others that are called Build are none of ours.
func TestSearched(t *testing.T) {
	for text, want := range map[string]bool{
		"Build/index=blocks/f=64/k=3/kernel=avx2/n=1000": true, "Build/cpus=2": false, "Query": false, "Hash/hash=md5/n=1": false,
	} {
		name, err := benchname.Parse(text)
		if got := Searched(name); err != nil || got != want {
			t.Errorf("%s: %v, want %v, error %v", text, got, want, err)
		}
	}
}
