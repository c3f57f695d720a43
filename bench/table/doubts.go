package table

import (
	"fmt"
	"math"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/internal/english"
	"simhashkit/internal/texttable"
)

const (
	// wide is the part of a median that its interval may reach to one side before the run is called
	// noisy, and manyWide the part of the medians that must have such intervals.
	wide     = 0.25
	manyWide = 0.05
	// No kernel scans faster than memory is read, but for what one of two measurements is off by.
	mostOfMemory = 1.15
)

// doubts says what makes the times of a run worth little; "" where nothing does.
func doubts(lines []line) string {
	var out []string
	say := func(format string, args ...any) {
		out = append(out, texttable.Wrap(fmt.Sprintf(format, args...), verdictWidth)...)
	}
	timed, noisy, worst := 0, 0, line{}
	for _, l := range lines {
		if _, known := units[l.Unit]; !known && !advice.Searched(l.Name) || l.Err != "" || !advice.Bounded(l.Figure) {
			continue
		}
		timed++
		if spread(l.Figure) > wide {
			noisy++
		}
		if spread(l.Figure) > spread(worst.Figure) {
			worst = l
		}
	}
	if float64(noisy) > manyWide*float64(timed) {
		say("Noisy: %d of %d medians are uncertain by more than %.0f%%, %s by %s. Something else ran on this machine. Measure again when it is quiet, or with more --samples.",
			noisy, timed, 100*wide, worst.Name, worst.PlusMinus())
	}
	if n := fasterThanMemory(lines); n > 0 {
		say("Impossible: %d %s faster than memory is read. The machine changed its speed between the two, so these times are worth nothing. Measure again when it is quiet.", n, english.Plural(n, "scan was", "scans were"))
	}
	return strings.Join(out, "\n")
}

// spread is the longer half of the interval as a part of the median.
func spread(f resultfile.Figure) float64 {
	if f.Median == 0 {
		return 0
	}
	return max(f.Hi-f.Median, f.Median-f.Lo) / math.Abs(f.Median)
}

// fasterThanMemory counts the scans that cannot be as fast as they were measured to be.
func fasterThanMemory(lines []line) (n int) {
	for _, l := range lines {
		// other layouts read less, and several queries share what is read
		plain := l.Name.Get("layout") == "plain" && l.Name.Get("queries") == ""
		if part, ok := partOfMemory(l, lines); ok && plain && part > mostOfMemory {
			n++
		}
	}
	return n
}

// partOfMemory compares a scan with reading the same amount of memory.
func partOfMemory(l line, all []line) (part float64, ok bool) {
	if l.Name.Base != terms.HammingScan || l.Err != "" {
		return 0, false
	}
	for _, other := range all {
		if other.Name.Base == terms.MemoryRead && other.Name.Get("n") == l.Name.Get("n") && other.Err == "" {
			return l.Median / other.Median, true
		}
	}
	return 0, false
}
