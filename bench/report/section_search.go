package report

import (
	"cmp"
	"fmt"
	"slices"

	"simhashkit/bench/advice"
	"simhashkit/bench/report/page"
	"simhashkit/bench/terms"
)

// search shows what finding near-duplicates costs by the number of fingerprints, and which
// structure is good for what.
func (r *report) search() page.Section {
	s := r.byMachine(page.Section{ID: "search", Short: "Search", Title: "Near-duplicates: time against the number of fingerprints"},
		"Queries are random fingerprints, none asked twice, one after the other; joins run from unsorted fingerprints to the last pair or group. All answers are exact, whatever the structure. "+
			"Both axes are logarithmic: a scan is a straight line upwards, and where a line crosses it, its structure begins to pay. All lines of a picture are from one run.", searchOn)
	if len(s.Blocks) == 0 {
		s.Blocks = append(s.Blocks, missing("the search for near-duplicates among several numbers of fingerprints", commandSearch))
	}
	return s
}

// searched reports whether a file has rows of searches.
func (r *report) searched() bool {
	return slices.ContainsFunc(r.machines, func(m advice.Machine) bool { return len(searches(m)) > 0 })
}

// searches returns the times of queries and joins of this kit, not those of benchmarks of somebody
// else's that are called Query or Pairs too.
func searches(m advice.Machine) []advice.Cell {
	var all []advice.Cell
	for _, base := range []string{terms.Query, terms.AllPairs, terms.Groups} {
		all = append(all, slices.Concat(m.Runs(base)...)...)
	}
	return with(all, func(c advice.Cell) bool {
		return !slices.ContainsFunc([]string{"index", "f", "k", "kernel", "n"}, func(key string) bool { return c.Name.Get(key) == "" })
	})
}

func searchOn(m advice.Machine, machine int) (blocks []page.Block) {
	var panels [][]advice.Cell // one for each width and distance
	for _, same := range advice.GroupBy(searches(m), func(c advice.Cell) string { return c.Name.Get("f") + " " + c.Name.Get("k") }) {
		if p := largest(same, "n", func(c advice.Cell) string { return c.Name.Get("kernel") }); len(p) > 0 {
			panels = append(panels, p)
		}
	}
	slices.SortStableFunc(panels, func(a, b []advice.Cell) int { return cmp.Compare(len(b), len(a)) })
	var others []page.Block
	for i, p := range panels {
		latencies := with(slices.Concat(m.Runs(terms.MemoryLatency)...), func(c advice.Cell) bool { return c.Source == p[0].Source })
		of := []page.Block{{Heading: fmt.Sprintf("Within %s of %s bits", p[0].Name.Get("k"), p[0].Name.Get("f"))},
			{Pictures: &page.Pictures{Layout: page.Pairs, Figures: searchFigures(fmt.Sprintf("search-%d-%d", machine, i+1), p, latencies)}}}
		if i == 0 {
			blocks = of
		} else {
			others = append(others, of...)
		}
	}
	if len(others) > 0 {
		blocks = append(blocks, page.Block{Details: &page.Details{Summary: "Other distances and widths", Blocks: others}})
	}
	return blocks
}

// searchFigures draws queries, beside reads of memory that wait for each other, and joins.
func searchFigures(id string, cells, latencies []advice.Cell) []page.Figure {
	single := with(cells, func(c advice.Cell) bool { return c.Name.Base == terms.Query && c.Name.Get("queries") == "" })
	byIndex := advice.GroupBy(single, func(c advice.Cell) string { return c.Name.Get("index") })
	slices.SortStableFunc(byIndex, func(a, b []advice.Cell) int {
		return cmp.Compare(slices.Index(terms.Indexes, a[0].Name.Get("index")), slices.Index(terms.Indexes, b[0].Name.Get("index")))
	})
	queries := lines{title: "Queries, one after the other, by the number of fingerprints", x: "fingerprints", y: "µs a query", number: "n", scale: 1e3}
	for i, of := range byIndex {
		queries.add(of[0].Name.Get("index"), i, terms.NanosecondsPerQuery, of)
	}
	if len(byIndex) > 0 {
		queries.add("a read of memory", len(byIndex), terms.NanosecondsPerRead, latencies)
	}
	joins := lines{title: "Joins, by the number of fingerprints", x: "fingerprints", y: "seconds", number: "n", scale: 1e9}
	for i, join := range []struct{ name, base, index, cpus, pattern string }{
		{"pairs, scan", terms.AllPairs, terms.Scan, "", ""},
		{"pairs", terms.AllPairs, terms.Blocks, "", ""},
		{"pairs, two cores", terms.AllPairs, terms.Blocks, "2", ""},
		{"groups", terms.Groups, terms.Blocks, "", ""},
		{"groups, skewed", terms.Groups, terms.Blocks, "", terms.Skewed},
	} {
		joins.add(join.name, i, terms.NanosecondsPerOperation, with(cells, func(c advice.Cell) bool {
			n := c.Name
			return n.Base == join.base && n.Get("index") == join.index && n.Get("cpus") == join.cpus && n.Get("pattern") == join.pattern
		}))
	}
	return slices.Concat(queries.figures(id+"-queries", "<strong>Queries, one after the other</strong>"), joins.figures(id+"-joins", "<strong>Joins</strong>"))
}
