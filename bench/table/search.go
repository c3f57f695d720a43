package table

import (
	"fmt"
	"strconv"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/terms"
	"simhashkit/internal/texttable"
)

const (
	queriesTitle = `Queries  within k = %s bits of one of n fingerprints of %s bits, kernel=%s

  build: ns an entry on one core, and by two workers. bytes: an entry, beyond the fingerprints. query: one after the
  other, none twice. × scan: as many times as fast as a scan. reads: what the query takes in reads of as much memory
  that wait for each other. in 1000s: so many in a call; × single: as many times as fast as one after the other.`
	joinsTitle = `Near-duplicates among all  within k = %s bits, n fingerprints of %s bits, kernel=%s

  From unsorted fingerprints to the last pair, or to the groups that pairs form. skewed: half of them lie in ten tight
  groups. × pairs: as many times as long as all pairs, unskewed, by the same.`
)

// renderSearches shows all that was measured of each search in two tables. It is "" where there are
// none.
func renderSearches(set *advice.Set) string {
	var parts []string
	for _, m := range set.Machines() {
		for _, s := range advice.Searches(m) {
			for _, text := range []string{renderQueries(s), renderJoins(s)} {
				if text != "" {
					parts = append(parts, text)
				}
			}
		}
	}
	return strings.Join(parts, "\n\n")
}

func renderQueries(s *advice.Search) string {
	t := texttable.Aligned([]int{1}, "n", "index", "build", "±", "cpus=2", "bytes", "query", "±", "× scan", "reads", "in "+batch+"s", "× single")
	t.SuppressEmptyColumns()
	for _, n := range s.Sizes {
		said := false
		for _, index := range s.Indexes {
			time := func(base, queries, cpus string) (advice.Time, bool) {
				return s.Time(advice.SearchRow{Base: base, Index: index, Queries: queries, CPUs: cpus, N: n})
			}
			build, built := time(terms.Build, "", "")
			two, builtByTwo := time(terms.Build, "", "2")
			query, asked := time(terms.Query, "", "")
			together, batched := time(terms.Query, batch, "")
			scan, scanned := s.Time(advice.SearchRow{Base: terms.Query, Index: terms.Scan, N: n})
			latency, waited := s.Latency(n)
			bytes, weighed := s.Bytes(index, n)
			if !built && !builtByTwo && !asked && !batched {
				continue
			}
			size := strconv.Itoa(n)
			if said {
				size = ""
			}
			said = true
			t.AppendRow(texttable.Row{size, index,
				only(built, func() string { return digits(build.Median / float64(n)) }), only(built, build.PlusMinus),
				only(builtByTwo, func() string { return digits(two.Median / float64(n)) }),
				only(weighed, func() string { return digits(bytes) }),
				only(asked, func() string { return advice.Duration(query.Median) }), only(asked, query.PlusMinus),
				only(asked && scanned, func() string { return digits(scan.Median / query.Median) }),
				only(asked && waited, func() string { return digits(query.Median / latency.Median) }),
				only(batched, func() string { return advice.Duration(together.Median) }),
				only(asked && batched, func() string { return digits(query.Median / together.Median) }),
			})
		}
	}
	if t.Length() == 0 {
		return ""
	}
	return fmt.Sprintf(queriesTitle, s.K, s.Bits, s.Kernel) + "\n\n" + texttable.Render(t)
}

// batch is how many queries the batches of the suite have.
const batch = "1000"

func renderJoins(s *advice.Search) string {
	t := texttable.Aligned([]int{1, 2, 3}, "n", "what", "index", "pattern", "time", "±", "ns/entry", "× scan", "× pairs", "cpus=2", "× one core")
	t.SuppressEmptyColumns()
	for _, n := range s.Sizes {
		said := false
		for _, r := range []advice.SearchRow{
			{Base: terms.AllPairs, Index: terms.Scan}, {Base: terms.AllPairs, Index: terms.Blocks},
			{Base: terms.Groups, Index: terms.Blocks}, {Base: terms.Groups, Index: terms.Blocks, Pattern: terms.Skewed},
		} {
			r.N = n
			time, ok := s.Time(r)
			two := r
			two.CPUs = "2"
			byTwo, shared := s.Time(two)
			if !ok && !shared {
				continue
			}
			scan, scanned := s.Time(advice.SearchRow{Base: terms.AllPairs, Index: terms.Scan, N: n})
			pairs, paired := s.Time(advice.SearchRow{Base: terms.AllPairs, Index: r.Index, N: n})
			size := strconv.Itoa(n)
			if said {
				size = ""
			}
			said = true
			t.AppendRow(texttable.Row{size, strings.ToLower(r.Base), r.Index, r.Pattern,
				only(ok, func() string { return advice.Duration(time.Median) }), only(ok, time.PlusMinus),
				only(ok, func() string { return digits(time.Median / float64(n)) }),
				only(ok && scanned, func() string { return digits(scan.Median / time.Median) }),
				only(ok && paired && r.Base == terms.Groups, func() string { return digits(time.Median / pairs.Median) }),
				only(shared, func() string { return advice.Duration(byTwo.Median) }),
				only(ok && shared, func() string { return digits(time.Median / byTwo.Median) }),
			})
		}
	}
	if t.Length() == 0 {
		return ""
	}
	return fmt.Sprintf(joinsTitle, s.K, s.Bits, s.Kernel) + "\n\n" + texttable.Render(t)
}

// only returns the text if there is a figure, and "" otherwise.
func only(there bool, text func() string) string {
	if !there {
		return ""
	}
	return text()
}

// digits writes three digits, and all those before the point.
func digits(v float64) string {
	if v >= 99.95 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}
