package advice

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/benchname"
)

const searchName = "%s/index=%s/f=64/k=3/kernel=avx2%s/n=%d"

// even are nine samples whose median is the value.
func (r *results) even(name, unit string, value float64) { r.samples(name, unit, value, 9, 0.01) }

// searched are the rows of three sizes: a scan of 0.1 ns an entry, lists that are ahead of it from
// 31,623 on, blocks that always take 500 ns, and manku4, which takes 5 ms.
func searched() (r results) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		size, auto := float64(n), 600.0
		if n == 1_000_000 {
			auto = 450 // by chance: it is one of the others
		}
		for index, ns := range map[string]float64{"scan": 0.1 * size, "postings": 177.83 * math.Sqrt(size) / 10, "blocks": 500, "manku4": 5e6, "auto": auto} {
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
	if diff := cmp.Diff([]string{"scan", "postings", "blocks", "manku4", "auto"}, s.Indexes); diff != "" {
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
	if _, ok := s.Time(SearchRow{Base: "Query", Index: "manku20", N: 10_000}); ok {
		t.Error("there is a time of what was not measured")
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
