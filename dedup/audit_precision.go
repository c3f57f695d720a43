package dedup

import (
	"fmt"
	"io"
	"strings"

	"simhashkit/internal/binomial"
	"simhashkit/internal/english"
	"simhashkit/internal/texttable"
)

// Precision is what part of the records that are dropped are the same as what is kept for them,
// with its 95 % interval.
type Precision struct{ Value, Low, High float64 }

// PrecisionOf estimates it for all records that are dropped at the distances of the strata, from
// the pairs that were labelled of each: a stratum counts by its records. The interval is Wilson's,
// for as many pairs drawn from all as would say it as surely; a stratum of which all pairs are
// labelled is known. It is not ok where a stratum has no label.
func PrecisionOf(strata ...Stratum) (p Precision, ok bool) {
	all := 0
	for _, s := range strata {
		if s.Labelled == 0 {
			return p, false
		}
		all += s.Dropped
	}
	if all == 0 {
		return p, false
	}
	var smooth, variance float64 // of shares with a yes and a no more, so that no stratum is taken for sure
	for _, s := range strata {
		weight, n := float64(s.Dropped)/float64(all), float64(s.Labelled)
		share := (float64(s.Same) + 1) / (n + 2)
		p.Value += weight * float64(s.Same) / n
		smooth += weight * share
		variance += weight * weight * share * (1 - share) / n * (1 - n/float64(s.Dropped))
	}
	p.Low, p.High = binomial.Wilson(p.Value, smooth*(1-smooth)/variance)
	return p, true
}

func (p Precision) String() string {
	return fmt.Sprintf("%s%% (%s to %s%%)", english.Hundred(p.Value), english.Hundred(p.Low), english.Hundred(p.High))
}

// wanted is the precision of which an audit names the k.
const wanted = 0.95

// AuditedK returns the largest distance within which 95 of 100 dropped records are the same, and
// their precision. It is not ok where there is none.
func AuditedK(strata []Stratum) (k int, p Precision, ok bool) {
	for i, s := range strata {
		if within, _ := PrecisionOf(strata[:i+1]...); within.Value >= wanted {
			k, p, ok = s.Distance, within, true
		}
	}
	return k, p, ok
}

// WriteAudit writes what a labelled sheet says, for people.
func WriteAudit(w io.Writer, name string, strata []Stratum) error {
	drawn, labelled, same := 0, 0, 0
	for _, s := range strata {
		drawn, labelled, same = drawn+s.Drawn, labelled+s.Labelled, same+s.Same
	}
	if labelled == 0 {
		return fmt.Errorf("%s: no pair is labelled, expected yes or no in the column %s of some of the %d", name, columnSame, drawn)
	}
	var s strings.Builder
	paragraph := func(words string) { s.WriteString(strings.Join(texttable.Wrap(words, width), "\n") + "\n") }
	if k, p, ok := AuditedK(strata); ok {
		paragraph(fmt.Sprintf("Take k = %d: of the records dropped within it, %v are the same as what is kept for them.", k, p))
	} else {
		paragraph(fmt.Sprintf("No k holds %s of 100: take --verify, or other features.", english.Hundred(wanted)))
	}
	text := fmt.Sprintf("Of %d pairs in %s, %d are labelled, %d of them as the same.", drawn, name, labelled, same)
	if all, ok := PrecisionOf(strata...); ok {
		text += fmt.Sprintf(" Of all that the run drops, that makes %v.", all)
	} else {
		text += " Some distances have no label: nothing is known of what is farther."
	}
	paragraph(text)
	t := texttable.Aligned(nil, "distance", "dropped", "labelled", "same", "precision", "precision within")
	for i, stratum := range strata {
		at, within := "", ""
		if p, ok := PrecisionOf(stratum); ok {
			at = p.String()
		}
		if p, ok := PrecisionOf(strata[:i+1]...); ok {
			within = p.String()
		}
		t.AppendRow(texttable.Row{stratum.Distance, stratum.Dropped, stratum.Labelled, stratum.Same, at, within})
	}
	fmt.Fprintf(&s, "\n%s\n\nIntervals are those of 95%%, by Wilson.\n", texttable.Render(t))
	_, err := io.WriteString(w, s.String())
	return err
}
