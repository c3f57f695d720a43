package advice

import (
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench/quality"
)

const lineWidth = 120

// usualBits is the width that goes without saying.
const usualBits = 64

// manyAlike is how many choices with the same reason share an entry.
const manyAlike = 3

// Faults lists the choices in their order, and why each is judged as it is. Where several have the
// same reason, whatever their encodings, they share an entry in the place of the first of them. An
// entry may have several lines.
func Faults(choices []*Choice) []string {
	var order []string
	groups := map[string][]*Choice{}
	for _, c := range choices {
		w := c.Worst()
		key := strings.Join([]string{strconv.Itoa(c.Verdict()), w.reason(), w.Case(), w.Name.Get("data")}, "\x00")
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], c)
	}
	var entries []string
	add := func(text string) { entries = append(entries, "  "+strings.Join(wrap(text, lineWidth-4), "\n    ")) }
	for _, key := range order {
		group := groups[key]
		if len(group) < manyAlike {
			for _, c := range group {
				add(c.Name() + ": " + c.Worst().Why())
			}
			continue
		}
		w := group[0].Worst()
		add(w.reason() + " on keys of " + quality.Words("", quality.Pattern(w.Name.Get("pattern"))) + ", " + w.Name.Get("weights") + " weights: " + names(group))
	}
	return entries
}

// names lists choices hash by hash with their encodings, those of fewer bits than usual last:
// "xxh64 le64/be64/dec, crc32c le64 at 32 bits".
func names(choices []*Choice) string {
	choices = slices.Clone(choices)
	slices.SortStableFunc(choices, func(a, b *Choice) int { return min(b.Bits, usualBits) - min(a.Bits, usualBits) })
	type hash struct {
		name string
		bits int
	}
	var order []hash
	encodings := map[hash][]string{}
	for _, c := range choices {
		h := hash{c.Name(), c.Bits}
		if encodings[h] == nil {
			order = append(order, h)
		}
		encodings[h] = append(encodings[h], c.Encoding)
	}
	var list []string
	for _, h := range order {
		name := h.name + " " + strings.Join(encodings[h], "/")
		if h.bits != usualBits {
			name += " at " + strconv.Itoa(h.bits) + " bits"
		}
		list = append(list, name)
	}
	return strings.Join(list, ", ")
}

// wrap breaks a text into lines.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
