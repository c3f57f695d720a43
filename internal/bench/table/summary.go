package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"simhashkit/fphash"
	"simhashkit/internal/bench/advice"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/texttable"
)

// summary returns which hash to use, the table of hashes, with their cost and what they are worth
// for each kind of sketch, and the tables of methods. It leaves out what was not measured.
func summary(set *advice.Set, r *advice.Recommendation, all bool) (parts []string) {
	var answer []string
	for _, words := range append([]string{r.Lead()}, r.Brief()...) {
		answer = append(answer, wrapped(words))
	}
	for _, t := range []string{strings.Join(answer, "\n"), summaryOfHashes(set, all), summaryOfSketches(set), summaryOfSearches(set)} {
		if t != "" {
			parts = append(parts, t)
		}
	}
	if len(parts) > 2 {
		parts = append(parts, next)
	}
	return parts
}

const summaryWidth = 100 // columns

const next = `fphash choose FILE judges the hashes on your vectors, and fphash doctor judges your own hash;
fphash bench --tables prints all measurements.`

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
// no hash has that. If all is true, it has all encodings and all good hashes, and the defects of
// the others follow.
func summaryOfHashes(set *advice.Set, all bool) string {
	any := func(advice.Case) bool { return true }
	choices := advice.Choices(set, any)
	shown := slices.DeleteFunc(slices.Clone(choices), func(c *advice.Choice) bool { return !all && c.Encoding != terms.LE64 })
	if len(shown) == 0 {
		shown = choices
	}
	times := advice.TimesOf(set, shown, "")
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
			same := advice.Choices(set.For(use.sketch), any)
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
			if good++; good > mostGood && h.name != fphash.DefaultHash && !all {
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
	text := t.Render() + "\n" + strings.Join(texttable.Wrap(notes, summaryWidth), "\n")
	bad := slices.DeleteFunc(times.Sorted(shown), func(c *advice.Choice) bool { return c.Verdict() == terms.Good })
	if all && len(bad) > 0 {
		text += "\n\nDefects of the hashes that are not good\n"
		for _, fault := range advice.Faults(bad) {
			text += "\n  " + strings.Join(texttable.Wrap(fault, summaryWidth-4), "\n    ")
		}
	}
	return text
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
func summaryOfSearches(set *advice.Set) string {
	searches := set.Exact(terms.Search)
	t := texttable.Aligned([]int{0}, "way to search 10^6 within 3 bits", "µs per query", "bytes per entry")
	found := false
	for _, m := range []struct{ words, method string }{
		{"scan, plain loop", "scan"}, {"64 posting lists", "postings"}, {"look up 43,745 neighbours", "neighbours"}, {"four tables of 16 bits", "blocks"}, {"index of fphash", "index"},
	} {
		name := "Search/method=" + m.method + "/f=64/k=3/n=1000000"
		at := slices.IndexFunc(searches, func(c advice.Cell) bool { return c.Name.String() == name })
		if at < 0 {
			continue
		}
		if ns, ok := searches[at].Value(terms.NanosecondsPerQuery); ok {
			found = true
			bytes, _ := searches[at].Value(terms.BytesPerEntry)
			t.AppendRow(texttable.Row{m.words, fmt.Sprintf("%.4g", math.Round(ns/10)/100), fmt.Sprintf("%.0f", bytes)})
		}
	}
	if !found {
		return ""
	}
	return t.Render()
}
