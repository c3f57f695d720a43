package choose

import (
	"cmp"
	"context"
	"fmt"
	"regexp"

	"simhashkit/bench"
	"simhashkit/bench/advice"
	"simhashkit/bench/calibrate"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/fphash"
)

// Options say what is wanted. What is 0 stands for the default of package calibrate.
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

// Answer says what to use.
type Answer struct {
	Options Options
	Hashes  *advice.Recommendation // on this machine, the only one

	// to use: the best or, where none is known to be good, the default
	Hash calibrate.Hash
	// of the default, or of Hash where the default is not good: good hashes have the same
	// thresholds, and what differs is luck; nil without vectors
	Calibration *calibrate.Calibration
}

// Ranking says which hash to use on this machine.
func (a *Answer) Ranking() advice.Ranking { return a.Hashes.Machines[0] }

// Choose measures and answers. It fails where the context is done, with the cause of that, and
// where bench.NewPlan or calibrate.Measure do. All but times is determined by the options.
//
// Cost: for 20,000 vectors of 30 features below ten seconds on two cores; the sample that
// thresholds are found by has 10,000 vectors at most, and what is timed 262,144 features.
func Choose(ctx context.Context, o Options) (*Answer, error) {
	o.Cosine, o.Recall, o.Precision = cmp.Or(o.Cosine, calibrate.DefaultCosine), cmp.Or(o.Recall, calibrate.DefaultRecall), cmp.Or(o.Precision, calibrate.DefaultPrecision)
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
	a := &Answer{Options: o}
	if err := a.chooseHash(ctx); err != nil {
		return nil, err
	}
	if err := a.useHash(); err != nil || o.Data == nil {
		return a, err
	}
	var err error
	if a.Calibration, err = a.calibrate(ctx); err != nil {
		return nil, err
	}
	return a, nil
}

// calibrate finds the thresholds as the command calibrate does.
func (a *Answer) calibrate(ctx context.Context) (*calibrate.Calibration, error) {
	o := a.Options
	set, err := o.Data.Float32()
	if err != nil {
		return nil, err
	}
	return calibrate.Measure(ctx, &set, calibrate.Options{
		Hash: a.calibrated(), Bits: min(64, a.Hash.Family.Bits), Cosine: o.Cosine, Recall: o.Recall, Precision: o.Precision,
		Progress: func(part float64) { o.Progress("comparing pairs of vectors", part) },
	})
}

// chooseHash measures the hashes and finds the best: on the user's vectors and, since those that
// come tomorrow may differ, on runs of consecutive indices, which single out most weak hashes.
func (a *Answer) chooseHash(ctx context.Context) error {
	o, data := a.Options, ""
	suite := bench.Options{Suite: bench.SuiteChoose, Hashes: o.Hashes, Encodings: []fphash.Encoding{o.Encoding}, Patterns: o.Patterns}
	if o.Data != nil {
		data = o.Data.Name
		suite.Data, suite.Patterns, suite.Match = data, []quality.Pattern{quality.Data, quality.Consecutive}, onData
	}
	measured, err := o.measure(ctx, suite)
	if err != nil {
		return err
	}
	file := resultfile.File{Config: bench.Config(), Rows: measured}
	a.Hashes = advice.Recommend(advice.NewSet([]advice.Source{{File: file}}), data)
	return nil
}

var onData = regexp.MustCompile("^Quality/|/data=")

// measure runs what the suite's options choose, on the user's vectors if there are any.
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

// Sure reports whether a hash is recommended, and a threshold that reaches what is asked for or, on
// vectors that do not tell and of which it finds no others, the one of theory.
func (a *Answer) Sure() bool {
	c := a.Calibration
	return a.Ranking().Best != nil && (c == nil || c.Suggestion != nil && c.Suggestion.Met || c.Suggestion == nil && !a.findsOthers())
}

// findsOthers reports whether the threshold of theory finds, among vectors that do not tell the
// recall, more than is wanted of others than near-duplicates.
func (a *Answer) findsOthers() bool {
	real := a.taken().Real
	return real != nil && *real < a.Options.Precision
}

// calibrated returns the hash by which thresholds are found.
func (a *Answer) calibrated() calibrate.Hash {
	hash := a.Hash
	if d := a.Hashes.Default; d != nil && a.Ranking().Why == advice.ClearlyCheaper && a.Hash.Family.Bits >= 64 {
		if family, err := fphash.Lookup(d.Hash); err == nil {
			hash.Family = family
		}
	}
	return hash
}

// useHash looks up what was chosen.
func (a *Answer) useHash() error {
	name := fphash.DefaultHash
	if best := a.Ranking().Best; best != nil {
		name = best.Hash
	}
	family, err := fphash.Lookup(name)
	if err != nil {
		return fmt.Errorf("choose: %w", err)
	}
	a.Hash = calibrate.Hash{Family: family, Encoding: a.Options.Encoding}
	return nil
}
