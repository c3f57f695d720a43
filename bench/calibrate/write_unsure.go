package calibrate

import (
	"fmt"

	"simhashkit/internal/english"
	"simhashkit/internal/texttable"
)

// unsureTitle says what the table of unsure bits shows.
func (c Report) unsureTitle() string {
	u := c.Unsure
	return fmt.Sprintf("With the sums of one vector of a pair: what is found where its %d least sure %s ignored, and the error of the cosine by its distance and by its sums", u.Ignored,
		english.Plural(u.Ignored, "bit is", "bits are"))
}

// unsureTable compares ignored bits with a greater k, and two estimates of the cosine.
func (c Report) unsureTable() string {
	u := c.Unsure
	t := texttable.Aligned(nil, "cosine", "pairs", fmt.Sprintf("k = %d", u.K), fmt.Sprintf("k = %d", u.Plain), fmt.Sprintf("k = %d, %d ignored", u.K, u.Ignored), "by distance", "by sums")
	for _, b := range c.shownBands() {
		t.AppendRow(texttable.Row{bandName(b), b.Pairs, fmt.Sprintf("%.3f", b.Within[u.K]), fmt.Sprintf("%.3f", b.Within[u.Plain]), fmt.Sprintf("%.3f", b.WithinUnsure),
			fmt.Sprintf("%.3f", b.ErrorDistance), fmt.Sprintf("%.3f", b.ErrorSums)})
	}
	return texttable.Render(t)
}

// unsureWords say what that comes to among all pairs of the sample.
func (c Report) unsureWords() string {
	u := c.Unsure
	own, _ := c.OfWidth(c.Bits)
	words := fmt.Sprintf("Of unrelated fingerprints about as many pass at k = %d.", u.Plain)
	if c.Near == 0 {
		return words
	}
	words += fmt.Sprintf(" With ignored bits, k = %d finds %s%% of the near-duplicates and %d other %s.", u.K, english.Hundred(float64(u.Near)/float64(c.Near)), u.Others,
		english.Plural(int(min(u.Others, 2)), "pair", "pairs"))
	for _, k := range []int{u.Plain, u.Matched} {
		at := own.Thresholds[k]
		words += fmt.Sprintf(" Plain k = %d finds %s%% and %.0f others.", k, english.Hundred(at.Recall.Value), at.others())
		if u.Matched == u.Plain {
			break
		}
	}
	return words
}
