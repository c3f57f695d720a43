package advice

import (
	"fmt"
	"slices"
	"strings"

	"simhashkit/bench"
	"simhashkit/bench/benchname"
	"simhashkit/bench/summary"
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
func Folklore(rows []summary.Row) []Finding {
	e := evidence{rows: rows, index: summary.NewIndex(rows)}
	var list []Finding
	for _, judge := range []func(evidence) (Finding, bool){
		evidence.shortIsFastest, evidence.shaIsSlowest, digestsAreBetter(32), digestsAreBetter(64), evidence.widerIsBetter, evidence.anyGoodHash, evidence.threeIsTheThreshold,
	} {
		if f, ok := judge(e); ok {
			list = append(list, f)
		}
	}
	return list
}

// evidence is the rows.
type evidence struct {
	rows  []summary.Row
	index summary.Index
}

// collect is a finding that is being made; a figure that is missing spoils it.
type collect struct {
	evidence
	Finding
	missing bool
}

func (c *collect) figure(name, unit string) float64 { return c.row(name, unit).Summary.Center }

func (c *collect) row(name, unit string) summary.Row {
	n, err := benchname.Parse(name)
	r, ok := c.index.Get(n, unit)
	if err != nil || !ok || r.Err != "" {
		c.missing = true
		return summary.Row{}
	}
	if !slices.Contains(c.Rows, name) {
		c.Rows = append(c.Rows, name)
	}
	return r
}

func (c *collect) done() (Finding, bool) { return c.Finding, !c.missing }

var (
	short   = "crc32c"
	digests = []string{"md5", "sha1", "sha256"}
)

// costs returns the time of hashing alone by the libraries, which is what tutorials have.
func (c *collect) costs(hashes ...string) (costs []summary.Row) {
	var words []string
	for _, h := range hashes {
		r := c.row("Hash/hash="+h+"/encoding=le64/kernel="+bench.Library+"/n=1024", bench.NanosecondsPerKey)
		costs = append(costs, r)
		words = append(words, fmt.Sprintf("%s %.1f", h, r.Summary.Center))
	}
	c.Figures = strings.Join(words, ", ") + " ns a key by the library"
	return costs
}

// surelyLess reports whether the intervals of two medians lie apart, and the first is the lower one.
func surelyLess(a, b summary.Row) bool { return a.Summary.Hi < b.Summary.Lo }

func (e evidence) shortIsFastest() (Finding, bool) {
	c := collect{evidence: e, Finding: Finding{Claim: "A 32-bit hash is the fastest.", Verdict: Open}}
	costs := c.costs(append([]string{short, "xxh64"}, digests...)...)
	others := costs[1:]
	switch {
	case slices.ContainsFunc(others, func(o summary.Row) bool { return surelyLess(o, costs[0]) }):
		c.Verdict = Refuted
	case !slices.ContainsFunc(others, func(o summary.Row) bool { return !surelyLess(costs[0], o) }):
		c.Verdict = Confirmed
	}
	return c.done()
}

func (e evidence) shaIsSlowest() (Finding, bool) {
	c := collect{evidence: e, Finding: Finding{Claim: "SHA is slower than MD5.", Verdict: Open}}
	costs := c.costs(digests...)
	md5, sha1, sha256 := costs[0], costs[1], costs[2]
	slower, faster := surelyLess(md5, sha1), surelyLess(sha1, md5)
	switch {
	case slower && surelyLess(md5, sha256):
		c.Verdict = Confirmed
	case faster && surelyLess(sha256, md5):
		c.Verdict = Refuted
	case slower && surelyLess(sha256, md5), faster && surelyLess(md5, sha256):
		c.Verdict = InPart
	}
	return c.done()
}

// onRuns is the cell of a hash on runs of consecutive indices.
func onRuns(hash, encoding, weights string, bits int) string {
	return fmt.Sprintf("%s/hash=%s/encoding=%s/pattern=consecutive/weights=%s/f=%d", bench.Quality, hash, encoding, weights, bits)
}

// digestsAreBetter compares hashes at one width: what one has more than another then is quality.
func digestsAreBetter(bits int) func(evidence) (Finding, bool) {
	return func(e evidence) (Finding, bool) {
		claim := fmt.Sprintf("MD5 makes more accurate fingerprints than a fast hash, and SHA the most accurate: all at %d bits.", bits)
		c := collect{evidence: e, Finding: Finding{Claim: claim, Verdict: InPart}}
		var words []string
		low, high := map[string]float64{}, map[string]float64{}
		for _, h := range append([]string{"xxh64"}, digests...) {
			name := onRuns(h, "le64", "unit", bits)
			low[h], high[h] = c.figure(name, bench.EffectiveBits+bench.Low), c.figure(name, bench.EffectiveBits+bench.High)
			words = append(words, fmt.Sprintf("%s %s (%s to %s)", h, Bits(c.figure(name, bench.EffectiveBits)), Bits(low[h]), Bits(high[h])))
		}
		md5, sha := low["md5"] > high["xxh64"], max(low["sha1"], low["sha256"]) > max(high["md5"], high["xxh64"])
		switch {
		case md5 && sha:
			c.Verdict = Confirmed
		case !md5 && !sha:
			c.Verdict = Refuted
		}
		c.Figures = fmt.Sprintf("effective bits of %d: %s", bits, strings.Join(words, ", "))
		return c.done()
	}
}

// widerIsBetter compares hashes as they come.
func (e evidence) widerIsBetter() (Finding, bool) {
	c := collect{evidence: e, Finding: Finding{Claim: "A 32-bit hash is the least accurate, MD5 more accurate, SHA most accurate: each with all its bits.", Verdict: Refuted}}
	var words []string
	var errors []float64
	for _, h := range []struct {
		name string
		bits int
	}{{"xxh64", 32}, {"xxh64", 64}, {"md5", 128}, {"sha1", 160}, {"sha256", 256}} {
		rmse := c.figure(onRuns(h.name, "le64", "unit", h.bits), "rmse")
		errors = append(errors, -rmse)
		words = append(words, fmt.Sprintf("%s at f=%d %.4f", h.name, h.bits, rmse))
	}
	if slices.IsSorted(errors) {
		c.Verdict = Confirmed + ", by the width alone"
	}
	c.Figures = "RMSE of the angle in radians: " + strings.Join(words, ", ") + "; at equal widths see above"
	return c.done()
}

func (e evidence) anyGoodHash() (Finding, bool) {
	c := collect{evidence: e, Finding: Finding{Claim: "Any good hash will do.", Verdict: InPart}}
	words := map[bool][]string{}
	for _, h := range []struct{ hash, encoding string }{
		{"xxh64", "dec"}, {"xxh3", "dec"}, {"highway64", "dec"}, {"md5", "dec"}, {"murmur3-128", "dec"}, {"siphash", "dec"}, {"splitmix64", "le64"},
		{"fnv1a64", "le64"}, {"fnv1a64", "be64"}, {"fnv1a64", "dec"},
	} {
		name := onRuns(h.hash, h.encoding, "signed", 64)
		good := c.figure(name, bench.VerdictUnit) == Good
		words[good] = append(words[good], fmt.Sprintf("%s %s %s", h.hash, h.encoding, Bits(c.figure(name, bench.EffectiveBits))))
	}
	switch {
	case len(words[false]) == 0:
		c.Verdict = Confirmed
	case len(words[true]) == 0:
		c.Verdict = Refuted
	}
	c.Figures = "effective bits of 64; good: " + strings.Join(words[true], ", ") + "; not good: " + strings.Join(words[false], ", ")
	return c.done()
}

func (e evidence) threeIsTheThreshold() (Finding, bool) {
	c := collect{evidence: e, Finding: Finding{Claim: "Near-duplicates are those at a distance of at most 3 of 64 bits (k = 3).", Verdict: InPart}}
	recalls := map[string]float64{}
	var words []string
	for _, cosine := range []string{"0.99", "0.98", "0.95", "0.90"} {
		recalls[cosine] = c.figure("NearDuplicates/hash=xxh64/encoding=le64/pattern=uniform64/weights=unit/f=64/cosine="+cosine+"/k=3", "recall")
		words = append(words, fmt.Sprintf("%.1f%% at cosine %s", 100*recalls[cosine], cosine))
	}
	precision := c.figure("NearDuplicates/hash=xxh64/encoding=le64/pattern=consecutive/weights=unit/f=64/k=3", "precision")
	switch {
	case recalls["0.95"] >= 0.9:
		c.Verdict = Confirmed
	case recalls["0.99"] < 0.9:
		c.Verdict = Refuted // a third of those that are nearly copies are missed
	}
	c.Figures = fmt.Sprintf("found with k = 3: %s; of all pairs found, %.1f%% have a cosine of 0.95 or more", strings.Join(words, ", "), 100*precision)
	return c.done()
}
