package advice

import (
	"fmt"

	"simhashkit/bench/terms"
)

// onPattern is the cell of a hash of integers on a pattern of indices.
func onPattern(hash, pattern string) string {
	return fmt.Sprintf("%s/hash=%s/encoding=le64/pattern=%s/weights=unit/f=64", terms.Quality, hash, pattern)
}

// tablesBeatMultiplication checks what Dahlgaard, Knudsen and Thorup (NIPS 2017) found for other
// sketches: that mixed tabulation, of which theorems say that it serves like a random function,
// does so on indices with a structure, and that multiply-shift, which is random for any two
// indices, does not.
func (e evidence) tablesBeatMultiplication() (Finding, bool) {
	c := collect{evidence: e, Finding: Finding{Claim: "On dense and consecutive indices mixed tabulation is as good as a random function, and multiply-shift is not."}}
	var verdicts, words []string
	for _, pattern := range []string{"consecutive", "dense1e3"} {
		mixed, multiplied := onPattern("mixed-tabulation", pattern), onPattern("multiply-shift", pattern)
		switch int(c.figure(mixed, terms.Verdict)) {
		case terms.Good: // are its bits surely worth more than the other's?
			verdicts = append(verdicts, c.effective(mixed).gain(c.effective(multiplied)))
		case terms.Undecided:
			verdicts = append(verdicts, Open)
		default:
			verdicts = append(verdicts, Refuted)
		}
		words = append(words, fmt.Sprintf("on %s %v and %v, at cosine 0.9 and above %s and %s", pattern, c.effective(mixed), c.effective(multiplied),
			Bits(c.figure(mixed, terms.EffectiveBitsCos90)), Bits(c.figure(multiplied, terms.EffectiveBitsCos90))))
	}
	c.Verdict = both(verdicts[0], verdicts[1])
	c.Figures = "effective bits of 64 of mixed tabulation and of multiply-shift: " + words[0] + "; " + words[1]
	return c.done()
}
