// Package choose selects a hash, a width and a threshold k for the user's vectors, within seconds.
//
// Package advice selects the hash. It uses the results of the suite choose of package bench: the
// quality of every hash on the user's vectors, and the time of whole sketches.
//
// Width and threshold follow from the near-duplicates of the vectors: the pairs whose cosine is at
// least [Options].Cosine. Without vectors, or with fewer than 30 such pairs, k follows from a
// model: an ideal hash, and vectors with many features. METHODOLOGY.md has the rules. For MinHash
// and feature hashing, Choose recommends only a hash: there are no thresholds.
package choose

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"

	"simhashkit/bench"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/fphash"
	"simhashkit/internal/bench/advice"
	"simhashkit/internal/bench/terms"
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
	Data     *bench.Data     // the user's vectors, or nil
	Dedup    string          // shell command that runs dedup on them, or ""
	Patterns []string        // if Data is nil; default: those of the suite choose
	Encoding fphash.Encoding // encoding of the indices
	Hashes   []string        // candidates; default: all
	Sketch   string          // what the hash is for, as in terms.Sketches; "": simhash

	Cosine    float64 // minimum of near-duplicates, below 1
	Recall    float64 // minimum share of near-duplicates to find, at most 1
	Precision float64 // minimum share of near-duplicates among the found pairs, at most 1

	Progress func(step string, part float64) // part is the share of the step that is done

	run func(ctx context.Context, suite bench.Options) ([]resultfile.Row, error) // measures; replaced in tests
}

// Answer is the result of Choose.
type Answer struct {
	Options Options
	Hashes  *advice.Recommendation

	Hash       fphash.Family // the recommended hash, or the default if there is none
	Pairs      *Pairs        // of the vectors; nil without vectors
	By         string        // what k was chosen by: ByPairs or ByTheory
	Thresholds []Threshold
	Met        bool // whether the suggested threshold has the wanted precision, if that is known

	// With ByPairs, the k and the widths that other samples of the file might lead to.
	KFrom, KTo int
	Widths     []int
}

// What k was chosen by.
const (
	ByPairs  = "near-duplicates" // of the file
	ByTheory = "theory"          // because there are too few
)

// Certain reports whether other samples of the file would lead to the same width and k.
func (a *Answer) Certain() bool { return a.By == ByPairs && a.KFrom == a.KTo && len(a.Widths) == 1 }

// Choose measures hashes and thresholds. It fails if ctx is cancelled, if bench.NewPlan fails, or
// if no two vectors differ. The options determine all results except times. Thresholds are measured
// on a sample of at most 10,000 vectors.
func Choose(ctx context.Context, o Options) (*Answer, error) {
	o.Cosine, o.Recall, o.Precision = cmp.Or(o.Cosine, DefaultCosine), cmp.Or(o.Recall, DefaultRecall), cmp.Or(o.Precision, DefaultPrecision)
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
	if o.run == nil {
		o.run = o.measure
	}
	a := &Answer{Options: o}
	if err := a.chooseHash(ctx); err != nil {
		return nil, err
	}
	if o.hashOnly() {
		return a, nil
	}
	if err := a.chooseThreshold(ctx); err != nil {
		return nil, err
	}
	return a, nil
}

// hashOnly reports whether the sketch has no threshold.
func (o *Options) hashOnly() bool { return o.Sketch == terms.MinHash || o.Sketch == terms.Hashing }

// chooseHash finds the best hash on the user's vectors. It also measures runs of consecutive
// indices, because future vectors may have other indices. It times all hashes before it judges them
// and once more afterwards, so that a burst of load is not in both halves of the samples.
func (a *Answer) chooseHash(ctx context.Context) error {
	o := a.Options
	suite := bench.Options{Suite: "choose", Hashes: o.Hashes, Encodings: []fphash.Encoding{o.Encoding}, Patterns: o.Patterns, Sketch: o.Sketch}
	times := "^Hash/|^Sketch/"
	if o.Data != nil {
		suite.Data, suite.Patterns = o.Data.Name, []string{terms.Data, terms.Consecutive}
		times = "^Hash/|^Sketch/.*/data="
	}
	suite.Match = regexp.MustCompile("^Quality/|" + times)
	rows, err := o.run(ctx, suite)
	if err != nil {
		return err
	}
	if !o.hashOnly() { // times decide nothing for other sketches
		suite.Match = regexp.MustCompile(times)
		again, err := o.run(ctx, suite)
		if err != nil {
			return err
		}
		for _, r := range again {
			i := slices.IndexFunc(rows, func(o resultfile.Row) bool { return o.Name == r.Name && o.Unit == r.Unit })
			rows[i].Samples = append(rows[i].Samples, r.Samples...)
		}
	}
	a.Hashes = advice.Recommend(advice.NewSet([]advice.Source{{File: bench.File(nil, rows)}}).For(o.Sketch))
	name := fphash.DefaultHash
	if best := a.Hashes.Best; best != nil {
		name = best.Hash
	}
	a.Hash, err = fphash.Lookup(name)
	return err
}

// measure runs the suite, on the user's vectors if there are any.
func (o Options) measure(ctx context.Context, suite bench.Options) ([]resultfile.Row, error) {
	plan, err := bench.NewPlan(suite)
	if err != nil {
		return nil, err
	}
	rows, err := plan.Run(ctx, o.Data, bench.RunOptions{Progress: func(p bench.Progress) {
		step := "timing hashes"
		if p.Step == "quality" {
			step = "judging hashes"
		}
		o.Progress(step, float64(p.Case-1)/float64(p.Cases))
	}})
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if r.Err != "" {
			return nil, fmt.Errorf("choose: %s: %s", r.Name, r.Err)
		}
	}
	return rows, nil
}

func (a *Answer) chooseThreshold(ctx context.Context) error {
	if a.Options.Data != nil {
		set, err := a.Options.Data.Float32()
		if err != nil {
			return err
		}
		c, err := compare(ctx, &set, a.Hash, a.Options)
		if err != nil {
			return err
		}
		if a.Pairs = c.pairs; a.Pairs.Near >= leastPairs {
			a.measuredThresholds(c)
			return nil
		}
	}
	a.By, a.Thresholds, a.Met = ByTheory, a.modelled(), true
	return nil
}

// Threshold is a possible threshold with its expected results.
type Threshold struct {
	Bits  int    `json:"bits"`
	K     int    `json:"k"`
	Widen string `json:"widen,omitempty"` // how the hash is widened; "" if it is wide enough

	// share of near-duplicates that are found; 0 if only Low is known
	Finds float64 `json:"recall,omitempty"`
	Low   float64 `json:"recallLow"` // 95% interval of Finds
	High  float64 `json:"recallHigh"`
	// share found at the threshold: in the lowest tenth of the cosines, such as 0.9 to 0.91, or in
	// theory exactly there; nil if unknown
	FindsFar *float64 `json:"recallAtThreshold,omitempty"`
	// share of near-duplicates among the found pairs; nil if unknown
	Real *float64 `json:"precision,omitempty"`
	// expected pairs within k among a million such vectors, with copies
	Found  float64 `json:"foundPerMillionVectors"`
	AtMost bool    `json:"atMost,omitempty"` // no pair was found, so Found is an upper limit
	Take   bool    `json:"take,omitempty"`   // whether this threshold is suggested

	real share
}

const (
	million   = 1_000_000 // number of vectors in Found
	usualBits = 64        // narrower widths are suggested only if they surely have the precision
)

// Taken returns the suggested threshold.
func (a *Answer) Taken() Threshold {
	return a.Thresholds[slices.IndexFunc(a.Thresholds, func(t Threshold) bool { return t.Take })]
}

// measuredThresholds sets the thresholds of the answer: several at the best width, and one at each
// neighbouring width.
func (a *Answer) measuredThresholds(c *comparison) {
	o, widths := a.Options, c.widths
	a.By = ByPairs
	best, sure := -1, false
	least := make([]Threshold, len(widths)) // the smallest with the wanted recall
	for i, w := range widths {
		last := i == len(widths)-1
		from := c.least(w, func(t Threshold) bool { return t.High >= o.Recall })
		to := c.least(w, func(t Threshold) bool { return t.Low >= o.Recall })
		least[i] = c.least(w, func(t Threshold) bool { return t.Finds >= o.Recall })
		if !sure && (last || from.real.high >= o.Precision) {
			a.Widths = append(a.Widths, w.bits)
		}
		sure = sure || to.real.low >= o.Precision
		fits := least[i].real.value >= o.Precision && (sure || w.bits >= usualBits)
		if best < 0 && (fits || last) {
			best, a.Met, a.KFrom, a.KTo = i, fits, from.K, to.K
		}
	}
	for i, w := range widths {
		if i != best {
			if i == best-1 || i == best+1 {
				a.Thresholds = append(a.Thresholds, least[i])
			}
			continue
		}
		at := []int{least[i].K}
		for _, recall := range []float64{0.8, 0.99} {
			at = append(at, c.least(w, func(t Threshold) bool { return t.Finds >= recall }).K)
		}
		slices.Sort(at)
		for _, k := range slices.Compact(at) {
			t := c.threshold(w, k)
			t.Take = k == least[i].K
			a.Thresholds = append(a.Thresholds, t)
		}
	}
}

func (c *comparison) threshold(w *width, k int) Threshold {
	t, p := Threshold{Bits: w.bits, K: k, Widen: w.widen}, c.pairs
	keyings := float64(w.keyings)
	independent := float64(p.related) / 2 // pairs share vectors, so at most half as many pairs are independent
	near, nearAll := w.near.within(k)
	other, otherAll := w.other.within(k)
	recall := func(all tally) share {
		found, _ := all.within(k)
		missed, _ := all.within(w.bits)
		for i := range missed {
			missed[i] -= found[i]
		}
		return shareOf(found, missed, w.keyings, math.Floor(independent))
	}
	finds := recall(w.near)
	t.Finds, t.Low, t.High = finds.value, finds.low, finds.high
	if _, all := w.far.within(w.bits); all >= leastPairs*keyings {
		atThreshold := recall(w.far)
		t.FindsFar = &atThreshold.value
	}
	t.real = shareOf(near, other, w.keyings, independent)
	t.Real = &t.real.value
	found := (nearAll+otherAll)/keyings + float64(p.Copies)
	if found == 0 { // if none of n is found, the upper 95% limit is 3 of n
		found, t.AtMost = 3, true
	}
	t.Found = found / float64(max(1, p.All)) * million * (million - 1) / 2
	return t
}

// least returns the threshold with the smallest k for which enough returns true, or with the width
// if there is none.
func (c *comparison) least(w *width, enough func(Threshold) bool) Threshold {
	for k := 0; ; k++ {
		if t := c.threshold(w, k); k == w.bits || enough(t) {
			return t
		}
	}
}

// modelled returns thresholds from the model, which knows the recall at the threshold, and the
// pairs that are found among unrelated vectors.
func (a *Answer) modelled() (list []Threshold) {
	bits := min(64, a.Hash.Bits)
	near, none := binomial.OfCosine(bits, a.Options.Cosine), binomial.OfCosine(bits, 0)
	least := func(recall float64) int { return slices.IndexFunc(near, func(p float64) bool { return p >= recall }) }
	taken := least(a.Options.Recall)
	at := []int{least(0.8), least(0.99), taken}
	slices.Sort(at)
	for _, k := range slices.Compact(at) {
		list = append(list, Threshold{Bits: bits, K: k, Low: near[k], High: 1, FindsFar: &near[k], Found: none[k] * million * (million - 1) / 2, Take: k == taken})
	}
	return list
}
