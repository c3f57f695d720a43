package advice

import (
	"fmt"
	"slices"
	"strings"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
)

// Finding is a claim that tutorials repeat, and what the rows say of it.
type Finding struct {
	Claim   string
	Verdict string // see the constants
	Figures string
	Rows    []string // the names of those that the figures are of
}

// The verdicts of findings.
const (
	Confirmed = "confirmed"
	Refuted   = "refuted"
	InPart    = "in part"
	Open      = "open" // the intervals of this run do not support any other
)

// Folklore judges the claims for which the rows have figures; those of the suite folklore have all.
func Folklore(rows []resultfile.Summary) []Finding {
	e := evidence{rows: rows, index: resultfile.NewIndex(rows)}
	var list []Finding
	for _, judge := range []func(evidence) (Finding, bool){
		evidence.shortIsFastest, evidence.shaIsSlower, digestsAreBetter(32), digestsAreBetter(64), evidence.widerIsBetter, evidence.anyGoodHash, evidence.threeIsTheThreshold,
		evidence.tablesBeatMultiplication,
	} {
		if f, ok := judge(e); ok {
			list = append(list, f)
		}
	}
	return list
}

// evidence is the rows.
type evidence struct {
	rows  []resultfile.Summary
	index resultfile.Index
}

// collect is a finding that is being made; a figure that is missing spoils it.
type collect struct {
	evidence
	Finding
	missing bool
}

func (c *collect) figure(name, unit string) float64 { return c.row(name, unit).Median }

func (c *collect) row(name, unit string) resultfile.Summary {
	n, err := benchname.Parse(name)
	r, ok := c.index.Get(n, unit)
	if err != nil || !ok || r.Err != "" {
		c.missing = true
		return resultfile.Summary{}
	}
	if !slices.Contains(c.Rows, name) {
		c.Rows = append(c.Rows, name)
	}
	return r
}

func (c *collect) done() (Finding, bool) { return c.Finding, !c.missing }

func (e evidence) anyGoodHash() (Finding, bool) {
	c := collect{evidence: e, Finding: Finding{Claim: "Any good hash will do.", Verdict: InPart}}
	words := map[int][]string{} // by verdict
	for _, h := range []struct{ hash, encoding string }{
		{"xxh64", "dec"}, {"xxh3", "dec"}, {"highway64", "dec"}, {"md5", "dec"}, {"murmur3-128", "dec"}, {"siphash", "dec"}, {"splitmix64", "le64"},
		{"fnv1a64", "le64"}, {"fnv1a64", "be64"}, {"fnv1a64", "dec"},
	} {
		name := onRuns(h.hash, h.encoding, "signed", 64)
		verdict := int(c.figure(name, terms.Verdict))
		words[verdict] = append(words[verdict], fmt.Sprintf("%s %s %s", h.hash, h.encoding, Bits(c.figure(name, terms.EffectiveBits))))
	}
	c.Figures = "effective bits of 64"
	for _, kind := range []struct {
		verdict int
		name    string
	}{{terms.Good, terms.GoodWord}, {terms.Undecided, terms.UndecidedWord}, {terms.Weak, "not good"}} {
		if list := words[kind.verdict]; len(list) > 0 {
			c.Figures += "; " + kind.name + ": " + strings.Join(list, ", ")
		}
	}
	switch good, undecided, weak := len(words[terms.Good]), len(words[terms.Undecided]), len(words[terms.Weak]); {
	case undecided+weak == 0:
		c.Verdict = Confirmed
	case good+undecided == 0:
		c.Verdict = Refuted
	case weak == 0, good == 0:
		c.Verdict = Open
	}
	return c.done()
}

func (e evidence) threeIsTheThreshold() (Finding, bool) {
	c := collect{evidence: e, Finding: Finding{Claim: "Near-duplicates are those at a distance of at most 3 of 64 bits (k = 3).", Verdict: InPart}}
	recalls := map[string]float64{}
	var words []string
	for _, cosine := range []string{"0.99", "0.98", "0.95", "0.90"} {
		recalls[cosine] = c.figure("NearDuplicates/hash=xxh64/encoding=le64/pattern=uniform64/weights=unit/f=64/cosine="+cosine+"/k=3", terms.Recall)
		words = append(words, fmt.Sprintf("%.1f%% at cosine %s", 100*recalls[cosine], cosine))
	}
	precision := c.figure("NearDuplicates/hash=xxh64/encoding=le64/pattern=consecutive/weights=unit/f=64/k=3", terms.Precision)
	switch {
	case recalls["0.95"] >= 0.9:
		c.Verdict = Confirmed
	case recalls["0.99"] < 0.9:
		c.Verdict = Refuted // a tenth and more even of those that are nearly copies are missed
	}
	c.Figures = fmt.Sprintf("found with k = 3: %s; of all pairs found among generated vectors on runs of consecutive indices, %.1f%% have a cosine of 0.95 or more, which other collections need not share", strings.Join(words, ", "), 100*precision)
	return c.done()
}
