package join

import (
	"fmt"
	"math"
	"time"

	"simhashkit/internal/binomial"
	"simhashkit/internal/english"
)

// String says in some lines what is done, and why.
func (p Plan) String() string {
	switch all := english.Count(p.Fingerprints, "fingerprint"); {
	case p.Tables > 0:
		return fmt.Sprintf("%s are brought together by %s of %d of their %d bits, drawn from a seed, in which\n"+
			"%s may differ, and compared with %.3g others each: about %v on one core, and %.3g MB of memory.\n"+
			"%s"+
			"The exact join would take %v, comparing all with all %v.\n",
			all, english.Count(p.Tables, "table"), p.KeyBits, p.Bits, english.Count(p.Errors, "bit"), p.neighbours(), rounded(p.Forecast), float64(p.Bytes)/1e6,
			p.finds(), rounded(p.Exact), rounded(p.ByScan))
	case p.Blocks == 0:
		return fmt.Sprintf("All %s of %d bits are compared with all others, about %v on one core:\n"+
			"to bring together what may be within k = %d would not pay.\n%s", all, p.Bits, rounded(p.Forecast), p.K, p.finds())
	default:
		agree, share := "agree in one of them", "share them"
		if p.Errors > 0 {
			agree = fmt.Sprintf("differ in at most %s of one of them", english.Count(p.Errors, "bit"))
			share = "differ by as few"
		}
		return fmt.Sprintf("Two fingerprints within k = %d of %d bits that are cut into %s %s.\n"+
			"%s are brought together by %d bits of each block in turn, and compared\n"+
			"with the %.3g that %s on average: about %v on one core, and %.3g MB of memory.\n"+
			"%sComparing all with all would take %v.\n",
			p.K, p.Bits, english.Count(p.Blocks, "block"), agree, all, p.KeyBits, p.neighbours(), share,
			rounded(p.Forecast), float64(p.Bytes)/1e6, p.finds(), rounded(p.ByScan))
	}
}

// finds says which share of the pairs asked for is expected to be found, if any were asked for.
func (p *Plan) finds() string {
	if p.differ == 0 {
		return ""
	}
	how := "all of them that are within k"
	if p.Tables > 0 {
		how = fmt.Sprintf("%s%% of them are within k", english.Hundred(p.within()))
	}
	return fmt.Sprintf("Of the pairs whose bits differ with a probability of %.3g it is expected to find %s%%: %s.\n", p.differ, english.Hundred(p.recall), how)
}

// neighbours returns with how many others a fingerprint is compared by a table, on average over the
// tables.
func (p *Plan) neighbours() (n float64) {
	for i := range p.tables {
		n += binomial.Ball(p.KeyBits, p.tables[i].errors)
	}
	return n / float64(len(p.tables)) * math.Exp2(-float64(p.KeyBits)) * float64(p.Fingerprints)
}

// rounded returns a time as a forecast may be written.
func rounded(t time.Duration) time.Duration {
	for unit := time.Nanosecond; ; unit *= 10 {
		if t < 100*unit {
			return t.Round(unit)
		}
	}
}
