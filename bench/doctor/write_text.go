package doctor

import (
	"fmt"
	"strings"
	"time"

	"simhashkit/bench/quality"
	"simhashkit/internal/english"
	"simhashkit/internal/texttable"
)

// text is a table with a line for each case, and the verdict.
func (e *Examination) text(what string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s, %d bits", what, e.Bits)
	if e.Encoding != "" {
		fmt.Fprintf(&out, ", %s", e.Encoding)
	}
	fmt.Fprintf(&out, ", %d %s of each pattern\n\n", e.Results[0].Keyings, english.Plural(e.Results[0].Keyings, "keying", "keyings"))
	t := texttable.Aligned([]int{0, 1, 7}, "pattern", "weights", "effective bits", "95%", "cosine ≥ 0.9", "95%", "dead or copied", "verdict")
	for _, r := range e.Results {
		all, allInterval := effective(r.All)
		near, nearInterval := effective(r.Cos90)
		t.AppendRow(texttable.Row{r.Pattern, r.Weights, all, allInterval, near, nearInterval, defects(r.Bit), string(r.Verdict.Judgement)})
	}
	fmt.Fprintf(&out, "%s\n\n%s\n", texttable.Render(t), e.Words)
	if c := e.Cost; c != nil {
		fmt.Fprintf(&out, "\n%.4g ns per key for %d keys, which includes the pipe and starting the command %d times (%v each)\n", c.PerKey(), c.Keys, c.Runs,
			c.Start.Round(100*time.Microsecond))
	}
	return out.String()
}

// effective shows the effective bits of a band.
func effective(b quality.Band) (value, interval string) {
	if !b.Defined {
		return "–", ""
	}
	return fmt.Sprintf("%.1f", b.Effective.Value), fmt.Sprintf("%.1f – %.1f", b.Effective.Low, b.Effective.High)
}

func defects(q quality.BitQuality) string {
	switch constant := len(q.Constant); {
	case !q.Tested:
		return "–"
	case q.Dependent == 0:
		return "0"
	case constant == 0:
		return fmt.Sprintf("%d copied", q.Dependent)
	case constant == q.Dependent:
		return fmt.Sprintf("%d dead", constant)
	default:
		return fmt.Sprintf("%d dead, %d copied", constant, q.Dependent-constant)
	}
}
