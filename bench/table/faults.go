package table

import (
	"fmt"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/internal/texttable"
)

const lineWidth = 120

// manyAlike is how many choices with the same reason share an entry.
const manyAlike = 3

// faults lists the choices in their order, and why each is judged as it is. Where several have the
// same reason, whatever their encodings, they share an entry in the place of the first of them. An
// entry may have several lines.
func faults(choices []*advice.Choice) []string {
	var entries []string
	add := func(text string) {
		entries = append(entries, "  "+strings.Join(texttable.Wrap(text, lineWidth-4), "\n    "))
	}
	reason := func(c *advice.Choice) string {
		w := c.Worst()
		return fmt.Sprintf("%d %s %s", w.Verdict, w.Why(), advice.Name(w.Row))
	}
	for _, group := range advice.GroupBy(choices, reason) {
		if len(group) < manyAlike {
			for _, c := range group {
				add(c.Hash + ": " + why(c, c.Worst()))
			}
			continue
		}
		w := group[0].Worst()
		add(w.Why() + " on keys of " + w.Vectors("") + ": " + names(group))
	}
	return entries
}

// why is the reason of a verdict with what the hash was given: "8.5 of 64 bits (42.6 at cosine 0.9
// and above) on big-endian keys of runs of consecutive indices, unit weights".
func why(c *advice.Choice, k advice.Case) string { return k.Why() + " on " + k.Vectors(c.Encoding) }

// names lists choices hash by hash with their encodings: "xxh64 le64/be64/dec, crc32c le64 at 32
// bits".
func names(choices []*advice.Choice) string {
	var list []string
	for _, group := range advice.ByHash(choices) {
		var encodings []string
		for _, c := range group {
			encodings = append(encodings, c.Encoding)
		}
		list = append(list, group[0].Hash+" "+strings.Join(encodings, "/")+group[0].Width())
	}
	return strings.Join(list, ", ")
}
