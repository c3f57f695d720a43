package table

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/fphash"
	"simhashkit/internal/bench/advice"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/texttable"
)

// WriteSummary writes the table of hashes, with their cost and what they are worth for each kind of
// sketch, and the table of methods. It leaves out what was not measured.
func WriteSummary(w io.Writer, list []resultfile.Row) error {
	var parts []string
	for _, t := range []string{summaryOfHashes(oneRun(list)), summaryOfSketches(oneRun(list)), summaryOfSearches(list)} {
		if t != "" {
			parts = append(parts, t+"\n\n")
		}
	}
	if len(parts) > 1 {
		parts = append(parts, next)
	}
	if _, err := io.WriteString(w, strings.Join(parts, "")); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return nil
}

const summaryWidth = 100 // columns

const next = `fphash choose FILE judges the hashes on your vectors, and fphash doctor judges your own hash;
fphash bench --tables prints all measurements.
`

// mostGood is the number of good hashes in the table of hashes. The others are named below it.
const mostGood = 8

// uses are the columns of the table of hashes.
var uses = []struct{ sketch, head, name string }{
	{terms.SimHash, "simhash /64", "simhash"}, {terms.MinHash, "MinHash /64", "MinHash"}, {terms.Hashing, "hashing /1024", "hashing"},
}

// hashRow is a hash with what it is worth for each use.
type hashRow struct {
	name    string
	cost    float64 // nanoseconds, or infinity
	cells   [3]string
	fits    []string // uses for which it is good
	weak    []string
	unknown []string
}

func (h *hashRow) verdict() string {
	switch {
	case len(h.weak) == 0 && len(h.unknown) == 0 && len(h.fits) > 0:
		return terms.Good.String()
	case len(h.weak) > 0:
		return "weak for " + strings.Join(h.weak, ", ")
	case len(h.unknown) > 0:
		return "undecided for " + strings.Join(h.unknown, ", ")
	}
	return "timed only"
}

// summaryOfHashes returns a table of the hashes with the default encoding, or with all encodings if
// no hash has that.
func summaryOfHashes(set *advice.Set) string {
	all := advice.Choices(set, func(advice.Case) bool { return true })
	if len(all) == 0 {
		return ""
	}
	shown := slices.DeleteFunc(slices.Clone(all), func(c *advice.Choice) bool { return c.Encoding != terms.LE64 })
	if len(shown) == 0 {
		shown = all
	}
	times := advice.TimesOf(set.Machines()[0], shown, "")
	var rows []*hashRow
	for _, c := range shown {
		h := &hashRow{name: c.Hash, cost: math.Inf(1)}
		if c.Encoding != terms.LE64 {
			h.name += " " + c.Encoding
		}
		if t, ok := times.Get(c); ok {
			h.cost = t.Median
		}
		for i, use := range uses {
			h.cells[i] = "–"
			same := advice.Choices(set.For(use.sketch), func(k advice.Case) bool { return true })
			at := slices.IndexFunc(same, func(o *advice.Choice) bool { return o.String() == c.String() })
			if at < 0 {
				continue
			}
			fewest, ok := same[at].Fewest()
			if ok {
				f, _ := fewest.Worse()
				h.cells[i] = terms.Bits(f.Median)
				if fewest.Bits != 64 && use.sketch != terms.Hashing {
					h.cells[i] += fmt.Sprintf(" of %d", fewest.Bits)
				}
			}
			switch same[at].Verdict() {
			case terms.Good:
				h.fits = append(h.fits, use.name)
			case terms.Weak:
				h.weak = append(h.weak, use.name)
			default:
				h.unknown = append(h.unknown, use.name)
			}
		}
		rows = append(rows, h)
	}
	if t, ok := times.Named("maphash"); ok {
		rows = append(rows, &hashRow{name: "maphash", cost: t, cells: [3]string{"–", "–", "–"}})
	}
	rank := func(h *hashRow) int {
		switch {
		case len(h.weak) > 0:
			return 2
		case len(h.unknown) > 0 || len(h.fits) == 0:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(rows, func(a, b *hashRow) int { return cmp.Or(rank(a)-rank(b), cmp.Compare(a.cost, b.cost)) })
	header := []string{"hash", "ns/feature"}
	for _, u := range uses {
		header = append(header, u.head)
	}
	t := texttable.Aligned([]int{0, 5}, append(header, "verdict")...)
	good := 0
	var also []string
	for _, h := range rows {
		if h.verdict() == terms.Good.String() {
			if good++; good > mostGood && h.name != fphash.DefaultHash {
				also = append(also, h.name)
				continue
			}
		}
		cost := "–"
		if !math.IsInf(h.cost, 1) {
			cost = fmt.Sprintf("%.2f", h.cost)
		}
		t.AppendRow(texttable.Row{h.name, cost, h.cells[0], h.cells[1], h.cells[2], h.verdict()})
	}
	notes := "MinHash divides the features among its lanes, so good hashes have more than 64 effective bits."
	if len(also) > 0 {
		notes += " Also good, but slower: " + strings.Join(also, ", ") + "."
	}
	return t.Render() + "\n" + strings.Join(texttable.Wrap(notes, summaryWidth), "\n")
}

// medians returns the medians of the rows by name and unit.
func medians(list []resultfile.Row) map[[2]string]float64 {
	values := map[[2]string]float64{}
	for _, s := range resultfile.Summarize(list) {
		if s.Err == "" {
			values[[2]string{s.Name.String(), s.Unit}] = s.Median
		}
	}
	return values
}

// summaryOfSketches compares hashing indices with stored hyperplanes.
func summaryOfSketches(set *advice.Set) string {
	t := texttable.Aligned([]int{0}, "way to sketch 100 features, 64 bits", "ns per vector", "stored for D = 10^6", "effective bits")
	list := advice.Methods(set)
	for _, m := range list {
		bits := "–"
		if m.Bits != nil {
			bits = terms.Bits(m.Bits.Median)
		}
		t.AppendRow(texttable.Row{m.Name, fmt.Sprintf("%.0f", m.Time), m.Stored, bits})
	}
	if len(list) == 0 {
		return ""
	}
	return t.Render()
}

// summaryOfSearches compares the ways to search within 3 bits.
func summaryOfSearches(list []resultfile.Row) string {
	values := medians(list)
	t := texttable.Aligned([]int{0}, "way to search 10^6 within 3 bits", "µs per query", "bytes per entry")
	found := false
	for _, m := range []struct{ words, method string }{
		{"scan, plain loop", "scan"}, {"64 posting lists", "postings"}, {"look up 43,745 neighbours", "neighbours"}, {"four tables of 16 bits", "blocks"}, {"index of fphash", "index"},
	} {
		name := "Search/method=" + m.method + "/f=64/k=3/n=1000000"
		if ns, ok := values[[2]string{name, terms.NanosecondsPerQuery}]; ok {
			found = true
			t.AppendRow(texttable.Row{m.words, fmt.Sprintf("%.4g", math.Round(ns/10)/100), fmt.Sprintf("%.0f", values[[2]string{name, terms.BytesPerEntry}])})
		}
	}
	if !found {
		return ""
	}
	return t.Render()
}
