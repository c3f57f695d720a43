package advice

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/rows"
)

// unsure are rows of one kind of vectors: name is the part between Unsure and the cosine, recall is
// by few bits, plain, masked and with masks on both sides at 0.95.
func (r *results) unsure(name string, ways []string, recall [4]float64, bias, plainStrangers float64) {
	for i, cosine := range []string{"0.98", "0.95", "0.80"} {
		at := "Unsure/" + name + "/cosine=" + cosine
		for w, way := range ways {
			r.exact(at+"/"+way, min(recall[w]*[]float64{1.5, 1, 0.02}[i], 1), "recall")
		}
		r.exact(at+"/by=distance", 0.06, "cosine-rmse", bias, "cosine-bias")
		r.exact(at+"/by=sums", 0.04, "cosine-rmse", bias, "cosine-bias")
	}
	for w, way := range ways {
		r.exact("Unsure/"+name+"/"+way, []float64{2e-15, plainStrangers, 4e-13, 3.6e-13}[w], "strangers")
	}
}

var ways64 = []string{"k=3", "k=5", "t=8/k=3", "t=4/masks=2/k=3"}

const usualUnsure = "hash=xxh64/weights=lognormal/f=64/nnz=100"

func unsuresOf(t *testing.T, r results) []*Unsure {
	t.Helper()
	cells, conflicts := set(r).Exact("Unsure")
	if len(conflicts) > 0 {
		t.Fatal(conflicts)
	}
	return Unsures(cells)
}

func TestUnsures(t *testing.T) {
	var r results
	r.exact("Unsure/of=somebody", 5.0, "ns/op")
	r.exact("Unsure/hash=xxh64/weights=unit/f=64/nnz=9/cosine=0.95/k=3", 0.5, "recall") // and nothing else of those
	r.unsure("hash=md5/weights=unit/f=128/nnz=10", []string{"k=10", "k=6", "t=16/k=6", "t=8/masks=2/k=6"}, [4]float64{0.4, 0.1, 0.5, 0.6}, 0, 4.5e-13)
	r.unsure(usualUnsure, ways64, [4]float64{0.1, 0.4, 0.6, 0.55}, 0, 4.5e-13)
	list := unsuresOf(t, r)
	if len(list) != 2 {
		t.Fatalf("%d kinds of vectors, expected 2", len(list))
	}
	u := list[0]
	if diff := cmp.Diff([]UnsureWay{{K: "6"}, {K: "10"}, {Ignored: "16", K: "6"}, {Ignored: "8", Masks: "2", K: "6"}}, []UnsureWay{u.Few, u.Plain, u.Masked, u.Both}); diff != "" {
		t.Errorf("ways (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"0.98", "0.95", "0.80"}, u.Cosines); diff != "" || u.Vectors() != "10 features of equal weight" {
		t.Errorf("%s; cosines (-want +got):\n%s", u.Vectors(), diff)
	}
	found, row, ok := u.Found(u.Masked, "0.95")
	if !ok || found != 0.5 || row.Row() != "BenchmarkUnsure/hash=md5/weights=unit/f=128/nnz=10/cosine=0.95/t=16/k=6" {
		t.Errorf("found %v, %v, by %s", found, ok, row.Row())
	}
	if _, _, ok := u.Found(u.Masked, "0.5"); ok {
		t.Error("there is a figure of a cosine that was not measured")
	}
}

// wordsOf are those of statements, of which each must name rows that it is by.
func wordsOf(t *testing.T, list ...Statement) (words []string) {
	t.Helper()
	for _, s := range list {
		if len(s.Rows) == 0 || slices.ContainsFunc(s.Rows, func(c rows.Cell) bool { return c.Name.Base != "Unsure" }) {
			t.Errorf("%q is by the rows %v", s.Words, s.Rows)
		}
		words = append(words, s.Words)
	}
	return words
}

func TestUnsureFindings(t *testing.T) {
	var r results
	// The usual vectors need not be the first.
	r.unsure("hash=xxh64/weights=unit/f=64/nnz=100", ways64, [4]float64{0.1, 0.4, 0.5, 0.55}, 0, 4.5e-13)
	r.unsure(usualUnsure, ways64, [4]float64{0.1, 0.4, 0.6, 0.55}, 0, 4.5e-13)
	r.unsure("hash=xxh64/weights=lognormal/f=64/nnz=10", ways64, [4]float64{0.2, 0.5, 0.7, 0.7}, -0.01, 4.5e-13)
	r.unsure("hash=xxh64/weights=outlier/f=64/nnz=100", ways64, [4]float64{0.5, 0.64, 0.6, 0.6}, 0.03, 4.5e-13)
	r.unsure("hash=xxh64/weights=counts/f=64/nnz=100", ways64, [4]float64{0.5, 0.6, 0.63, 0.6}, 0, 4.5e-13)
	r.unsure("hash=md5/weights=lognormal/f=128/nnz=100", []string{"k=6", "k=10", "t=16/k=6", "t=8/masks=2/k=6"}, [4]float64{0.1, 0.3, 0.55, 0.5}, 0, 8e-13)
	f := FindUnsure(unsuresOf(t, r))
	if diff := cmp.Diff([]string{"Of pairs of cosine 0.95, k = 3 finds 60% without the 8 least sure of 64 bits; plain k = 5, which lets as many strangers pass, finds 40%. " +
		"Cosines estimated by the sums are off by 0.040 there, by the distance by 0.060, 1.5 times as much."}, wordsOf(t, f.Answer)); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"100 features, weighted as words are, 128 bits of md5: as much is gained, 55% found against 30% at cosine 0.95. Plain k = 10 lets 2 times as many strangers pass here."}, wordsOf(t, f.Holds...)); diff != "" {
		t.Errorf("where it holds (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{
		"100 features, one of which outweighs the others: next to nothing is gained, 60% found against 64% at cosine 0.95. At 0.95 masks even find less than plain k = 5, 60% against 64%. " +
			"The estimate by the sums is 0.030 too high on average, and 0.030 too high at 0.80.",
		"100 features, weights counts: next to nothing is gained, 63% found against 60% at cosine 0.95.",
		"100 features of equal weight: less is gained, 50% found against 40% at cosine 0.95.",
		"10 features, weighted as words are: as much is gained, 70% found against 50% at cosine 0.95. The estimate by the sums is 0.010 too low on average, and 0.010 too low at 0.80.",
		"Pairs further apart are missed all the same: at cosine 0.80 masks find 1.2%, plain k = 5 finds 0.8%.",
		"Pairs that are no near-duplicates pass more often too, though strangers do not: of those of cosine 0.80, 1.5 times as many as by plain k = 5.",
		"Masks of 4 bits on either side find 55% at cosine 0.95, one mask of 8 finds 60%: stored masks pay only where the query has no sums.",
	}, wordsOf(t, f.Fails...)); diff != "" {
		t.Errorf("where it fails (-want +got):\n%s", diff)
	}
}

// With equal weights plain searches let more strangers pass, and it is said why.
func TestUnsureStrangersOfEqualWeights(t *testing.T) {
	var r results
	r.unsure(usualUnsure, ways64, [4]float64{0.1, 0.4, 0.6, 0.55}, 0, 4.5e-13)
	r.unsure("hash=xxh64/weights=unit/f=64/nnz=100", ways64, [4]float64{0.1, 0.4, 0.6, 0.55}, 0, 6e-13)
	f := FindUnsure(unsuresOf(t, r))
	if got := wordsOf(t, f.Holds...); len(got) != 1 || !strings.HasSuffix(got[0], "Plain k = 5 lets 1.5 times as many strangers pass here: sums of zero make bits that are alike.") {
		t.Errorf("where it holds: %q", got)
	}
}

// Whatever rows are missing, what is said has its figures.
func TestUnsureFindingsOfFewRows(t *testing.T) {
	var all results
	all.unsure(usualUnsure, ways64, [4]float64{0.1, 0.4, 0.6, 0.55}, 0.03, 4.5e-13)
	all.unsure("hash=xxh64/weights=outlier/f=64/nnz=100", ways64, [4]float64{0.5, 0.64, 0.6, 0.6}, 0.03, 4.5e-13)
	for i := range all {
		less := slices.Delete(slices.Clone(all), i, i+1)
		if list := unsuresOf(t, less); len(list) > 0 {
			f := FindUnsure(list)
			wordsOf(t, slices.Concat(f.Fails, f.Holds)...)
			if f.Answer.Words == "" && !strings.Contains(all[i].Name, "cosine=0.95") {
				t.Errorf("no answer without %s", all[i].Name)
			}
		}
	}
	one := results{}
	one.exact("Unsure/"+usualUnsure+"/cosine=0.9/k=5", 0.3, "recall")
	one.exact("Unsure/"+usualUnsure+"/cosine=0.9/k=3", 0.1, "recall")
	one.exact("Unsure/"+usualUnsure+"/cosine=0.9/t=8/k=3", 0.5, "recall")
	f := FindUnsure(unsuresOf(t, one))
	if diff := cmp.Diff("Of pairs of cosine 0.9, k = 3 finds 50% without the 8 least sure of 64 bits; plain k = 5 finds 30%.", f.Answer.Words); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}
