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
			"That finds %s of the pairs that differ in %d bits and %s of those that differ in %d, by forecast.\n"+
			"The exact join would take %v, comparing all with all %v.\n",
			all, english.Count(p.Tables, "table"), p.KeyBits, p.Bits, english.Count(p.Errors, "bit"), p.neighbours(), rounded(p.Forecast), float64(p.Bytes)/1e6,
			english.Hundred(p.Recall(p.K))+"%", p.K, english.Hundred(p.Recall(p.K/2))+"%", p.K/2, rounded(p.Exact), rounded(p.ByScan))
	case p.Blocks == 0:
		return fmt.Sprintf("All %s of %d bits are compared with all others, about %v on one core:\n"+
			"to bring together what may be within k = %d would not pay.\n", all, p.Bits, rounded(p.Forecast), p.K)
	default:
		agree, share := "agree in one of them", "share them"
		if p.Errors > 0 {
			agree = fmt.Sprintf("differ in at most %s of one of them", english.Count(p.Errors, "bit"))
			share = "differ by as few"
		}
		return fmt.Sprintf("Two fingerprints within k = %d of %d bits that are cut into %s %s.\n"+
			"%s are brought together by %d bits of each block in turn, and compared\n"+
			"with the %.3g that %s on average: about %v on one core, and %.3g MB of memory.\n"+
			"Comparing all with all would take %v.\n",
			p.K, p.Bits, english.Count(p.Blocks, "block"), agree, all, p.KeyBits, p.neighbours(), share,
			rounded(p.Forecast), float64(p.Bytes)/1e6, rounded(p.ByScan))
	}
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
