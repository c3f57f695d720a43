package table

import (
	"fmt"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/terms"
	"simhashkit/internal/texttable"
)

const (
	unsureTitle  = "Unsure bits  fingerprints of %s bits, hash=%s"
	unsureLegend = `

  k: part of the pairs of a cosine that plain searches find. ignored: the first k, without the least sure bits of the
  query; 4 + 4: without those of either side. strangers: the chance that vectors pass which have nothing in common.
  distance, sums: errors of the cosine estimated by them, root of the mean square. ×: how many times as great the first
  is. bias: mean error by sums.`
)

// renderUnsure shows what unsure bits find, "" where nothing was measured; METHODOLOGY.md says what
// comes of it.
func renderUnsure(set *advice.Set) string {
	cells, _ := set.Exact(terms.Unsure)
	list := unsures(cells)
	if len(list) == 0 {
		return ""
	}
	var parts []string
	for i, same := range advice.GroupBy(list, func(u *unsureRows) string { return u.Bits + " " + u.Hash }) {
		title := fmt.Sprintf(unsureTitle, same[0].Bits, same[0].Hash)
		if i == 0 {
			title += unsureLegend
		}
		parts = append(parts, title+"\n\n"+renderUnsureBits(same))
	}
	return strings.Join(parts, "\n\n")
}

// renderUnsureBits lays out fingerprints of one width and hash, which are searched by the same
// ways.
func renderUnsureBits(list []*unsureRows) string {
	first := list[0]
	ways := []unsureWay{first.Few, first.Plain, first.Masked, first.Both}
	t := texttable.Aligned([]int{0}, "vectors", "cosine", "k = "+first.Few.K, "k = "+first.Plain.K, first.Masked.Ignored+" ignored", first.Both.Ignored+" + "+first.Both.Ignored, "distance", "sums", "×", "bias")
	t.SuppressEmptyColumns()
	for i, u := range list {
		if i > 0 {
			t.AppendSeparator()
		}
		name := u.Weights + ", nnz=" + u.Features
		for _, cosine := range u.Cosines {
			row := texttable.Row{name, cosine}
			for _, way := range ways {
				found, _, ok := u.Found(way, cosine)
				row = append(row, only(ok, func() string { return fmt.Sprintf("%.3f", found) }))
			}
			byDistance, _, ok := u.Error(terms.CosineRMSE, terms.ByDistance, cosine)
			bySums, _, there := u.Error(terms.CosineRMSE, terms.BySums, cosine)
			bias, _, biased := u.Error(terms.CosineBias, terms.BySums, cosine)
			t.AppendRow(append(row, only(ok, func() string { return fmt.Sprintf("%.3f", byDistance) }), only(there, func() string { return fmt.Sprintf("%.3f", bySums) }),
				only(ok && there && bySums > 0, func() string { return fmt.Sprintf("%.2f", byDistance/bySums) }), only(biased, func() string { return signed(bias) })))
			name = ""
		}
		row := texttable.Row{name, "strangers"}
		for _, way := range ways {
			chance, _, ok := u.Strangers(way)
			row = append(row, only(ok, func() string { return fmt.Sprintf("%.1e", chance) }))
		}
		t.AppendRow(row)
	}
	return texttable.Render(t)
}

// signed writes a number with its sign, and none of what is as good as zero.
func signed(v float64) string {
	if text := fmt.Sprintf("%+.3f", v); text != "+0.000" && text != "-0.000" {
		return text
	}
	return "0.000"
}
