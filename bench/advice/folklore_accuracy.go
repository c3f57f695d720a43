package advice

import (
	"fmt"
	"strings"

	"simhashkit/bench/terms"
)

// onRuns is the cell of a hash on runs of consecutive indices.
func onRuns(hash, encoding, weights string, bits int) string {
	return fmt.Sprintf("%s/hash=%s/encoding=%s/pattern=consecutive/weights=%s/f=%d", terms.Quality, hash, encoding, weights, bits)
}

// relevant is the factor in effective bits from which a gain would be worth anything to a user.
const relevant = 1.1

// effective is the interval of a hash's effective bits.
type effective struct{ value, low, high float64 }

func (c *collect) effective(name string) effective {
	return effective{c.figure(name, terms.EffectiveBits), c.figure(name, terms.EffectiveBits+terms.Low), c.figure(name, terms.EffectiveBits+terms.High)}
}

func (e effective) String() string {
	return fmt.Sprintf("%s (%s to %s)", Bits(e.value), Bits(e.low), Bits(e.high))
}

// gain judges whether bits are worth more than those of all the others: Confirmed where the
// intervals lie apart, Refuted where they exclude a gain that is relevant, even a small one that is
// sure.
func (e effective) gain(others ...effective) string {
	low, high := 0.0, 0.0 // of the best of the others
	for _, o := range others {
		low, high = max(low, o.low), max(high, o.high)
	}
	switch {
	case e.high <= relevant*low:
		return Refuted
	case e.low > high:
		return Confirmed
	}
	return Open
}

// both is the verdict of a claim of two parts.
func both(a, b string) string {
	switch {
	case a == b:
		return a
	case a == Open || b == Open:
		return Open
	}
	return InPart
}

// digestsAreBetter compares hashes at one width: what one has more than another then is quality.
func digestsAreBetter(bits int) func(evidence) (Finding, bool) {
	return func(e evidence) (Finding, bool) {
		claim := fmt.Sprintf("MD5 makes more accurate fingerprints than a fast hash, and SHA the most accurate: all at %d bits.", bits)
		c := collect{evidence: e, Finding: Finding{Claim: claim}}
		var words []string
		of := map[string]effective{}
		for _, h := range append([]string{"xxh64"}, digests...) {
			of[h] = c.effective(onRuns(h, "le64", "unit", bits))
			words = append(words, h+" "+of[h].String())
		}
		// the better one
		sha := effective{low: max(of["sha1"].low, of["sha256"].low), high: max(of["sha1"].high, of["sha256"].high)}
		c.Verdict = both(of["md5"].gain(of["xxh64"]), sha.gain(of["md5"], of["xxh64"]))
		c.Figures = fmt.Sprintf("effective bits of %d: %s; one tenth more would be a gain", bits, strings.Join(words, ", "))
		return c.done()
	}
}

// widerIsBetter compares hashes as they come. All cells have the same pairs, so that effective bits
// stand for the error at any width, and they have intervals. The 32-bit hash of the claim has
// faults that its width does not explain; a good hash cut to 32 bits shows what the width alone
// does.
func (e evidence) widerIsBetter() (Finding, bool) {
	c := collect{evidence: e, Finding: Finding{Claim: "A 32-bit hash is the least accurate, MD5 more accurate, SHA most accurate: each with all its bits."}}
	var words []string
	var list []effective
	for _, h := range []struct {
		name, note string
		bits       int
	}{{short, "", 32}, {"xxh64", " (cut, for what the width alone does)", 32}, {"xxh64", "", 64}, {"md5", "", 128}, {"sha1", "", 160}, {"sha256", "", 256}} {
		name := onRuns(h.name, "le64", "unit", h.bits)
		list = append(list, c.effective(name))
		words = append(words, fmt.Sprintf("%s at f=%d%s %.4f, %s", h.name, h.bits, h.note, c.figure(name, terms.RMSE), list[len(list)-1]))
	}
	c.Verdict = Confirmed + ", by the width alone"
	for i, wide := range list[1:] {
		if i == 0 { // both have 32 bits
			continue
		}
		narrow := list[i : i+1]
		if i == 1 {
			narrow = list[:2]
		}
		for _, n := range narrow {
			switch {
			case wide.high < n.low:
				c.Verdict = Refuted
			case wide.low <= n.high && c.Verdict != Refuted:
				c.Verdict = Open
			}
		}
	}
	c.Figures = "RMSE of the angle in radians, and effective bits: " + strings.Join(words, "; ") + "; at equal widths see above"
	return c.done()
}
