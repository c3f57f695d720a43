// Package choose selects a hash, a width and a threshold k for the user's vectors, within seconds.
//
// Package advice selects the hash. It uses the results of the suite choose of package bench: the
// quality of every hash on the user's vectors, and the time of whole sketches.
//
// # Width and threshold
//
// Choose draws a random sample of the vectors. For all pairs of the sample, it computes the exact
// cosine and the distance of the fingerprints. A pair is a near-duplicate if its cosine is at least
// [Options].Cosine. Few files have many near-duplicates, so Choose adds edited copies of vectors
// (see quality.Edit) that reach this cosine. At a threshold k
//
//	recall    = near-duplicates and edited copies within k / all near-duplicates and edited copies
//	precision = near-duplicates within k / pairs of the sample within k
//
// Precision excludes edited copies, and is unknown with fewer than 30 near-duplicates. The sample
// is random, so its precision is an estimate for all vectors. Exact copies have equal fingerprints
// with every hash, so they are ignored.
//
// If the hash has a seed or a key, both are means over four keyings. The 95% interval of recall is
// Wilson's (1927). Because pairs share vectors, it counts at most half as many pairs as there are
// vectors in them.
//
// For each width, Choose takes the smallest k that reaches the recall. It picks the smallest width
// whose k reaches the precision. If precision is unknown, k may find at most one in ten thousand
// other pairs; with fewer other pairs, the width is at least 64 bits. If no width qualifies, Choose
// picks the most precise one, and users should compare the cosines of the found pairs.
//
// For MinHash and feature hashing, Choose recommends only a hash: there are no thresholds.
//
// Without vectors, hashes are judged on patterns of indices, and thresholds come from a model: an
// ideal hash, and vectors with many features.
package choose

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"

	"simhashkit/bench"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
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
	Data     *bench.Data       // the user's vectors, or nil
	Dedup    string            // shell command that runs dedup on them, or ""
	Patterns []quality.Pattern // if Data is nil; default: those of the suite choose
	Encoding fphash.Encoding   // encoding of the indices
	Hashes   []string          // candidates; default: all
	Sketch   string            // what the hash is for, as in terms.Sketches; "": simhash

	Cosine    float64 // minimum of near-duplicates, below 1
	Recall    float64 // minimum share of near-duplicates to find, at most 1
	Precision float64 // minimum share of near-duplicates among the found pairs, at most 1

	Progress func(step string, part float64) // part is the share of the step that is done
}

// Answer is the result of Choose.
type Answer struct {
	Options Options
	Hashes  *advice.Recommendation // has one ranking, for this machine

	Hash       fphash.Family // the recommended hash, or the default if there is none
	Pairs      *Pairs        // used to judge thresholds; nil without vectors
	Thresholds []Threshold
	Met        bool // whether the suggested threshold has the wanted precision, if that is known
}

// Ranking returns the ranking of hashes on this machine.
func (a *Answer) Ranking() advice.Ranking { return a.Hashes.Machines[0] }

// Choose measures hashes and thresholds. It fails if ctx is cancelled, if bench.NewPlan fails, or
// if no two vectors differ. The options determine all results except times. Thresholds are measured
// on a sample of at most 10,000 vectors.
func Choose(ctx context.Context, o Options) (*Answer, error) {
	o.Cosine, o.Recall, o.Precision = cmp.Or(o.Cosine, DefaultCosine), cmp.Or(o.Recall, DefaultRecall), cmp.Or(o.Precision, DefaultPrecision)
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
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
// indices, because future vectors may have other indices.
func (a *Answer) chooseHash(ctx context.Context) error {
	o := a.Options
	suite := bench.Options{Suite: bench.SuiteChoose, Hashes: o.Hashes, Encodings: []fphash.Encoding{o.Encoding}, Patterns: o.Patterns, Sketch: o.Sketch}
	if o.Data != nil {
		suite.Data, suite.Patterns = o.Data.Name, []quality.Pattern{quality.Data, quality.Consecutive}
		suite.Match = regexp.MustCompile("^Quality/|^Hash/|/data=")
	}
	rows, err := o.measure(ctx, suite)
	if err != nil {
		return err
	}
	a.Hashes = advice.Recommend(advice.NewSet([]advice.Source{{File: bench.File(nil, rows)}}).For(o.Sketch))
	name := fphash.DefaultHash
	if best := a.Ranking().Best; best != nil {
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
	samples, sampleTime := bench.Sampling(suite.Suite)
	rows, err := plan.Run(ctx, bench.NewInputs(o.Data), bench.RunOptions{Samples: samples, SampleTime: sampleTime, Progress: func(p bench.Progress) {
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

// measured returns the hash to measure thresholds with. If the recommended hash replaces a good
// default only because it is cheaper, that is the default: thresholds must not depend on times.
func (a *Answer) measured() hash {
	family := a.Hash
	if d := a.Hashes.Default; d != nil && a.Ranking().Why == advice.ClearlyCheaper && family.Bits >= 64 {
		if byDefault, err := fphash.Lookup(d.Hash); err == nil {
			family = byDefault
		}
	}
	return hash{family: family, encoding: a.Options.Encoding}
}

// Threshold is a possible threshold with its expected results.
type Threshold struct {
	Bits  int    `json:"bits"`
	K     int    `json:"k"`
	Widen string `json:"widen,omitempty"` // how the hash is widened; "" if it is wide enough

	// share of near-duplicates that are found; in the model, of pairs of exactly the cosine
	Finds float64 `json:"recall"`
	Low   float64 `json:"recallLow,omitempty"` // 95% interval of Finds; 0 in the model
	High  float64 `json:"recallHigh,omitempty"`
	// share found in the lowest tenth of the cosines, such as 0.9 to 0.91; nil if unknown
	FindsFar *float64 `json:"recallFar,omitempty"`
	// share of near-duplicates among the found pairs; nil if unknown
	Real *float64 `json:"precision,omitempty"`
	// expected pairs within k among a million such vectors, without copies
	Found  float64 `json:"foundPerMillionVectors"`
	AtMost bool    `json:"atMost,omitempty"` // no pair was found, so Found is an upper limit
	Take   bool    `json:"take,omitempty"`   // whether this threshold is suggested

	others float64 // share of the other pairs within k
}

const (
	million    = 1_000_000 // number of vectors in Found
	mostOthers = 100e-6    // share of other pairs that k may find if precision is unknown
	usualBits  = 64        // narrower widths are suggested only with enough pairs
)

// few reports whether there are too few other pairs to measure a share of mostOthers.
func (p *Pairs) few() bool { return float64(p.others()) < 1/mostOthers }

// others returns the number of pairs that are neither near-duplicates nor copies.
func (p *Pairs) others() uint64 { return p.All - p.Copies - p.Near }

// Taken returns the suggested threshold.
func (a *Answer) Taken() Threshold {
	return a.Thresholds[slices.IndexFunc(a.Thresholds, func(t Threshold) bool { return t.Take })]
}

// measuredThresholds returns several thresholds at the best width, and one at each neighbouring
// width. met reports whether the suggested one has the wanted precision.
func (a *Answer) measuredThresholds(c *comparison) (list []Threshold, met bool) {
	if c.pairs.Near+uint64(c.pairs.Edits) < leastPairs {
		return a.modelled(c), true
	}
	o := a.Options
	least := make([]Threshold, len(c.widths)) // the smallest with the wanted recall
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
		// pairs share vectors, so at most half as many pairs as vectors are independent
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
	if found == 0 { // if none of n is found, the upper 95% limit is 3 of n
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

// atLeast returns the smallest k that reaches the recall.
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

// modelled returns thresholds from the model. If c is not nil, the numbers of found pairs are
// measured; otherwise they are computed for unrelated vectors.
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
