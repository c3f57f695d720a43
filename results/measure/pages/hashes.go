package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/fphash"
)

// qualitySource is the file whose rows of quality are shown; its name is "" where it is that of the
// times.
type qualitySource struct {
	name string
	resultfile.File
}

// hashes is the table of hashes, their times beside their quality, where that was measured.
func (t times) hashes(qualities qualitySource) string {
	header := []string{"hash", "ns per key: library, one by one", "`generic`", "best kernel", "ns per feature of a whole sketch: source files, f32", "hashed there by"}
	choices := advice.Choices(advice.NewSet([]advice.Source{{File: resultfile.File{Rows: qualities.Rows}}}), func(advice.Case) bool { return true })
	if len(choices) > 0 {
		header = append(header, "effective bits of 64, worst of all patterns and bands: `le64`", "`be64`", "`dec`")
	}
	out := line(header...) + rule(len(header))
	for _, row := range t.cheapestFirst() {
		hash := row.Name.Get("hash")
		name := "`" + hash + "`"
		if hash == fphash.DefaultHash {
			name += " (the default)"
		}
		cells := []string{name}
		for _, kernels := range [][]string{{"library"}, {"generic"}, {"avx512gfni", "avx512", "avx2"}} {
			cells = append(cells, t.median(kernels, "Hash", "hash", hash))
		}
		cells = append(cells, digits(row.Median), t.form(hash))
		if len(choices) > 0 {
			cells = append(cells, worstBits(choices, hash, "le64"), worstBits(choices, hash, "be64"), worstBits(choices, hash, "dec"))
		}
		out += line(cells...)
	}
	if len(choices) == 0 {
		return out
	}
	most := slices.MaxFunc(choices, func(a, b *advice.Choice) int { return len(a.Cases) - len(b.Cases) })
	from := "the same file"
	if qualities.name != "" {
		from = fmt.Sprintf("[%s](%s)", filepath.Base(qualities.name), qualities.name)
	}
	return out + fmt.Sprintf("\nThe cheapest sketch stands first. Effective bits are from %s: the least of up to %d cases "+
		"(a pattern of indices with a kind of weights) and of both bands (all angles, cosine 0.9 and above).\n", from, len(most.Cases))
}

// form names the form of the hash that a sketch at the highest tier is made with: its best kernel
// there, many keys at a time, or else one key at a time by whatever computes it. Sketches of two
// hashes compare only beside it.
func (t times) form(hash string) string {
	for _, kernel := range []string{"avx512gfni", "avx512", "avx2", "generic"} {
		if t.median([]string{kernel}, "Hash", "hash", hash) != "–" {
			return "`" + kernel + "`"
		}
	}
	return "no kernel"
}

// cheapestFirst returns the rows of whole sketches that the table of hashes has a line for.
func (t times) cheapestFirst() []resultfile.Summary {
	list := slices.DeleteFunc(slices.Clone(t), func(l resultfile.Summary) bool {
		return l.Name.Base != terms.Sketch || l.Err != "" || !matches(l.Name, []string{"weights", "f32", "kernel", "avx512gfni", "data", "go-source"})
	})
	slices.SortStableFunc(list, func(a, b resultfile.Summary) int { return cmp.Compare(a.Median, b.Median) })
	return list
}

// worstBits is the least figure of all cells and both bands at 64 bits, or at the width that the
// hash has; a dash where there is none.
func worstBits(choices []*advice.Choice, hash, encoding string) string {
	var found *advice.Choice
	for _, c := range choices {
		if c.Hash == hash && c.Encoding == encoding && (found == nil || c.Bits == 64) {
			found = c
		}
	}
	if found == nil {
		return "–"
	}
	fewest, ok := found.Fewest()
	if !ok {
		return "–"
	}
	least, _ := fewest.Worse()
	bits := advice.Bits(least.Median)
	if found.Bits != 64 {
		bits += fmt.Sprintf(" of %d", found.Bits)
	}
	return bits
}
