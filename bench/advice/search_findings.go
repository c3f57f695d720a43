package advice

import (
	"fmt"
	"math"
	"strings"

	"simhashkit/bench/terms"
)

// Findings says which structure is the fastest at which size, and how far what auto chooses is from
// that.
func (s *Search) Findings() (list []Statement) {
	for _, finding := range []func() Statement{s.fastest, s.auto} {
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
