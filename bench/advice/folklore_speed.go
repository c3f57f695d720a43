package advice

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
)

// short is the 32-bit hash of the claims.
const short = "crc32c"

var digests = []string{"md5", "sha1", "sha256"}

// byLibrary returns the time of hashing alone by the libraries, which is what tutorials have.
func (c *collect) byLibrary(hashes ...string) (costs []resultfile.Summary) {
	for _, h := range hashes {
		costs = append(costs, c.row(hashing(h, terms.Library), terms.NanosecondsPerKey))
	}
	return costs
}

// byKernel returns the time of hashing alone by the fastest kernel of each hash, without those that
// have none.
func (c *collect) byKernel(hashes ...string) (costs []resultfile.Summary) {
	for _, h := range hashes {
		var best *resultfile.Summary
		for i := range c.rows {
			r := &c.rows[i]
			kernel := r.Name.Get("kernel")
			if r.Err == "" && kernel != terms.Library && r.Name.String() == hashing(h, kernel) && (best == nil || r.Median < best.Median) {
				best = r
			}
		}
		if best != nil {
			costs = append(costs, c.row(best.Name.String(), terms.NanosecondsPerKey))
		}
	}
	return costs
}

// hashing names the row of hashing alone.
func hashing(hash, kernel string) string {
	return fmt.Sprintf("%s/hash=%s/encoding=%s/kernel=%s/n=1024", terms.Hash, hash, terms.LE64, kernel)
}

// perKey lists times: "md5 108.0, sha1 102.7".
func perKey(costs []resultfile.Summary) string {
	var words []string
	for _, r := range costs {
		words = append(words, fmt.Sprintf("%s %.1f", r.Name.Get("hash"), r.Median))
	}
	return strings.Join(words, ", ")
}

// shortIsFastest compares a 32-bit hash with the digests, as the claim does, and with a fast hash
// of 64 bits, which the claim leaves out.
func (e evidence) shortIsFastest() (Finding, bool) {
	c := collect{evidence: e, Finding: Finding{Claim: "A 32-bit hash is the fastest.", Verdict: Open}}
	costs := c.byLibrary(append([]string{short, "xxh64"}, digests...)...)
	own, fast, compared := costs[0], costs[1], costs[2:]
	kernels := c.byKernel(append([]string{short, "xxh64"}, digests...)...)
	// what the hash costs at best
	least := slices.MinFunc(append(c.byKernel(short), own), func(a, b resultfile.Summary) int { return cmp.Compare(a.Median, b.Median) })
	fasterByKernel := slices.ContainsFunc(kernels, func(o resultfile.Summary) bool { return surelyLess(o.Figure, least.Figure) })
	c.Figures = perKey(costs) + " ns a key by the library"
	switch {
	case slices.ContainsFunc(compared, func(o resultfile.Summary) bool { return surelyLess(o.Figure, own.Figure) }):
		c.Verdict = Refuted
	case slices.ContainsFunc(compared, func(o resultfile.Summary) bool { return !surelyLess(own.Figure, o.Figure) }):
		// open
	case surelyLess(fast.Figure, own.Figure):
		c.Verdict = InPart
		c.Figures += ": faster than the digests, but xxh64, with 64 bits, is faster still"
	case surelyLess(own.Figure, fast.Figure) && fasterByKernel:
		c.Verdict = InPart
	case surelyLess(own.Figure, fast.Figure):
		c.Verdict = Confirmed
	}
	if len(kernels) > 0 {
		c.Figures += "; by the best kernel " + perKey(kernels)
		if len(c.byKernel(short)) == 0 {
			c.Figures += " (" + short + " has none)"
		}
	}
	return c.done()
}

// shaIsSlower compares what libraries take and, where there are, what kernels take: a claim that
// holds for one of them only holds in part.
func (e evidence) shaIsSlower() (Finding, bool) {
	c := collect{evidence: e, Finding: Finding{Claim: "SHA is slower than MD5."}}
	costs := c.byLibrary(digests...)
	c.Verdict, c.Figures = slowerThanFirst(costs), perKey(costs)+" ns a key by the library"
	kernels := c.byKernel(digests...)
	if len(kernels) < len(digests) {
		return c.done()
	}
	c.Figures += ", " + perKey(kernels) + " by the best kernel"
	c.Verdict = both(c.Verdict, slowerThanFirst(kernels))
	return c.done()
}

// slowerThanFirst judges whether the others surely take longer than the first.
func slowerThanFirst(costs []resultfile.Summary) string {
	slower, faster := 0, 0
	for _, r := range costs[1:] {
		if surelyLess(costs[0].Figure, r.Figure) {
			slower++
		}
		if surelyLess(r.Figure, costs[0].Figure) {
			faster++
		}
	}
	switch others := len(costs) - 1; {
	case slower == others:
		return Confirmed
	case faster == others:
		return Refuted
	case slower+faster == others:
		return InPart
	}
	return Open
}
