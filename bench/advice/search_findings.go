package advice

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"simhashkit/bench/rows"
	"simhashkit/bench/terms"
)

// Findings says which structure is the fastest at which size, from which size on each is ahead of
// the scan, what the bit lists and the ball are good for, and what joins cost.
func (s *Search) Findings() (list []Statement) {
	for _, finding := range []func() Statement{s.fastest, s.auto, s.bitLists, s.ball, s.joined, s.skewed} {
		if f := finding(); f.Words != "" {
			list = append(list, f)
		}
	}
	return list
}

// query is the row of single queries by a structure.
func (s *Search) query(index string, n int) (Time, bool) {
	return s.Time(SearchRow{Base: terms.Query, Index: index, N: n})
}

// ownChoice is how much faster than all others auto must be to be none of them by another name: it
// has designs of tables of its own for greater distances.
const ownChoice = 0.8

// best returns the structure whose single queries are the fastest; of those that are as fast, the
// first in order, since one of them may be another by another name.
func (s *Search) best(n int) (best string, of Time) {
	least := math.Inf(1)
	for _, index := range s.Indexes {
		if t, ok := s.query(index, n); ok && index != terms.Auto {
			least = min(least, t.Median)
		}
	}
	for _, index := range s.Indexes {
		t, ok := s.query(index, n)
		if ok && index != terms.Auto && t.Median <= asFast*least && best == "" || ok && index == terms.Auto && t.Median < ownChoice*least {
			best, of = index, t
		}
	}
	return best, of
}

func (s *Search) fastest() (f Statement) {
	var parts []string
	for _, n := range s.Sizes {
		best, of := s.best(n)
		scan, ok := s.query(terms.Scan, n)
		if !ok || best == "" {
			continue
		}
		words := fmt.Sprintf("%s among %s, %s", best, Amount(n), Duration(of.Median))
		if best != terms.Scan {
			words += fmt.Sprintf(", %s times as fast as the scan", factor(scan.Median/of.Median))
			f.Rows = append(f.Rows, scan.Row)
		}
		f.Rows = append(f.Rows, of.Row)
		parts = append(parts, words)
	}
	if len(parts) > 0 {
		f.Words = "The fastest for one query after the other: " + strings.Join(parts, "; ") + "."
	}
	return f
}

// asFast is up to how many times the time of the fastest a structure counts as one of them.
const asFast = 1.05

func (s *Search) auto() (f Statement) {
	worst := 0.0
	for _, n := range s.Sizes {
		_, of := s.best(n)
		auto, ok := s.query(terms.Auto, n)
		if !ok || of.Median == 0 {
			continue
		}
		if times := auto.Median / of.Median; times > worst {
			worst = times
			f.Words = fmt.Sprintf("What auto chooses takes at most %s times as long as the fastest: %s among %s.", factor(worst), Duration(auto.Median), Amount(n))
		}
		f.Rows = append(f.Rows, auto.Row, of.Row)
	}
	if worst > 0 && worst <= asFast {
		f.Words = "What auto chooses is as fast as the fastest."
	}
	return f
}

// bitLists says where the 64 lists of one bit each pay.
func (s *Search) bitLists() Statement {
	return s.against(terms.Postings, fmt.Sprintf("the %s lists of one bit each are", s.Bits))
}

func (s *Search) ball() Statement {
	return s.against(terms.Ball, "the ball, which asks for every fingerprint within k, is")
}

// against says where a structure is ahead of the scan, and of all others.
func (s *Search) against(index, name string) (f Statement) {
	var ahead, factors []string
	var sizes, times, scans []float64
	for _, n := range s.Sizes {
		of, ok := s.query(index, n)
		scan, there := s.query(terms.Scan, n)
		if !ok || !there {
			continue
		}
		f.Rows = append(f.Rows, of.Row, scan.Row)
		factors = append(factors, fmt.Sprintf("%s times as fast among %s", factor(scan.Median/of.Median), Amount(n)))
		sizes, times, scans = append(sizes, float64(n)), append(times, of.Median), append(scans, scan.Median)
		if best, _ := s.best(n); best == index {
			ahead = append(ahead, Amount(n))
		}
	}
	if len(factors) == 0 {
		return f
	}
	f.Words = fmt.Sprintf("Beside the scan, %s %s", name, strings.Join(factors, ", "))
	switch n, from := Crossing(sizes, times, scans); {
	case n == 0 && times[0] < scans[0]:
		f.Words += "; ahead of it at every size"
	case n == 0:
		f.Words += "; behind it at every size"
	case from:
		f.Words += fmt.Sprintf("; ahead of it from about %s on", about(n))
	default:
		f.Words += fmt.Sprintf("; ahead of it up to about %s", about(n))
	}
	if len(ahead) > 0 {
		f.Words += ", and the fastest of all among " + strings.Join(ahead, ", ") + "."
	} else {
		f.Words += ", and nowhere the fastest of all."
	}
	return f
}

// Crossing returns the size at which a line of times crosses that of others, between two sizes by
// straight lines on logarithmic axes; the last of several. From says that the first is the faster
// one above it. It is 0 where the lines do not cross. Sizes ascend.
func Crossing(sizes, times, others []float64) (size float64, from bool) {
	for i := 1; i < len(sizes); i++ {
		before, after := math.Log(times[i-1]/others[i-1]), math.Log(times[i]/others[i])
		if before*after < 0 || after == 0 && before != 0 {
			part := before / (before - after)
			size, from = sizes[i-1]*math.Pow(sizes[i]/sizes[i-1], part), after < before
		}
	}
	return size, from
}

func (s *Search) joined() (f Statement) {
	var parts []string
	for _, n := range s.Sizes {
		for _, index := range []string{terms.Blocks, terms.Scan} {
			if t, ok := s.Time(SearchRow{Base: terms.AllPairs, Index: index, N: n}); ok {
				parts = append(parts, fmt.Sprintf("%s by %s among %s", Duration(t.Median), byWhat[index], Amount(n)))
				f.Rows = append(f.Rows, t.Row)
			}
		}
	}
	if len(parts) > 0 {
		f.Words = "All pairs on one core: " + strings.Join(parts, ", ") + "."
	}
	return f
}

var byWhat = map[string]string{terms.Blocks: "blocks", terms.Scan: "comparing all with all"}

// skewed says what half of the fingerprints in few groups cost, by the largest collection.
func (s *Search) skewed() (f Statement) {
	for _, n := range slices.Backward(s.Sizes) {
		pairs, ok := s.Time(SearchRow{Base: terms.AllPairs, Index: terms.Blocks, N: n})
		skewed, there := s.Time(SearchRow{Base: terms.Groups, Index: terms.Blocks, Pattern: terms.Skewed, N: n})
		if ok && there {
			return Statement{fmt.Sprintf("With half of %s fingerprints in ten tight groups, the groups take %s times as long as all pairs without such.", Amount(n), factor(skewed.Median/pairs.Median)),
				[]rows.Cell{skewed.Row, pairs.Row}}
		}
	}
	return f
}

// factor writes two or three digits.
func factor(v float64) string {
	switch {
	case v >= 99.5:
		return fmt.Sprintf("%.0f", v)
	case v >= 9.95:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2g", v)
}

// Duration writes nanoseconds with three digits and a unit that fits.
func Duration(ns float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if ns >= 0.9995*u.size {
			return fmt.Sprintf("%.3g %s", ns/u.size, u.name)
		}
	}
	return fmt.Sprintf("%.3g ns", ns)
}

// about is an amount of which two digits are known.
func about(n float64) string {
	unit := math.Pow(10, math.Floor(math.Log10(n))-1)
	return Amount(int(math.Round(n/unit) * unit))
}

// Amount writes a number of fingerprints in few characters: 10k, 1M, 50M.
func Amount(n int) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.3gM", float64(n)/1e6)
	case n >= 1000:
		return fmt.Sprintf("%.3gk", float64(n)/1e3)
	}
	return fmt.Sprint(n)
}
