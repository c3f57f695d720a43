package choose

import (
	"cmp"
	"context"
	"fmt"
	"regexp"

	"simhashkit/bench"
	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/fphash"
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

	// to use: the best or, where none is known to be good, the default
	Hash       fphash.Family
	Pairs      *Pairs // that thresholds are judged by; nil without vectors
	Thresholds []Threshold
	Met        bool // the threshold to take has the wanted precision, as far as that is known
}

// Ranking says which hash to use on this machine.
func (a *Answer) Ranking() advice.Ranking { return a.Hashes.Machines[0] }

// Choose measures and answers. It fails where the context is done, with the cause of that, where
// bench.NewPlan does, and where no two vectors differ. All but times is determined by the options.
//
// Cost: for 20,000 vectors of 30 features below ten seconds on two cores; the sample that
// thresholds are found by has 10,000 vectors at most, and what is timed 262,144 features.
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

// chooseHash measures the hashes and finds the best: on the user's vectors and, since those that
// come tomorrow may differ, on runs of consecutive indices, which single out most weak hashes.
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

// chooseThreshold finds width and k.
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

// measured returns the hash that thresholds are measured with: the default if it is good, since all
// good hashes have the same thresholds.
func (a *Answer) measured() hash {
	family := a.Hash
	if d := a.Hashes.Default; d != nil && a.Ranking().Why == advice.ClearlyCheaper && family.Bits >= 64 {
		if byDefault, err := fphash.Lookup(d.Hash); err == nil {
			family = byDefault
		}
	}
	return hash{family: family, encoding: a.Options.Encoding}
}
