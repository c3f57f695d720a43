package advice

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/resultfile"
	"simhashkit/bench/summary"
)

// tutorials are rows under which all claims hold.
func tutorials() results {
	var r results
	for i, hash := range []string{"crc32c", "xxh64", "md5", "sha1", "sha256"} {
		r.times("Hash/hash="+hash+"/encoding=le64/kernel=library/n=1024", "ns/key", float64(i+1))
	}
	for _, bits := range []int{32, 64} {
		for i, hash := range []string{"xxh64", "md5", "sha1", "sha256"} {
			part := float64(bits) * (0.5 + 0.1*float64(i))
			r.exact(onRuns(hash, "le64", "unit", bits), part, "effective-bits", part-0.1, "effective-bits-low", part+0.1, "effective-bits-high")
		}
	}
	for i, name := range []string{onRuns("xxh64", "le64", "unit", 32), onRuns("xxh64", "le64", "unit", 64), onRuns("md5", "le64", "unit", 128), onRuns("sha1", "le64", "unit", 160), onRuns("sha256", "le64", "unit", 256)} {
		r.exact(name, 0.2/float64(i+1), "rmse")
	}
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
	return r
}

func verdicts(findings []Finding) (list []string) {
	for _, f := range findings {
		list = append(list, f.Verdict)
	}
	return list
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
	findings := Folklore(summary.Rows(all))
	want := []string{Confirmed, Confirmed, Confirmed, Confirmed, Confirmed + ", by the width alone", Confirmed, Confirmed}
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
	all.change(t, "Hash/hash=sha1/encoding=le64/kernel=library/n=1024", "ns/key", 0.1)
	for _, hash := range []string{"md5", "sha1", "sha256"} {
		for _, unit := range []string{"effective-bits", "effective-bits-low", "effective-bits-high"} {
			all.change(t, onRuns(hash, "le64", "unit", 32), unit, 0.4)
		}
	}
	all.change(t, onRuns("sha256", "le64", "unit", 256), "rmse", 100)
	all.change(t, onRuns("fnv1a64", "be64", "signed", 64), "verdict", -1)
	all.change(t, "NearDuplicates/hash=xxh64/encoding=le64/pattern=uniform64/weights=unit/f=64/cosine=0.95/k=3", "recall", 0.5)
	want = []string{Refuted, InPart, Refuted, Confirmed, Refuted, InPart, InPart}
	if diff := cmp.Diff(want, verdicts(Folklore(summary.Rows(all)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Intervals that overlap decide nothing, and without its rows a claim is not judged at all.
func TestFolkloreLeftOpen(t *testing.T) {
	all := tutorials()
	all.change(t, "Hash/hash=crc32c/encoding=le64/kernel=library/n=1024", "ns/key", 1.999)
	all.change(t, "Hash/hash=md5/encoding=le64/kernel=library/n=1024", "ns/key", 4/3.001)
	if got := verdicts(Folklore(summary.Rows(all)))[:2]; got[0] != Open || got[1] != Open {
		t.Errorf("verdicts %q, want both open", got)
	}
	if got := Folklore(summary.Rows(all[:5])); len(got) != 2 {
		t.Errorf("with nothing but times there are %d findings, want 2", len(got))
	}
	if got := Folklore(nil); len(got) != 0 {
		t.Errorf("findings without rows: %v", got)
	}
}
