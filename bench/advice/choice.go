package advice

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/fphash"
)

// Choice is an option of the user: a hash, an encoding of the index, and a width.
type Choice struct {
	Hash     string // with whatever its name says beyond what all names say: "fnv1a64 widen=mix"
	Encoding string
	Bits     int

	// the worst first: weak before undecided before good, and there the fewest effective bits,
	// those without figures last
	Cases []Case
	// where it is weak on other vectors than those that were asked about; nil where it is not
	Elsewhere *Case
	others    []Case // on other vectors than those that were asked about
}

// Worst is the case that earned the verdict.
func (c *Choice) Worst() Case { return c.Cases[0] }

// Verdict is Weak if one case is, and Good if all are. A case that was not measured is no fault.
func (c *Choice) Verdict() terms.Judgement { return c.Worst().Verdict }

// Fewest returns the case with the fewest effective bits in either band, whatever its verdict;
// false if none has any.
func (c *Choice) Fewest() (Case, bool) {
	fewest := slices.MinFunc(c.Cases, func(a, b Case) int { return cmp.Compare(a.least(), b.least()) })
	return fewest, !math.IsInf(fewest.least(), 1)
}

// IsDefault reports whether programs use the choice unless they are asked for another.
func (c *Choice) IsDefault() bool { return c.Hash == fphash.DefaultHash && c.Encoding == terms.LE64 }

// worth is the effective bits of the worst case, on all vectors; nil if unknown.
func (c *Choice) worth() *resultfile.Figure {
	var fewest *resultfile.Figure
	for _, k := range slices.Concat(c.Cases, c.others) {
		if f, _ := k.Worse(); f != nil && (fewest == nil || f.Median < fewest.Median) {
			fewest = f
		}
	}
	return fewest
}

// String names the choice.
func (c *Choice) String() string { return c.Hash + " with " + c.Encoding + " keys" + c.Width() }

// Width names the width of a choice, "" where it goes without saying.
func (c *Choice) Width() string {
	if c.Bits == 64 {
		return ""
	}
	return " at " + strconv.Itoa(c.Bits) + " bits"
}

// HashOf returns the name of the hash of a row, with the unusual keys of its name: "fnv1a64
// widen=mix".
func HashOf(c Cell) string {
	parts := []string{c.Name.Get("hash")}
	for _, k := range c.Name.Keys {
		if !slices.Contains(usualKeys, k.Key) {
			parts = append(parts, k.Key+"="+k.Value)
		}
	}
	return strings.Join(parts, " ")
}

// usualKeys are the keys that describe what was measured, not with what.
var usualKeys = []string{"hash", "encoding", "pattern", "weights", "f", "data", "angle", "k", "in", "kernel", "n", "nnz", "cpus"}

// Choices returns the choices that the set has rows of quality of, at all widths, in order of hash,
// encoding and width, with the cases for which keep holds.
func Choices(set *Set, keep func(Case) bool) []*Choice {
	wanted := slices.DeleteFunc(cases(set), func(k Case) bool {
		return k.Bits < 1 || !keep(k) // a row of another program's, whose name has no width
	})
	var list []*Choice
	for _, same := range GroupBy(wanted, func(k Case) choiceKey { return keyOf(k.Row) }) {
		slices.SortStableFunc(same, func(a, b Case) int {
			return cmp.Or(cmp.Compare(a.Verdict, b.Verdict), cmp.Compare(a.least(), b.least()), cmp.Compare(Name(a.Row), Name(b.Row)))
		})
		key := keyOf(same[0].Row)
		list = append(list, &Choice{Hash: key.hash, Encoding: key.encoding, Bits: key.bits, Cases: same})
	}
	slices.SortStableFunc(list, func(a, b *Choice) int {
		return cmp.Or(CompareValues(a.Hash, b.Hash), CompareValues(a.Encoding, b.Encoding), a.Bits-b.Bits)
	})
	return list
}

// choiceKey has 0 bits where the width makes no difference.
type choiceKey struct {
	hash, encoding string
	bits           int
}

func keyOf(c Cell) choiceKey {
	bits, _ := strconv.Atoi(c.Name.Get("f"))
	return choiceKey{HashOf(c), c.Encoding(), bits}
}

// cases returns those of all files. One that failed in a file counts as failed unless a later file
// has its figures.
func cases(set *Set) []Case {
	var list []Case
	places := map[string]int{}
	for _, c := range set.Exact(terms.Quality) {
		places[c.Name.String()] = len(list)
		list = append(list, NewCase(c))
	}
	for _, b := range set.Broken {
		if b.Name.Base != terms.Quality || b.Skipped {
			continue
		}
		at, ok := places[b.Name.String()]
		switch {
		case !ok:
			places[b.Name.String()] = len(list)
			list = append(list, failedCase(b))
		case list[at].Row.Source <= b.Source:
			list[at] = failedCase(b)
		}
	}
	return list
}
