package advice

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/resultfile"
)

// tutorials are rows under which all claims hold.
func tutorials() results {
	var r results
	for i, hash := range []string{"crc32c", "xxh64", "md5", "sha1", "sha256"} {
		r.times("Hash/hash="+hash+"/encoding=le64/kernel=library/n=1024", "ns/key", float64(i+1))
	}
	bits := func(name string, value float64) {
		r.exact(name, value, "effective-bits", value-0.1, "effective-bits-low", value+0.1, "effective-bits-high", 1/value, "rmse")
	}
	for _, width := range []int{32, 64} {
		for i, hash := range []string{"xxh64", "md5", "sha1", "sha256"} {
			bits(onRuns(hash, "le64", "unit", width), float64(width)*(0.5+0.1*float64(i)))
		}
	}
	bits(onRuns("crc32c", "le64", "unit", 32), 10)
	bits(onRuns("md5", "le64", "unit", 128), 120)
	bits(onRuns("sha1", "le64", "unit", 160), 150)
	bits(onRuns("sha256", "le64", "unit", 256), 250)
	for _, hash := range []string{"xxh64", "xxh3", "highway64", "md5", "murmur3-128", "siphash", "fnv1a64"} {
		for _, encoding := range []string{"le64", "be64", "dec"} {
			r.exact(onRuns(hash, encoding, "signed", 64), 64.0, "effective-bits", 1.0, "verdict")
		}
	}
	r.exact(onRuns("splitmix64", "le64", "signed", 64), 64.0, "effective-bits", 1.0, "verdict")
	for _, cosine := range []string{"0.99", "0.98", "0.95", "0.90"} {
		r.exact("NearDuplicates/hash=xxh64/encoding=le64/pattern=uniform64/weights=unit/f=64/cosine="+cosine+"/k=3", 0.95, "recall")
	}
	r.exact("NearDuplicates/hash=xxh64/encoding=le64/pattern=consecutive/weights=unit/f=64/k=3", 0.9, "precision")
	for _, pattern := range []string{"consecutive", "dense1e3"} {
		for hash, value := range map[string]float64{"mixed-tabulation": 64, "multiply-shift": 5} {
			bits(onPattern(hash, pattern), value)
			r.exact(onPattern(hash, pattern), value+1, "effective-bits-cos90", float64(min(1, int(value)-20)), "verdict")
		}
	}
	return r
}

func verdicts(findings []Finding) (list []string) {
	for _, f := range findings {
		list = append(list, f.Verdict)
	}
	return list
}

// changeBits changes the effective bits of a cell and the ends of their interval.
func (r results) changeBits(t *testing.T, name string, factor float64) {
	t.Helper()
	for _, unit := range []string{"effective-bits", "effective-bits-low", "effective-bits-high"} {
		r.change(t, name, unit, factor)
	}
}

// change sets the value of a row, keeping the spread of its samples.
func (r results) change(t *testing.T, name, unit string, factor float64) {
	t.Helper()
	i := slices.IndexFunc(r, func(row resultfile.Row) bool { return row.Name == name && row.Unit == unit })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	for j := range r[i].Samples {
		r[i].Samples[j].Value *= factor
	}
}

func TestFolklore(t *testing.T) {
	all := tutorials()
	findings := Folklore(resultfile.Summarize(all))
	want := []string{Confirmed, Confirmed, Confirmed, Confirmed, Confirmed + ", by the width alone", Confirmed, Confirmed, Confirmed}
	if diff := cmp.Diff(want, verdicts(findings)); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	for _, f := range findings {
		for _, name := range f.Rows {
			if !slices.ContainsFunc(all, func(r resultfile.Row) bool { return r.Name == name }) {
				t.Errorf("%s: there is no row %s", f.Claim, name)
			}
		}
	}
	// Each claim falls with its own figures.
	all.change(t, "Hash/hash=xxh64/encoding=le64/kernel=library/n=1024", "ns/key", 0.1)
	all.change(t, "Hash/hash=sha1/encoding=le64/kernel=library/n=1024", "ns/key", 0.5)
	for _, hash := range []string{"md5", "sha1", "sha256"} {
		all.changeBits(t, onRuns(hash, "le64", "unit", 32), 0.4)
	}
	all.changeBits(t, onRuns("sha256", "le64", "unit", 256), 0.01)
	all.change(t, onRuns("fnv1a64", "be64", "signed", 64), "verdict", -1)
	all.change(t, "NearDuplicates/hash=xxh64/encoding=le64/pattern=uniform64/weights=unit/f=64/cosine=0.95/k=3", "recall", 0.5)
	all.changeBits(t, onPattern("multiply-shift", "dense1e3"), 13)
	want = []string{InPart, InPart, Refuted, Confirmed, Refuted, InPart, InPart, InPart}
	if diff := cmp.Diff(want, verdicts(Folklore(resultfile.Summarize(all)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Intervals that overlap decide nothing, and without its rows a claim is not judged at all.
func TestFolkloreLeftOpen(t *testing.T) {
	all := tutorials()
	all.change(t, "Hash/hash=crc32c/encoding=le64/kernel=library/n=1024", "ns/key", 1.999)
	all.change(t, "Hash/hash=md5/encoding=le64/kernel=library/n=1024", "ns/key", 4/3.001)
	if got := verdicts(Folklore(resultfile.Summarize(all)))[:2]; got[0] != Open || got[1] != Open {
		t.Errorf("verdicts %q, want both open", got)
	}
	if got := Folklore(resultfile.Summarize(all[:5])); len(got) != 2 {
		t.Errorf("with nothing but times there are %d findings, want 2", len(got))
	}
	if got := Folklore(nil); len(got) != 0 {
		t.Errorf("findings without rows: %v", got)
	}
}

const kernelOf = "Hash/hash=%s/encoding=le64/kernel=avx2/n=1024"

// What libraries and kernels do not agree on holds in part, and both figures are said.
func TestFolkloreOfTimes(t *testing.T) {
	type times map[string]float64 // by the best kernel
	library := func(hash string) string { return "Hash/hash=" + hash + "/encoding=le64/kernel=library/n=1024" }
	for _, tc := range []struct {
		name    string
		library map[string]float64 // factors
		kernels times
		want    [2]string // shortest is fastest, SHA is slower
		say     string
		of      int
	}{
		{"both agree", nil, times{"md5": 2, "sha1": 3, "sha256": 4}, [2]string{Confirmed, Confirmed}, "md5 2.0, sha1 3.0, sha256 4.0 by the best kernel", 1},
		{"SHA is slower by kernels only", times{"sha1": 0.5, "sha256": 0.4}, times{"md5": 2, "sha1": 3, "sha256": 4}, [2]string{Confirmed, InPart}, "md5 3.0, sha1 2.0, sha256 2.0 ns a key by the library, md5 2.0", 1},
		{"SHA is faster by both", times{"sha1": 0.5, "sha256": 0.4}, times{"md5": 9, "sha1": 3, "sha256": 4}, [2]string{Confirmed, Refuted}, "by the best kernel", 1},
		{"kernels are alike", nil, times{"md5": 3, "sha1": 3, "sha256": 3}, [2]string{Confirmed, Open}, "by the best kernel", 1},
		{"a fast hash of 64 bits is faster", times{"xxh64": 0.1}, nil, [2]string{InPart, Confirmed}, "xxh64, with 64 bits, is faster still", 0},
		{"a kernel of a digest is faster", nil, times{"md5": 0.5}, [2]string{InPart, Confirmed}, "by the best kernel md5 0.5 (crc32c has none)", 0},
		{"a digest is faster", times{"md5": 0.1}, nil, [2]string{Refuted, Confirmed}, "", 0},
	} {
		all := tutorials()
		for hash, factor := range tc.library {
			all.change(t, library(hash), "ns/key", factor)
		}
		for _, hash := range digests {
			if ns, ok := tc.kernels[hash]; ok {
				all.times(fmt.Sprintf(kernelOf, hash), "ns/key", ns)
			}
		}
		findings := Folklore(resultfile.Summarize(all))
		if got := [2]string{findings[0].Verdict, findings[1].Verdict}; got != tc.want || !strings.Contains(findings[tc.of].Figures, tc.say) {
			t.Errorf("%s: %q, want %q with %q in %s", tc.name, got, tc.want, tc.say, findings[tc.of].Figures)
		}
	}
}

// A gain is refuted only where the intervals exclude one that is relevant; wide intervals leave it
// open.
func TestFolkloreOfAccuracy(t *testing.T) {
	fast := effective{64, 63, 65}
	for _, tc := range []struct {
		digest effective
		want   string
	}{
		// sure, and not relevant
		{effective{64, 63, 65}, Refuted}, {effective{66.5, 65.5, 67.5}, Refuted},
		{effective{64, 40, 90}, Open}, {effective{80, 70, 90}, Confirmed}, {effective{30, 29, 31}, Refuted},
	} {
		if got := tc.digest.gain(fast); got != tc.want {
			t.Errorf("%v against %v: %s, want %s", tc.digest, fast, got, tc.want)
		}
	}
	const index = 2 // all at 32 bits
	all := tutorials()
	for _, hash := range digests {
		name := onRuns(hash, "le64", "unit", 32)
		all.changeBits(t, name, 0.8)
		all.change(t, name, "effective-bits-low", 0.1)
		all.change(t, name, "effective-bits-high", 2)
	}
	if f := Folklore(resultfile.Summarize(all))[index]; f.Verdict != Open {
		t.Errorf("wide intervals: %s", f.Verdict)
	}
}

// More bits have to be surely better, step by step; the 32-bit hash is the one of the claim on
// time.
func TestFolkloreOfWidth(t *testing.T) {
	const index = 4
	for _, tc := range []struct {
		name   string
		cell   string
		factor float64
		want   string
	}{
		{"alike", onRuns("sha1", "le64", "unit", 160), 120.0 / 150, Open},
		{"within the intervals", onRuns("sha1", "le64", "unit", 160), 120.1 / 150, Open},
		{"fewer", onRuns("sha1", "le64", "unit", 160), 0.5, Refuted},
		{"the short one best", onRuns("crc32c", "le64", "unit", 32), 100, Refuted},
		{"the short one like one of 64", onRuns("crc32c", "le64", "unit", 32), 3.2, Open},
	} {
		all := tutorials()
		all.changeBits(t, tc.cell, tc.factor)
		f := Folklore(resultfile.Summarize(all))[index]
		if f.Verdict != tc.want || !strings.Contains(f.Figures, "crc32c at f=32") || !strings.Contains(f.Figures, "xxh64 at f=32 (cut") {
			t.Errorf("%s: %s, want %s: %s", tc.name, f.Verdict, tc.want, f.Figures)
		}
	}
}

// Precision depends on the collection, so the finding names it.
func TestFolkloreNamesTheCollection(t *testing.T) {
	const index = 6
	if f := Folklore(resultfile.Summarize(tutorials()))[index].Figures; !strings.Contains(f, "generated vectors on runs of consecutive indices, 90.0% have") {
		t.Error(f)
	}
}

// A hash whose verdict is open refutes nothing.
func TestFolkloreOfUndecided(t *testing.T) {
	const index = 5
	all := tutorials()
	all.change(t, onRuns("fnv1a64", "be64", "signed", 64), "verdict", 0)
	if f := Folklore(resultfile.Summarize(all))[index]; f.Verdict != Open || !strings.Contains(f.Figures, "undecided: fnv1a64 be64 64.0") {
		t.Errorf("%s: %s", f.Verdict, f.Figures)
	}
	for i, r := range all {
		if r.Unit == "verdict" {
			all[i].Samples[0].Value = -1
		}
	}
	if f := Folklore(resultfile.Summarize(all))[index]; f.Verdict != Refuted {
		t.Errorf("all weak: %s", f.Verdict)
	}
}

// The claim about two hashes on two patterns stands and falls with each of the four.
func TestFolkloreOfTheory(t *testing.T) {
	const index = 7
	for _, tc := range []struct {
		hash, pattern string
		bits, verdict float64 // factors
		want          string
	}{
		{"mixed-tabulation", "consecutive", 1, -1, InPart}, {"mixed-tabulation", "dense1e3", 1, 0, Open},
		// as many bits, fewer by so little that it could be chance, fewer by little but surely
		{"multiply-shift", "consecutive", 64.0 / 5, 1, InPart}, {"multiply-shift", "dense1e3", 58.0 / 5, 1, Open}, {"multiply-shift", "dense1e3", 50.0 / 5, 1, Confirmed},
	} {
		all := tutorials()
		name := onPattern(tc.hash, tc.pattern)
		all.changeBits(t, name, tc.bits)
		all.change(t, name, "verdict", tc.verdict)
		if tc.want == Open && tc.bits != 1 {
			all.change(t, name, "effective-bits-high", 1.2)
		}
		if f := Folklore(resultfile.Summarize(all))[index]; f.Verdict != tc.want || !strings.Contains(f.Figures, "at cosine 0.9 and above 65.0 and 6.0") {
			t.Errorf("%s on %s: %s, want %s: %s", tc.hash, tc.pattern, f.Verdict, tc.want, f.Figures)
		}
	}
	all := tutorials()
	for _, pattern := range []string{"consecutive", "dense1e3"} {
		all.change(t, onPattern("mixed-tabulation", pattern), "verdict", -1)
	}
	if f := Folklore(resultfile.Summarize(all))[index]; f.Verdict != Refuted {
		t.Errorf("where mixed tabulation is weak: %s", f.Verdict)
	}
}
