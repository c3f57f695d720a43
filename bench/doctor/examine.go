package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"simhashkit/bench/quality"
)

// Options are the options of an examination. Zero values mean the defaults.
type Options struct {
	Patterns []quality.Pattern // of indices; all
	Weights  []quality.Weights // kinds of weights, each with each pattern; unit
	// further workloads, of vectors of the user's own, as quality.FromVectors makes them
	Data []*quality.Workload
	// different keys to draw from, such as words, at least quality.LeastListedKeys; a command reads
	// them as lines. They replace Patterns. For Examine, the hash must be one of their numbers, as
	// quality.OfListedKeys returns it.
	Keys []string
	// quality.DefaultKeyings; with fewer there is no verdict, with more a narrower interval
	Keyings  int
	Seed     uint64        // another seed, other vectors and indices
	Workers  int           // goroutines; one for each processor
	Budget   time.Duration // of asking a command; any
	Progress func(Progress)
}

// Progress says how far an examination has come.
type Progress struct {
	Step     string // "preparing", "asking" or "measuring"
	Done     int    // of All: workloads, or keys while asking
	All      int
	Forecast time.Duration // of what remains to be asked; 0 where nothing is known
}

// group is the workloads that share their indices, so that a command is asked once for all of them.
type group struct {
	workloads []*quality.Workload
	keys      []uint64
}

// Examine measures a hash on all patterns and kinds of weights.
//
// It fails where an option is unknown or out of range, where the hash fails, and where the context
// is done before the end, with the cause of that. Cost at the defaults: three seconds on one core
// with a fast hash.
func Examine(ctx context.Context, hash quality.Hash, o Options) (*Examination, error) {
	groups, err := o.groups(ctx)
	if err != nil {
		return nil, err
	}
	e := &Examination{Encoding: hash.Encoding, Bits: hash.Bits}
	for _, g := range groups {
		if err := e.measure(ctx, g, hash, o); err != nil {
			return nil, err
		}
	}
	e.conclude()
	return e, nil
}

// Examine measures the hash that the command computes, under a name of one's choice.
//
// It fails as Ask and the function Examine do, where codes of the same key differ, and where asking
// would take longer than the budget. Cost at the defaults: about eight million keys to ask, six
// seconds on one core besides, and 200 MB for codes of up to 64 bits.
func (c *Command) Examine(ctx context.Context, name string, o Options) (*Examination, error) {
	if i := slices.IndexFunc(o.Keys, func(key string) bool { return strings.ContainsRune(key, '\n') }); i >= 0 {
		return nil, fmt.Errorf("doctor: key %q has a line feed: a command reads keys as lines", o.Keys[i])
	}
	listed := *c
	listed.list = o.Keys
	a := &asker{command: &listed, progress: func(asked, all int, left time.Duration) { o.report(Progress{"asking", asked, all, left}) }}
	if err := a.start(ctx); err != nil {
		return nil, err
	}
	groups, err := o.groups(ctx)
	if err != nil {
		return nil, err
	}
	for i := range groups {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if groups[i].keys, err = wanted(groups[i].workloads, c.Bits, o.Workers); err != nil {
			return nil, err
		}
		a.all += len(groups[i].keys)
	}
	if err := a.estimate(ctx, groups[0].keys, o.Budget); err != nil {
		return nil, err
	}
	e := &Examination{Encoding: quality.OwnEncoding, Bits: c.Bits}
	var codes []uint64
	for i, g := range groups {
		if codes, err = a.ask(ctx, g.keys); err != nil {
			return nil, err
		}
		known := &answers{g.keys, codes, c.words()}
		if err := e.measure(ctx, g, known.hash(name, c.Bits), o); err != nil {
			return nil, err
		}
		groups[i] = group{} // its keys are needed no more
	}
	if err := a.repeat(ctx); err != nil {
		return nil, err
	}
	e.Cost = &a.cost
	e.conclude()
	return e, nil
}

// groups makes the workloads.
func (o *Options) groups(ctx context.Context) ([]group, error) {
	patterns, weights := o.Patterns, o.Weights
	switch {
	case len(o.Keys) > 0 && len(patterns)+len(o.Data) > 0:
		return nil, errors.New("doctor: listed keys cannot be combined with patterns or data")
	case len(o.Keys) > 0:
		patterns = []quality.Pattern{quality.ListedKeys}
	case len(patterns) == 0 && len(o.Data) == 0:
		patterns = quality.Patterns()
	}
	if len(weights) == 0 {
		weights = []quality.Weights{quality.Unit}
	}
	groups := make([]group, len(patterns))
	for i, p := range patterns {
		if slices.Contains(patterns[:i], p) {
			return nil, fmt.Errorf("doctor: pattern %s is named twice", p)
		}
		for _, kind := range weights {
			if err := context.Cause(ctx); err != nil {
				return nil, err
			}
			o.report(Progress{Step: "preparing", Done: i, All: len(patterns)})
			w, err := quality.Generate(quality.WorkloadOptions{Pattern: p, Weights: kind, Seed: o.Seed, Keyings: o.Keyings, ListedKeys: len(o.Keys)})
			if err != nil {
				return nil, err
			}
			groups[i].workloads = append(groups[i].workloads, w)
		}
	}
	for _, w := range o.Data {
		groups = append(groups, group{workloads: []*quality.Workload{w}})
	}
	return groups, nil
}

func (e *Examination) measure(ctx context.Context, g group, hash quality.Hash, o Options) error {
	for _, w := range g.workloads {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		o.report(Progress{Step: "measuring " + string(w.Pattern()), Done: len(e.Results)})
		r, err := w.Measure(hash, o.Workers)
		if err != nil {
			return err
		}
		e.Results = append(e.Results, r)
	}
	return nil
}

func (o *Options) report(p Progress) {
	if o.Progress != nil {
		o.Progress(p)
	}
}
