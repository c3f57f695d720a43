package advice

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
)

// noisy are nine samples, as far from the value as the factor says.
func (r *results) noisy(hash string, value, factor float64) {
	row := resultfile.Row{Name: "Sketch/hash=" + hash + "/weights=f32/f=64/kernel=avx2/data=own.svm/nnz=mixed", Unit: "ns/nnz"}
	for i := range 9 {
		row.Samples = append(row.Samples, resultfile.Sample{Iterations: 10, Value: value * (1 + factor*float64(i-4)/4)})
	}
	*r = append(*r, row)
}

// What is four times as dear is not as cheap, however wide the intervals are.
func TestRecommendInNoise(t *testing.T) {
	var r results
	for _, hash := range []string{"splitmix64", "near", "md5"} {
		r.cell(hash, "le64", onData, 64, 1)
	}
	r.noisy("splitmix64", 3.33, 0.95)
	r.noisy("md5", 14.84, 0.95)
	got := recommended(r, "")
	if want := "This run is so noisy that its intervals reach medians of more than 1.5 times that; more --samples would tell better."; !strings.Contains(strings.ReplaceAll(got, "\n", " "), want) || strings.Contains(got, "md5") {
		t.Errorf("want %q and no md5 in\n%s", want, got)
	}
	r.noisy("near", 3.74, 0.95)
	got = recommended(r, "")
	want := "This run cannot tell apart: splitmix64 with le64 (3.33 ns), near with le64 (3.74 ns); more --samples would."
	if !strings.Contains(got, want) || strings.Contains(got, "As cheap") || strings.Contains(got, "md5") {
		t.Errorf("want %q and no md5 in\n%s", want, got)
	}
}

// Untimed good ones stand hash by hash, narrower ones last, and apart where they are weak on other
// patterns.
func TestRecommendUntimed(t *testing.T) {
	var r results
	narrow := "Quality/hash=crc32c/encoding=le64/" + onData + "/f=32"
	r.exact(narrow, 32.0, "effective-bits", 32.0, "effective-bits-cos90", 1.0, "verdict")
	for _, encoding := range []string{"le64", "be64", "dec"} {
		r.cell("xxh64", encoding, onData, 64, 1)
		r.cell("fnv1-64", encoding, onData, 64, 1)
	}
	r.cell("fnv1-64", "be64", "pattern=pow2/weights=unit", 8, -1)
	r.cell("xxh64", "be64", "pattern=pow2/weights=unit", 63, 1)
	got := recommended(r, "")
	for _, want := range []string{"Good: xxh64 le64/be64/dec, fnv1-64 le64/dec, crc32c le64 at 32 bits.\n", "Good on these vectors, weak elsewhere: fnv1-64 be64.\n", "None of them was timed"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// One reason takes one entry, however many hashes and encodings share it.
func TestFaultsByReason(t *testing.T) {
	var r results
	for _, hash := range []string{"xxh64", "md5"} {
		for _, encoding := range []string{"le64", "be64", "dec"} {
			r.exact(fmt.Sprintf("Quality/hash=%s/encoding=%s/%s/f=64", hash, encoding, onData), 64.0, "effective-bits", 0.0, "verdict")
		}
	}
	r.cell("fnv1a64", "le64", onData, 30, -1)
	got := Faults(Choices(resultfile.Summarize(r), func(benchname.Name) bool { return true }))
	want := []string{
		"  too few pairs at cosine 0.9 and above on keys of the indices of these vectors, f32 weights: xxh64 le64/be64/dec, md5\n    le64/be64/dec",
		"  fnv1a64: 30.0 of 64 bits (31.0 at cosine 0.9 and above) on little-endian keys of the indices of these vectors, f32\n    weights",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Within a verdict the cheapest stands at the top, and what was not timed at the bottom.
func TestChoicesByCost(t *testing.T) {
	for _, verdict := range []float64{-1, 0, 1} {
		var r results
		r.cell("untimed", "le64", onData, 57.5, verdict)
		r.cell("dear", "le64", onData, 57, verdict)
		r.cell("cheap", "le64", onData, 56, verdict)
		r.cell("hashed", "le64", onData, 57.2, verdict)
		r.sketch("dear", 9)
		r.sketch("cheap", 3)
		r.times("Hash/hash=hashed/encoding=le64/kernel=avx2/n=1024", "ns/key", 1)
		var got []string
		for _, c := range Choices(resultfile.Summarize(r), func(benchname.Name) bool { return true }) {
			got = append(got, c.Hash)
		}
		if want := []string{"cheap", "dear", "hashed", "untimed"}; !slices.Equal(got, want) {
			t.Errorf("verdict %v: %v, want %v", verdict, got, want)
		}
	}
}
