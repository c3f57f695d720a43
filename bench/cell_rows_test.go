package bench

import (
	"fmt"
	"math"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"simhashkit/bench/quality"
	"simhashkit/fphash"
)

// figuresOf are the rows' values, by unit, of the names that match.
func figuresOf(t *testing.T, r *CellResults, name string) map[string]float64 {
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
		"constant-bits": float64(len(bit.Constant)), "copied-bits": float64(bit.Dependent - len(bit.Constant)),
		"worst-bit-bias": bit.Bias.Value, "worst-bit-correlation": bit.Pairwise.Value, "worst-avalanche": bit.Avalanche.Deviation.Value,
		"bias-p": bit.Bias.P, "correlation-p": bit.Pairwise.P, "avalanche-p": bit.Avalanche.Deviation.P,
		"unrelated-mean-p": bit.Random.MeanP, "unrelated-variance-p": bit.Random.VarianceP,
		"unrelated-mean-ratio": bit.Random.Mean / bit.Random.IdealMean, "unrelated-variance-ratio": bit.Random.Variance / bit.Random.IdealVariance,
		"verdict": -1, "keyings": 100, "pairs": float64(all.Pairs), "pairs-cos90": float64(near.Pairs),
	}
	if diff := cmp.Diff(wanted, figuresOf(t, rows, "^Quality/")); diff != "" {
		t.Errorf("quality (-want +got):\n%s", diff)
	}
	if bit.Dependent == 0 || len(bit.Constant) == 0 {
		t.Errorf("the example has no faults: %+v", bit)
	}

	for _, k := range []int{0, 3, 16} {
		recall, _ := want.Task.Hash[k].Recall()
		precision, _ := want.Task.Hash[k].Precision()
		idealRecall, _ := want.Task.Ideal[k].Recall()
		idealPrecision, _ := want.Task.Ideal[k].Precision()
		wanted := map[string]float64{"recall": recall, "precision": precision, "ideal-recall": idealRecall, "ideal-precision": idealPrecision}
		if diff := cmp.Diff(wanted, figuresOf(t, rows, fmt.Sprintf("^NearDuplicates/.*/k=%d$", k))); diff != "" {
			t.Errorf("k = %d (-want +got):\n%s", k, diff)
		}
	}

	// The bands of angles together are all pairs.
	mean, variance, pairs := 0.0, 0.0, 0.0
	for angle := 5; angle < 90; angle += 10 {
		f := figuresOf(t, rows, fmt.Sprintf("^Distance/.*/angle=%d$", angle))
		mean += f["mean-distance"] * f["pairs"]
		variance += f["sd-distance"] * f["sd-distance"] * f["pairs"]
		pairs += f["pairs"]
		if f["pairs"] == 0 || math.Abs(f["ideal-mean-distance"]-64*float64(angle)/180) > 1.5 {
			t.Errorf("angle %d: %v", angle, f)
		}
	}
	for _, p := range want.Points {
		mean -= p.Hash.Mean
		variance -= p.Hash.Deviation * p.Hash.Deviation
	}
	if diff := cmp.Diff([]float64{float64(len(want.Points)), 0, 0}, []float64{pairs, mean, variance}, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
		t.Errorf("pairs, and what is missing of mean and variance (-want +got):\n%s", diff)
	}
}

// A map has a share for each bit of the index and the code: all one half or near for a good hash,
// and for FNV the low bits do not see the high ones.
func TestAvalancheRows(t *testing.T) {
	rows := computed(t, Options{Suite: SuiteQuality, Match: regexp.MustCompile("^Quality/hash=(fnv1a64|xxh64)/encoding=le64/pattern=uniform64/weights=unit/")}, nil, 0)
	good, weak := figuresOf(t, rows, "^Avalanche/hash=xxh64/encoding=le64/f=64/in=63$"), figuresOf(t, rows, "^Avalanche/hash=fnv1a64/encoding=le64/f=64/in=63$")
	if len(good) != 64 || len(weak) != 64 {
		t.Fatalf("%d and %d figures, want 64", len(good), len(weak))
	}
	if v := good["flip-out0"]; v < 0.4 || v > 0.6 {
		t.Errorf("xxh64 flips bit 0 in %v of the keys", v)
	}
	if weak["flip-out0"] != 0 || weak["flip-out7"] != 1 {
		t.Errorf("FNV-1a flips bits 0 and 7 in %v and %v of the keys, want none and all: the last byte's highest bit goes through one multiplication", weak["flip-out0"], weak["flip-out7"])
	}
}

// Angles of whole tens of degrees are in the band below, whatever their last digit.
func TestBands(t *testing.T) {
	for degrees, want := range map[float64]int{0: 0, 0.1: 0, 10: 0, 10.001: 1, 60: 5, 60.001: 6, 90: 8, 120: 11, 180: 17} {
		angle := degrees * math.Pi / 180
		for _, a := range []float64{angle, math.Nextafter(angle, 0), math.Nextafter(angle, 4), angle * (1 + 1e-15)} {
			if got := bandOf(a); got != want {
				t.Errorf("%v degrees, as %v: band %d, want %d", degrees, a, got, want)
			}
		}
	}
}
