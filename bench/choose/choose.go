// Package choose says in seconds which hash, which width and which threshold k suit the user's
// vectors.
//
// The hash is chosen by the rules of package advice, from rows of the suite choose of package
// bench: the quality of every hash on the user's vectors, and what whole sketches of them cost.
//
// # Width and threshold
//
// All pairs of a random sample of the vectors are compared: the exact cosine of each, and the
// distance of the two fingerprints. A pair is a near-duplicate if its cosine is at least
// [Options].Cosine. Few files have many, so edited copies of vectors (see quality.Edit) of such a
// cosine join them. At a threshold k
//
//	recall    = near-duplicates at a distance of at most k / near-duplicates, copies among them
//	precision = near-duplicates at a distance of at most k / pairs at a distance of at most k
//
// of which precision is about the vectors alone, and known only where they have 30 near-duplicates.
// In a random sample every pair is as likely as any other, so it is that of the collection. Exact
// copies have equal fingerprints whatever the hash, and count for nothing.
//
// Both are means over four keyings of the hash, where it has a seed or a key. The 95% interval of
// recall is Wilson's (1927), with no more pairs than half of the vectors concerned: pairs share
// vectors.
//
// The width is the smallest whose least k of the wanted recall has the wanted precision or, where
// precision is not known, finds at most one in ten thousand of the other pairs: with fewer pairs it
// is at least 64 bits. Where none does, it is the most precise one, and each pair has to be checked
// by its cosine.
//
// Without vectors the hashes are judged on patterns of indices, and thresholds are those of the
// model: an ideal hash and vectors of many features.
package choose

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"

	"simhashkit/bench"
	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/fphash"
	"simhashkit/internal/binomial"
)

// The default targets.
const (
	DefaultCosine    = 0.9
	DefaultRecall    = 0.95
	DefaultPrecision = 0.95
)

// Options are the targets and inputs of Choose. Zero values mean the defaults.
type Options struct {
	Data     *bench.Data       // the user's vectors; nil: none
	Dedup    string            // how a shell runs dedup on them; "" where nobody can
	Patterns []quality.Pattern // of indices, without vectors; none: those of the suite choose
	Encoding fphash.Encoding   // of the indices
	Hashes   []string          // among which to choose; none: all

	Cosine    float64 // from which on two vectors are near-duplicates
	Recall    float64 // the part of them to be found
	Precision float64 // the part of what is found to be near-duplicates

	Progress func(step string, part float64) // of the step, 0 to 1
}

// Answer is the answer of Choose.
type Answer struct {
	Options Options
	Hashes  *advice.Recommendation // on this machine, the only one

	Hash       fphash.Family // the best or, if none is known to be good, the default
	Pairs      *Pairs        // that thresholds are judged by; nil without vectors
	Thresholds []Threshold
	Met        bool // the threshold to take has the wanted precision, as far as that is known
}

// Ranking says which hash to use on this machine.
func (a *Answer) Ranking() advice.Ranking { return a.Hashes.Machines[0] }

// Choose measures and answers. It fails where the context is done, where bench.NewPlan does, and
// where no two vectors differ. All but times is determined by the options. The sample that
// thresholds are found by has 10,000 vectors at most.
func Choose(ctx context.Context, o Options) (*Answer, error) {
	o.Cosine, o.Recall, o.Precision = cmp.Or(o.Cosine, DefaultCosine), cmp.Or(o.Recall, DefaultRecall), cmp.Or(o.Precision, DefaultPrecision)
	if !(o.Cosine > -1 && o.Cosine < 1) || !(o.Recall > 0 && o.Recall <= 1) || !(o.Precision > 0 && o.Precision <= 1) {
		return nil, fmt.Errorf("choose: cosine %v, recall %v and precision %v: expected a cosine above -1 and below 1, the others above 0 and at most 1", o.Cosine, o.Recall, o.Precision)
	}
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
	a := &Answer{Options: o}
	if err := a.chooseHash(ctx); err != nil {
		return nil, err
	}
	if err := a.chooseThreshold(ctx); err != nil {
		return nil, err
	}
	return a, nil
}

// chooseHash finds the best hash on the user's vectors and, since others may come, on runs of
// indices.
func (a *Answer) chooseHash(ctx context.Context) error {
	o := a.Options
	suite := bench.Options{Suite: bench.SuiteChoose, Hashes: o.Hashes, Encodings: []fphash.Encoding{o.Encoding}, Patterns: o.Patterns}
	if o.Data != nil {
		suite.Data, suite.Patterns = o.Data.Name, []quality.Pattern{quality.Data, quality.Consecutive}
		suite.Match = regexp.MustCompile("^Quality/|/data=")
	}
	rows, err := o.measure(ctx, suite)
	if err != nil {
		return err
	}
	a.Hashes = advice.Recommend(advice.NewSet([]advice.Source{{File: resultfile.File{Config: bench.Config(), Rows: rows}}}))
	name := fphash.DefaultHash
	if best := a.Ranking().Best; best != nil {
		name = best.Hash
	}
	a.Hash, err = fphash.Lookup(name)
	return err
}

// measure runs the cases of the options, on the vectors of the user if there are any.
func (o Options) measure(ctx context.Context, suite bench.Options) ([]resultfile.Row, error) {
	plan, err := bench.NewPlan(suite)
	if err != nil {
		return nil, err
	}
	samples, sampleTime := bench.Sampling(suite.Suite)
	out, err := plan.Run(ctx, bench.NewInputs(o.Data), bench.RunOptions{Samples: samples, SampleTime: sampleTime, Progress: func(p bench.Progress) {
		step := "timing hashes"
		if p.Step == "quality" {
			step = "judging hashes"
		}
		o.Progress(step, float64(p.Case-1)/float64(p.Cases))
	}})
	if err != nil {
		return nil, err
	}
	for _, r := range out.Rows {
		if r.Err != "" {
			return nil, fmt.Errorf("choose: %s: %s", r.Name, r.Err)
		}
	}
	return out.Rows, nil
}

func (a *Answer) chooseThreshold(ctx context.Context) error {
	if a.Options.Data == nil {
		a.Thresholds, a.Met = a.modelled(nil), true
		return nil
	}
	set, err := a.Options.Data.Float32()
	if err != nil {
		return err
	}
	s, err := compare(ctx, &set, a.measured(), a.Options)
	if err != nil {
		return err
	}
	a.Pairs = s.pairs
	a.Thresholds, a.Met = a.measuredThresholds(s)
	return nil
}

// measured returns the hash to measure thresholds with: the default if it is good.
func (a *Answer) measured() hash {
	family := a.Hash
	if d := a.Hashes.Default; d != nil && a.Ranking().Why == advice.ClearlyCheaper && family.Bits >= 64 {
		if byDefault, err := fphash.Lookup(d.Hash); err == nil {
			family = byDefault
		}
	}
	return hash{family: family, encoding: a.Options.Encoding}
}

// Threshold is a threshold that can be chosen, and its expected results.
type Threshold struct {
	Bits  int    `json:"bits"`
	K     int    `json:"k"`
	Widen string `json:"widen,omitempty"` // how the hash gets that width; "" where it has it

	// part of the near-duplicates; by the model, of pairs of exactly the cosine
	Finds float64 `json:"recall"`
	Low   float64 `json:"recallLow,omitempty"` // of its 95% interval
	High  float64 `json:"recallHigh,omitempty"`
	// of those in the least tenth of the cosines, such as 0.9 to 0.91; nil: unknown
	FindsFar *float64 `json:"recallFar,omitempty"`
	// part of what is found that are near-duplicates; nil: not known
	Real *float64 `json:"precision,omitempty"`
	// pairs that a million such vectors have within k, besides copies
	Found  float64 `json:"foundPerMillionVectors"`
	AtMost bool    `json:"atMost,omitempty"` // none was found, and Found is a bound
	Take   bool    `json:"take,omitempty"`   // it is the one that is suggested

	others float64 // part of the other pairs within k
}

const (
	million    = 1_000_000 // vectors, which Found is about
	mostOthers = 100e-6    // of the other pairs that a threshold without precision may find
	usualBits  = 64        // fewer are suggested only if there are enough pairs to judge them by
)

// few reports whether other pairs are too few to show that a threshold finds few of them.
func (p *Pairs) few() bool { return float64(p.others()) < 1/mostOthers }

// others returns the number of pairs that are neither near-duplicates nor copies.
func (p *Pairs) others() uint64 { return p.All - p.Copies - p.Near }

// Taken is the threshold that is suggested.
func (a *Answer) Taken() Threshold {
	return a.Thresholds[slices.IndexFunc(a.Thresholds, func(t Threshold) bool { return t.Take })]
}

// measuredThresholds lists thresholds: at the best width those of rising recall, at its neighbours
// the one of the wanted recall. met says whether the best one has what is wanted.
func (a *Answer) measuredThresholds(c *comparison) (list []Threshold, met bool) {
	if c.pairs.Near+uint64(c.pairs.Edits) < leastPairs {
		return a.modelled(c), true
	}
	o := a.Options
	least := make([]Threshold, len(c.widths)) // of the wanted recall
	best := -1
	usual := min(usualBits, c.widths[len(c.widths)-1].bits)
	for i, w := range c.widths {
		k := c.atLeast(w, o.Recall)
		least[i] = c.threshold(w, k)
		switch {
		case met, least[i].Real == nil && w.bits < usual && c.pairs.few():
		case least[i].fits(o.Precision):
			best, met = i, true
		case best < 0 || least[i].better(least[best]):
			best = i
		}
	}
	for i, w := range c.widths {
		if i != best {
			if i == best-1 || i == best+1 {
				list = append(list, least[i])
			}
			continue
		}
		at := []int{c.atLeast(w, 0.8), least[i].K, c.atLeast(w, 0.99)}
		slices.Sort(at)
		for _, k := range slices.Compact(at) {
			t := c.threshold(w, k)
			t.Take = k == least[i].K
			list = append(list, t)
		}
	}
	return list, met
}

func (t Threshold) fits(precision float64) bool {
	if t.Real == nil {
		return t.others <= mostOthers
	}
	return *t.Real >= precision
}

// better reports whether t finds fewer false positives.
func (t Threshold) better(o Threshold) bool {
	if t.Real == nil || o.Real == nil {
		return t.others < o.others
	}
	return *t.Real > *o.Real
}

func (c *comparison) threshold(w *width, k int) Threshold {
	near, other, edits := within(w.near, k), within(w.other, k), within(w.edits, k)
	keyings, p := float64(w.keyings), c.pairs
	t := Threshold{Bits: w.bits, K: k, Widen: w.widen}
	if all := float64(p.Near) + float64(p.Edits); all > 0 {
		t.Finds = (near + edits) / keyings / all
		// pairs share vectors, so they are no independent sample; an edit has a vector of its own
		t.Low, t.High = binomial.Wilson(t.Finds, min(all, max(1, float64(p.related)/2+float64(p.Edits)/2)))
	}
	if far := within(w.far, w.bits); far >= leastPairs*keyings {
		part := within(w.far, k) / far
		t.FindsFar = &part
	}
	if p.Near >= leastPairs && near+other > 0 {
		part := near / (near + other)
		t.Real = &part
	}
	pairs := float64(p.All - p.Copies)
	found := (near + other) / keyings
	if found == 0 { // three or fewer of n are the 95% interval of none
		found, t.AtMost = 3, true
	}
	if pairs > 0 {
		t.Found = found / pairs * million * (million - 1) / 2
	}
	if others := float64(p.others()); others > 0 {
		t.others = other / keyings / others
	}
	return t
}

// atLeast returns the smallest k of a recall.
func (c *comparison) atLeast(w *width, recall float64) int {
	k := 0
	for k < w.bits && c.threshold(w, k).Finds < recall {
		k++
	}
	return k
}

func within(byDistance []uint64, k int) float64 {
	sum := uint64(0)
	for _, n := range byDistance[:k+1] {
		sum += n
	}
	return float64(sum)
}

// modelled lists thresholds by the model. Unless the vectors show more, found pairs are unrelated.
func (a *Answer) modelled(c *comparison) (list []Threshold) {
	bits := min(64, a.Hash.Bits)
	near, none := binomial.OfCosine(bits, a.Options.Cosine), binomial.OfCosine(bits, 0)
	for _, recall := range []float64{0.8, 0.99, a.Options.Recall} {
		k := slices.IndexFunc(near, func(p float64) bool { return p >= recall })
		t := Threshold{Bits: bits, K: k, Found: none[k] * million * (million - 1) / 2}
		if c != nil {
			t = c.threshold(c.widths[slices.IndexFunc(c.widths, func(w *width) bool { return w.bits == bits })], k)
			t.Low, t.High, t.FindsFar = 0, 0, nil
		}
		t.Finds, t.Take = near[k], recall == a.Options.Recall
		at, there := slices.BinarySearchFunc(list, t, func(a, b Threshold) int { return a.K - b.K })
		if there {
			list[at].Take = list[at].Take || t.Take
		} else {
			list = slices.Insert(list, at, t)
		}
	}
	return list
}
