package advice

import (
	"fmt"
	"strings"
)

// manyAlike is how many choices with the same reason share a line.
const manyAlike = 3

// Faults says of each choice, in their order, why it is judged as it is. Several with the same
// reason, whatever their encodings, share a line in the place of the first of them.
func Faults(choices []*Choice) (lines []string) {
	reason := func(c *Choice) string {
		w := c.Worst()
		return fmt.Sprintf("%d %s %s", w.Verdict, w.Why(), Name(w.Row))
	}
	for _, group := range GroupBy(choices, reason) {
		if len(group) >= manyAlike {
			w := group[0].Worst()
			lines = append(lines, w.Why()+" on keys of "+w.Vectors("")+": "+Names(group))
			continue
		}
		for _, c := range group {
			lines = append(lines, c.Hash+": "+c.why(c.Worst()))
		}
	}
	return lines
}

// why is the reason of a verdict with what the hash was given: "8.5 of 64 bits (42.6 at cosine 0.9
// and above) on big-endian keys of runs of consecutive indices, unit weights".
func (c *Choice) why(k Case) string { return k.Why() + " on " + k.Vectors(c.Encoding) }

// Names lists choices hash by hash with their encodings: "xxh64 le64/be64/dec, crc32c le64 at 32
// bits".
func Names(choices []*Choice) string {
	var list []string
	for _, group := range GroupBy(choices, func(c *Choice) string { return c.Hash + c.Width() }) {
		var encodings []string
		for _, c := range group {
			encodings = append(encodings, c.Encoding)
		}
		list = append(list, group[0].Hash+" "+strings.Join(encodings, "/")+group[0].Width())
	}
	return strings.Join(list, ", ")
}
