package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
)

const onData = "pattern=data/weights=f32/data=own.svm/f=64"

// sketch is the time of whole sketches of the data, one percent apart.
func sketch(hash string, ns float64) resultfile.Row {
	return row("Sketch/hash="+hash+"/weights=f32/f=64/kernel=avx2/data=own.svm/nnz=mixed", "ns/nnz", ns)
}

func recommended(t *testing.T, rows ...[]resultfile.Row) string {
	t.Helper()
	var out strings.Builder
	if _, err := WriteRecommendation(&out, slices.Concat(rows...)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestWriteRecommendation(t *testing.T) {
	got := recommended(t,
		cell("xxh64", "le64", onData, 64, 65, 1),
		cell("xxh64", "dec", onData, 64, 65, 1), // not timed
		cell("fast", "le64", onData, 63, 64, 1),
		cell("faster", "le64", onData, 20, 21, -1),
		cell("open", "le64", onData, 58, 57.9, 0),
		cell("short", "le64", strings.Replace(onData, "f=64", "f=32", 1), 20, 21, -1),
		cell("fast", "le64", "pattern=pow2/weights=unit/f=64", 11, 12, -1),
		[]resultfile.Row{sketch("xxh64", 2), sketch("fast", 1.5), sketch("faster", 1)})
	want := `Use xxh64 with le64 keys: 2.00 ns per feature of a whole sketch (kernel avx2). 2
of the 5 combinations are good on these vectors.
At worst it is worth 64.0 of 64 bits (65.0 at cosine 0.9 and above) on
little-endian keys of the indices of these vectors, f32 weights.
It is the default, and no other good one is clearly cheaper, by 20% and more.
Good on these vectors but weak on other indices: fast le64.
Weak, do not use: faster le64.
Undecided: open le64.

`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What stands in a recommendation, and what does not.
func TestRecommendationSays(t *testing.T) {
	good := func(hashes ...string) (rows []resultfile.Row) {
		for _, hash := range hashes {
			rows = append(rows, cell(hash, "le64", onData, 64, 64, 1)...)
		}
		return rows
	}
	var encoded []resultfile.Row
	for _, encoding := range []string{"le64", "be64", "dec"} {
		encoded = append(encoded, cell("xxh64", encoding, onData, 64, 64, 1)...)
		encoded = append(encoded, cell("fnv1-64", encoding, onData, 64, 64, 1)...)
	}
	for _, tc := range []struct {
		name    string
		rows    [][]resultfile.Row
		say     []string
		dontSay string
	}{
		{"cheaper", [][]resultfile.Row{good("xxh64", "fmix64"), {sketch("xxh64", 2), sketch("fmix64", 1)}},
			[]string{"Use fmix64 with le64 keys: 1.00 ns per feature of a whole sketch (kernel avx2). 2 of the 2 combinations are good on these vectors.", "It is clearly cheaper than the default, xxh64 with le64 keys (2.00 ns): changing saves 50% of the time. Fingerprints of two hashes cannot be compared"}, ""},
		{"hashing alone", [][]resultfile.Row{good("xxh64", "a"), {row("Hash/hash=xxh64/encoding=le64/kernel=avx2/n=1024", "ns/key", 2), row("Hash/hash=a/encoding=le64/kernel=avx2/n=1024", "ns/key", 1)}},
			[]string{"Use a with le64 keys: 1.00 ns per feature of hashing alone (kernel avx2)"}, "sketch"},
		{"the default", [][]resultfile.Row{good("xxh64"), {sketch("xxh64", 2)}}, []string{"It is the default"}, "changing"},
		{"the default is weak", [][]resultfile.Row{good("a"), cell("xxh64", "le64", onData, 30, 31, -1), {sketch("a", 2)}},
			[]string{"The default, xxh64 with le64 keys, is weak on little-endian keys of the indices of these vectors, f32 weights: 30.0 of 64 bits"}, "changing"},
		{"the default is undecided", [][]resultfile.Row{good("a"), cell("xxh64", "le64", onData, 58, 58, 0), {sketch("a", 2), sketch("xxh64", 1)}},
			[]string{"The default, xxh64 with le64 keys (1.00 ns), is undecided on", "56.3 to 59.7 of 64 bits"}, "changing"},
		{"nobody can tell", [][]resultfile.Row{cell("a", "le64", onData, 59, 59, 1), cell("xxh64", "le64", onData, 58, 58, 0), {sketch("a", 1), sketch("xxh64", 2)}},
			[]string{"Keep the default, xxh64 with le64 keys: 2.00 ns per feature of a whole sketch (kernel avx2).", "surely better, so these vectors do not tell the hashes apart: "}, "Use"},
		{"the default is not timed", [][]resultfile.Row{good("a", "xxh64"), {sketch("a", 2)}}, []string{"Use xxh64 with le64 keys, which was not timed in this run"}, "changing"},
		{"fewer cases", [][]resultfile.Row{good("a", "b"), cell("a", "le64", strings.Replace(onData, "f32", "unit", 1), 64, 64, 1), {sketch("a", 2)}},
			[]string{"Use a with le64 keys", "Good, but judged in fewer cases: b le64."}, ""},
		{"not timed", [][]resultfile.Row{encoded, cell("fnv1-64", "be64", "pattern=pow2/weights=unit/f=64", 8, 8, -1)},
			[]string{"Use xxh64 with le64 keys, which was not timed in this run. 5 of the 6 combinations are good", "Good on these vectors but weak on other indices: fnv1-64 be64."}, ""},
		{"weak elsewhere", [][]resultfile.Row{good("a"), cell("a", "le64", "pattern=pow2/weights=unit/f=64", 8, 8, -1), {sketch("a", 2)}},
			[]string{"Use a with le64 keys", "Good on these vectors but weak on other indices: a le64."}, ""},
		{"weak", [][]resultfile.Row{cell("a", "le64", onData, 30, 31, -1), {sketch("a", 1)}}, []string{"a with le64 keys is weak on these vectors."}, "Use "},
		{"undecided", [][]resultfile.Row{cell("a", "le64", onData, 58, 58, 0), {sketch("a", 1)}}, []string{"No hash is known to be good on"}, "Use "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := recommended(t, tc.rows...)
			for _, want := range tc.say {
				if !strings.Contains(got, want) && !strings.Contains(strings.ReplaceAll(got, "\n", " "), want) {
					t.Errorf("%q is not in\n%s", want, got)
				}
			}
			if tc.dontSay != "" && strings.Contains(got, tc.dontSay) {
				t.Errorf("%q is in\n%s", tc.dontSay, got)
			}
		})
	}
	if got := recommended(t); got != "" {
		t.Errorf("no rows: %q", got)
	}
}

// One reason takes one entry, however many hashes and encodings share it.
func TestFaultsByReason(t *testing.T) {
	var rows []resultfile.Row
	for _, hash := range []string{"xxh64", "md5"} {
		for _, encoding := range []string{"le64", "be64", "dec"} {
			rows = append(rows, exact(fmt.Sprintf("Quality/hash=%s/encoding=%s/%s", hash, encoding, onData), 64.0, "effective-bits", 0.0, "verdict")...)
		}
	}
	got := written(t, append(rows, cell("fnv1a64", "le64", onData, 30, 31, 0)...), 130)
	want := `What is wrong with those that are not good

  too few pairs at cosine 0.9 and above on keys of the indices of these vectors, f32 weights: md5 le64/be64/dec, xxh64
    le64/be64/dec
  fnv1a64: no verdict on little-endian keys of the indices of these vectors, f32 weights
`
	if !strings.Contains(got, want) {
		t.Errorf("want %s in\n%s", want, got)
	}
}

// Good hashes come first, each kind from cheap to dear with what was not timed at the bottom; what
// is not good and costs the same by its bits.
func TestOrderOfHashes(t *testing.T) {
	var rows []resultfile.Row
	for verdict, name := range map[float64]string{-1: "weak", 0: "open", 1: "good"} {
		for i, cost := range []string{"untimed", "dear", "cheap"} {
			rows = append(rows, cell(name+"-"+cost, "le64", onData, 56+float64(i), 60, verdict)...)
		}
		rows = append(rows, cell(name+"-wider", "le64", onData, 59, 60, verdict)...)
		rows = append(rows, sketch(name+"-dear", 9), sketch(name+"-cheap", 3))
	}
	set := oneRun(rows)
	choices := advice.Choices(set, func(advice.Case) bool { return true })
	sortByCost(choices, advice.TimesOf(set.Machines()[0], choices, ""))
	var got, want []string
	for _, c := range choices {
		got = append(got, c.Hash)
	}
	for _, verdict := range []string{"good", "open", "weak"} {
		last := []string{"wider", "untimed"}
		if verdict == "good" { // as good as each other
			last = []string{"untimed", "wider"}
		}
		for _, cost := range append([]string{"cheap", "dear"}, last...) {
			want = append(want, verdict+"-"+cost)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
