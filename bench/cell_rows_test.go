package bench

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/bench/terms"
	"simhashkit/fphash"
)

// figuresOf are the rows' values, by unit, of the names that match.
func figuresOf(t *testing.T, r *Outcome, name string) map[string]float64 {
	t.Helper()
	figures, match := map[string]float64{}, regexp.MustCompile(name)
	for _, row := range r.Rows {
		if match.MatchString(row.Name) {
			if _, twice := figures[row.Unit]; twice {
				t.Errorf("%s has %s twice", row.Name, row.Unit)
			}
			figures[row.Unit] = row.Samples[0].Value
		}
	}
	return figures
}

// The rows say what package quality has measured, each under the unit that stands for it.
func TestCellRowsAreTheResult(t *testing.T) {
	family, err := fphash.Lookup("fnv1a64")
	if err != nil {
		t.Fatal(err)
	}
	h, err := quality.OfFamily(family, fphash.BE64, 64, fphash.WidenNone)
	if err != nil {
		t.Fatal(err)
	}
	w, err := quality.Generate(quality.WorkloadOptions{Pattern: quality.Dense1e3, Weights: quality.Unit})
	if err != nil {
		t.Fatal(err)
	}
	want, err := w.Measure(h, 0)
	if err != nil {
		t.Fatal(err)
	}
	rows := computed(t, Options{Suite: SuiteQuality, Match: regexp.MustCompile("^Quality/hash=fnv1a64/encoding=be64/pattern=dense1e3/weights=unit/")}, nil, 0)

	all, near, bit := want.All, want.Cos90, want.Bit
	wanted := map[string]float64{
		"effective-bits": all.Effective.Value, "effective-bits-low": all.Effective.Low, "effective-bits-high": all.Effective.High,
		"effective-bits-cos90": near.Effective.Value, "effective-bits-cos90-low": near.Effective.Low, "effective-bits-cos90-high": near.Effective.High,
		"bias": all.Hash.Bias, "bias-cos90": near.Hash.Bias, "rmse": all.Hash.RMSE, "rmse-cos90": near.Hash.RMSE,
		"variance-ratio": all.VarianceRatio, "variance-ratio-cos90": near.VarianceRatio,
		"constant-bits": float64(len(bit.Constant)), "copied-bits": float64(len(bit.Copied)),
		"worst-bit-bias": bit.Bias.Value, "worst-bit-correlation": bit.Pairwise.Value, "worst-avalanche": bit.Avalanche.Value,
		"bias-p": bit.Bias.P, "correlation-p": bit.Pairwise.P, "avalanche-p": bit.Avalanche.P,
		"unrelated-mean-p": bit.Random.MeanP, "unrelated-variance-p": bit.Random.VarianceP,
		"unrelated-mean-ratio": bit.Random.Mean / bit.Random.IdealMean, "unrelated-variance-ratio": bit.Random.Variance / bit.Random.IdealVariance,
		"verdict": -1, "keyings": 100, "pairs": float64(all.Pairs), "pairs-cos90": float64(near.Pairs),
	}
	if diff := cmp.Diff(wanted, figuresOf(t, rows, "^Quality/")); diff != "" {
		t.Errorf("quality (-want +got):\n%s", diff)
	}
	if len(bit.Copied) == 0 || len(bit.Constant) == 0 {
		t.Errorf("the example has no faults: %+v", bit)
	}
}

// Files say of each unit of their rows what there is to say.
func TestDescribe(t *testing.T) {
	rows := []resultfile.Row{{Name: "A", Unit: terms.NanosecondsPerKey}, {Name: "B", Unit: terms.Verdict}, {Name: "C", Unit: terms.NanosecondsPerKey}, {Name: "B", Unit: terms.Pairs}}
	want := []resultfile.Unit{{Name: terms.NanosecondsPerKey, Better: -1}, {Name: terms.Verdict, Exact: true, Better: +1}, {Name: terms.Pairs, Exact: true}}
	if diff := cmp.Diff(want, describe(rows, []string{terms.Verdict, terms.Pairs})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
