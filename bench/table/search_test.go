package table

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
)

// searches are rows of every kind of search, at two sizes and by some structures.
func searches() (list []resultfile.Row) {
	name := "%s/index=%s/f=64/k=3/kernel=avx512gfni%s/n=%d"
	for _, n := range []int{100_000, 10_000_000} {
		size := float64(n)
		list = append(list, row(fmt.Sprintf("MemoryLatency/n=%d", n), "ns/read", 30*math.Log10(size)))
		for i, index := range []string{"scan", "postings", "manku4", "blocks", "manku20", "auto"} {
			ns := []float64{0.1 * size, 0.06 * size, 8.06e6, 652, 1700, 700}[i]
			list = append(list, row(fmt.Sprintf(name, "Query", index, "", n), "ns/query", ns))
			if index != "manku4" {
				list = append(list, row(fmt.Sprintf(name, "Query", index, "/queries=1000", n), "ns/query", ns/2.5))
			}
			if index != "scan" {
				list = append(list, row(fmt.Sprintf(name, "Build", index, "", n), "ns/op", 41*size*float64(i)))
				list = append(list, resultfile.Row{Name: fmt.Sprintf(name, "Build", index, "", n), Unit: "bytes/entry", Samples: []resultfile.Sample{{Iterations: 1, Value: 33.32 * float64(i)}}})
			}
		}
		list = append(list, row(fmt.Sprintf(name, "Build", "blocks", "/cpus=2", n), "ns/op", 75*size),
			row(fmt.Sprintf(name, "Pairs", "blocks", "", n), "ns/op", 52*size), row(fmt.Sprintf(name, "Pairs", "blocks", "/cpus=2", n), "ns/op", 28*size),
			row(fmt.Sprintf(name, "Groups", "blocks", "", n), "ns/op", 61*size), row(fmt.Sprintf(name, "Groups", "blocks", "/pattern=skewed", n), "ns/op", 99*size))
	}
	return append(list, row("Pairs/index=scan/f=64/k=3/kernel=avx512gfni/n=100000", "ns/op", 965e6),
		resultfile.Row{Name: "Query/index=split/f=64/k=3/kernel=avx512gfni/n=100000", Unit: "ns/query", Err: "wrong answer: query 0 finds [], expected [{0 0 0}]"})
}

func TestSearchGolden(t *testing.T) { sameAs(t, "testdata/search.golden", searches(), 120) }

// A benchmark of somebody else's that is called as ours are is shown as any other is.
func TestOtherBuildsAreOrdinary(t *testing.T) {
	got := written(t, []resultfile.Row{row("Build/os=linux", "ns/op", 5), row("Query/index=btree/n=1", "ns/op", 7)}, 120)
	for _, want := range []string{"Build/os=linux", "Query/index=btree/n=1", "sec/op"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// Times of searches can be noisy as others can.
func TestNoisySearches(t *testing.T) {
	jumpy := row("Pairs/index=blocks/f=64/k=3/kernel=avx2/n=1000", "ns/op", 2)
	for i := range jumpy.Samples {
		jumpy.Samples[i].Value *= 1 + float64(i%4)
	}
	if got := written(t, []resultfile.Row{jumpy}, 120); !strings.Contains(got, "Noisy: 1 of 1 medians") {
		t.Errorf("no word of noise in\n%s", got)
	}
}
