package advice

import (
	"cmp"
	"fmt"
	"slices"

	"simhashkit/bench/rows"
	"simhashkit/bench/terms"
	"simhashkit/internal/english"
)

// UnsureFindings say what unsure bits are good for.
type UnsureFindings struct {
	Usual  int         // which of the list are vectors as they should be
	Answer Statement   // on those
	Fails  []Statement // where less is gained, the least first
	Holds  []Statement // other vectors, on which as much is
}

// FindUnsure compares searches that ignore the least sure bits with plain ones that let as many
// strangers pass, and estimates by sums with those by the distance. The list has one at least.
func FindUnsure(list []*Unsure) (f UnsureFindings) {
	f.Usual = max(0, slices.IndexFunc(list, func(u *Unsure) bool { return u.Weights == terms.LogNormal }))
	usual := list[f.Usual]
	f.Answer = usual.answer()
	others := slices.DeleteFunc(slices.Clone(list), func(u *Unsure) bool { return u == usual })
	slices.SortStableFunc(others, func(a, b *Unsure) int { return cmp.Compare(a.gained(), b.gained()) })
	for _, u := range others {
		finding, fails := u.beside(usual)
		switch {
		case finding.Words == "":
		case fails:
			f.Fails = append(f.Fails, finding)
		default:
			f.Holds = append(f.Holds, finding)
		}
	}
	for _, finding := range []Statement{usual.far(), usual.farther(), usual.bothSides()} {
		if finding.Words != "" {
			f.Fails = append(f.Fails, finding)
		}
	}
	return f
}

// cosine is the one that sentences are about.
func (u *Unsure) cosine() string {
	const nearDuplicates = "0.95"
	if slices.Contains(u.Cosines, nearDuplicates) {
		return nearDuplicates
	}
	return u.Cosines[len(u.Cosines)/2]
}

// gain is what the masked search and the plain one find at a cosine.
func (u *Unsure) gain(cosine string) (masked, plain float64, from []rows.Cell, ok bool) {
	masked, maskedRow, found := u.Found(u.Masked, cosine)
	plain, plainRow, beside := u.Found(u.Plain, cosine)
	return masked, plain, []rows.Cell{maskedRow, plainRow}, found && beside
}

// gained is how many more pairs the masked search finds; 0 where one of the two was not measured.
func (u *Unsure) gained() float64 {
	masked, plain, _, ok := u.gain(u.cosine())
	if !ok {
		return 0
	}
	return masked - plain
}

func (u *Unsure) answer() (f Statement) {
	cosine := u.cosine()
	masked, plain, from, ok := u.gain(cosine)
	if !ok {
		return f
	}
	f.Rows = from
	f.Words = fmt.Sprintf("Of pairs of cosine %s, k = %s finds %s%% without the %s least sure of %s bits; plain k = %s", cosine, u.Masked.K, english.Hundred(masked), u.Masked.Ignored, u.Bits, u.Plain.K)
	if times, rows, ok := u.openness(); ok {
		f.Words += ", which lets " + asMany(times) + " strangers pass,"
		f.Rows = append(f.Rows, rows...)
	}
	f.Words += fmt.Sprintf(" finds %s%%.", english.Hundred(plain))
	byDistance, distance, ok := u.Error(terms.CosineRMSE, terms.ByDistance, cosine)
	bySums, sums, there := u.Error(terms.CosineRMSE, terms.BySums, cosine)
	if ok && there && bySums > 0 {
		f.Words += fmt.Sprintf(" Cosines estimated by the sums are off by %.3f there, by the distance by %.3f, %s times as much.", bySums, byDistance, factor(byDistance/bySums))
		f.Rows = append(f.Rows, sums, distance)
	}
	return f
}

// openness is how many times as many strangers the plain search lets pass.
func (u *Unsure) openness() (times float64, from []rows.Cell, ok bool) {
	masked, maskedRow, found := u.Strangers(u.Masked)
	plain, plainRow, beside := u.Strangers(u.Plain)
	if !found || !beside || masked <= 0 || plain <= 0 {
		return 0, nil, false
	}
	return plain / masked, []rows.Cell{maskedRow, plainRow}, true
}

// alike is up to which factor numbers of strangers are the same to a reader.
const alike = 1.25

func asMany(times float64) string {
	if times <= alike && times >= 1/alike {
		return "as many"
	}
	return factor(times) + " times as many"
}

// Which part of the gain on vectors as they should be is less, and which is next to nothing.
const (
	lessGain    = 0.75
	nothingGain = 0.25
)

// noticeable is the part of an error from which on its mean is worth a word.
const noticeable = 0.2

// beside says what is gained on other vectors than the usual ones.
func (u *Unsure) beside(usual *Unsure) (f Statement, fails bool) {
	masked, plain, from, ok := u.gain(u.cosine())
	if !ok {
		return f, false
	}
	what := u.Vectors()
	if u.Bits != usual.Bits || u.Hash != usual.Hash {
		what += fmt.Sprintf(", %s bits of %s", u.Bits, u.Hash)
	}
	f.Rows = from
	f.Words = what + ": "
	switch usually := max(usual.gained(), 0); {
	case masked-plain < nothingGain*usually:
		f.Words, fails = f.Words+"next to nothing is gained", true
	case masked-plain < lessGain*usually:
		f.Words, fails = f.Words+"less is gained", true
	default:
		f.Words += "as much is gained"
	}
	f.Words += fmt.Sprintf(", %s%% found against %s%% at cosine %s.", english.Hundred(masked), english.Hundred(plain), u.cosine())
	for _, more := range []struct {
		Statement
		fails bool
	}{{u.behind(), true}, {u.shifted(), true}, {u.opened(), false}} {
		if more.Words != "" {
			f.Words, f.Rows, fails = f.Words+" "+more.Words, append(f.Rows, more.Rows...), fails || more.fails
		}
	}
	return f, fails
}

// behind says at which cosine the masked search finds less than the plain one.
func (u *Unsure) behind() (f Statement) {
	const chance = 0.02 // that neither of two shares of some hundred pairs is off by
	for _, cosine := range slices.Backward(u.Cosines) {
		if masked, plain, from, ok := u.gain(cosine); ok && masked < plain-chance {
			return Statement{fmt.Sprintf("At %s masks even find less than plain k = %s, %s%% against %s%%.", cosine, u.Plain.K, english.Hundred(masked), english.Hundred(plain)), from}
		}
	}
	return f
}

// shifted says how much too high or too low the estimate by sums is on average.
func (u *Unsure) shifted() (f Statement) {
	last := u.Cosines[len(u.Cosines)-1]
	bias, row, ok := u.Error(terms.CosineBias, terms.BySums, u.cosine())
	rmse, _, there := u.Error(terms.CosineRMSE, terms.BySums, u.cosine())
	if !ok || !there || max(bias, -bias) < noticeable*rmse {
		return f
	}
	f = Statement{fmt.Sprintf("The estimate by the sums is %.3f too %s on average", max(bias, -bias), highOrLow(bias)), []rows.Cell{row}}
	if at, row, ok := u.Error(terms.CosineBias, terms.BySums, last); ok && last != u.cosine() {
		f.Words += fmt.Sprintf(", and %.3f too %s at %s", max(at, -at), highOrLow(at), last)
		f.Rows = append(f.Rows, row)
	}
	f.Words += "."
	return f
}

func highOrLow(bias float64) string {
	if bias < 0 {
		return "low"
	}
	return "high"
}

// opened says that the plain search lets more strangers pass than the masks do.
func (u *Unsure) opened() (f Statement) {
	times, from, ok := u.openness()
	if !ok || times <= alike {
		return f
	}
	f = Statement{fmt.Sprintf("Plain k = %s lets %s strangers pass here", u.Plain.K, asMany(times)), from}
	if u.Weights == unitWeights {
		f.Words += ": sums of zero make bits that are alike"
	}
	f.Words += "."
	return f
}

// far says where most pairs are missed all the same.
func (u *Unsure) far() (f Statement) {
	for _, cosine := range u.Cosines {
		if masked, plain, from, ok := u.gain(cosine); ok && masked < 0.5 {
			return Statement{fmt.Sprintf("Pairs further apart are missed all the same: at cosine %s masks find %s%%, plain k = %s finds %s%%.", cosine, english.Hundred(masked), u.Plain.K, english.Hundred(plain)), from}
		}
	}
	return f
}

// farther says what happens to pairs that nobody looks for.
func (u *Unsure) farther() (f Statement) {
	last := u.Cosines[len(u.Cosines)-1]
	if masked, plain, from, ok := u.gain(last); ok && last != u.cosine() && plain > 0 && masked > plain {
		f = Statement{fmt.Sprintf("Pairs that are no near-duplicates pass more often too, though strangers do not: of those of cosine %s, %s times as many as by plain k = %s.",
			last, factor(masked/plain), u.Plain.K), from}
	}
	return f
}

// bothSides compares masks on both sides with one mask of as many bits.
func (u *Unsure) bothSides() (f Statement) {
	masked, row, ok := u.Found(u.Masked, u.cosine())
	both, other, there := u.Found(u.Both, u.cosine())
	if ok && there {
		f = Statement{fmt.Sprintf("Masks of %s bits on either side find %s%% at cosine %s, one mask of %s finds %s%%: stored masks pay only where the query has no sums.",
			u.Both.Ignored, english.Hundred(both), u.cosine(), u.Masked.Ignored, english.Hundred(masked)), []rows.Cell{other, row}}
	}
	return f
}
