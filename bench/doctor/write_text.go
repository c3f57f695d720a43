package doctor

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/perf/benchunit"

	"simhashkit/bench/quality"
	"simhashkit/internal/english"
	"simhashkit/internal/texttable"
)

// lineWidth is that of a terminal which nobody has made wider.
const lineWidth = 80

// text is the verdict, a table with a line for each case, and what asking cost.
func (e *Examination) text(what string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n", strings.Join(texttable.Wrap(e.Words, lineWidth), "\n"))
	fmt.Fprintf(&out, "%s, %d bits", what, e.Bits)
	if e.Encoding != "" {
		fmt.Fprintf(&out, ", %s", e.Encoding)
	}
	fmt.Fprintf(&out, ", %d %s of each pattern\n\n", e.Results[0].Keyings, english.Plural(e.Results[0].Keyings, "keying", "keyings"))
	t := texttable.Aligned([]int{0, 1, 7}, "pattern", "weights", "effective bits", "95%", "cosine ≥ 0.9", "95%", "constant or copied", "verdict")
	for _, r := range e.Results {
		all, allInterval := effective(r.All)
		near, nearInterval := effective(r.Cos90)
		t.AppendRow(texttable.Row{r.Pattern, r.Weights, all, allInterval, near, nearInterval, defects(r.Bit), r.Verdict})
	}
	fmt.Fprintln(&out, texttable.Render(t))
	if c := e.Cost; c != nil {
		fmt.Fprintf(&out, "\n%s per key for %d keys, which includes the pipe and starting the\ncommand %d %s (%v each)\n", duration(c.PerKey()), c.Keys, c.Runs,
			english.Plural(c.Runs, "time", "times"), c.Start.Round(100*time.Microsecond))
	}
	return out.String()
}

// duration shows nanoseconds in the unit that they fill: 969.7µs.
func duration(nanoseconds float64) string {
	return benchunit.Scale(nanoseconds*1e-9, benchunit.Decimal) + "s"
}

// effective shows the effective bits of a band.
func effective(b quality.Band) (value, interval string) {
	if !b.Defined {
		return "–", ""
	}
	return fmt.Sprintf("%.1f", b.Effective.Value), fmt.Sprintf("%.1f – %.1f", b.Effective.Low, b.Effective.High)
}

func defects(q quality.BitQuality) string {
	switch constant, copied := len(q.Constant), len(q.Copied); {
	case !q.Tested:
		return "–"
	case constant+copied == 0:
		return "0"
	case constant == 0:
		return "copied " + quality.BitRanges(q.Copied)
	case copied == 0:
		return "constant " + quality.BitRanges(q.Constant)
	}
	return "constant " + quality.BitRanges(q.Constant) + "; copied " + quality.BitRanges(q.Copied)
}
