package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"simhashkit/bench/gobench/compare"
)

// ruleFlags are the flags that decide the verdicts of ab and compare.
type ruleFlags struct {
	rules      compare.Rules
	alpha      fraction
	thresholds []string
	accept     []string
}

func (f *ruleFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.thresholds, "threshold", nil, "least change that matters: `3%` (the default) or UNIT=3%; may be repeated")
	f.alpha = compare.DefaultAlpha
	flags.Var(&f.alpha, "alpha", "probability of a false alarm in all comparisons together")
	suggestions(flags, &f.accept, "accept", nil, "`kinds` of gaps to accept: %s", compare.GapKinds())
	flags.BoolVar(&f.rules.Strict, "strict", false, "treat unclear comparisons as gaps")
	flags.StringVar(&f.rules.Ignore, "ignore", "", "ignore differences in these `keys`, such as cpu")
}

// parse returns the rules. Alpha and thresholds stay unset unless given, so that files of fphash ab
// are judged by the rules of their run.
func (f *ruleFlags) parse(changed func(flag string) bool) (r compare.Rules, err error) {
	r = f.rules
	r.Alpha = float64(f.alpha)
	if changed("threshold") {
		if r.Threshold, err = compare.ParseThresholds(f.thresholds); err != nil {
			return r, err
		}
	}
	for _, kind := range f.accept {
		r.Accept = append(r.Accept, compare.GapKind(kind))
	}
	if !(r.Alpha > 0 && r.Alpha < 1) {
		return r, fmt.Errorf("--alpha %v: expected one above 0 and below 1", r.Alpha)
	}
	if !changed("alpha") {
		r.Alpha = 0
	}
	return r, nil
}
