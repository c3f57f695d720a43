package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/bench/advice"
)

const onData = "pattern=data/weights=f32/data=own.svm/f=64"

// sketch returns a row with times of whole sketches of the data set.
func sketch(hash string, ns float64) resultfile.Row {
	return row("Sketch/hash="+hash+"/weights=f32/f=64/kernel=avx2/data=own.svm/nnz=mixed", "ns/nnz", ns)
}

func recommended(t *testing.T, rows ...[]resultfile.Row) string {
	t.Helper()
	var out strings.Builder
	r, err := Write(&out, slices.Concat(rows...), false)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Choices) == 0 {
		return out.String()
	}
	answer, _, _ := strings.Cut(out.String(), "\n\n")
	return answer
}

func TestWriteAnswer(t *testing.T) {
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
It is the default, and no other good hash is clearly cheaper (by 30% or more).
Good on these vectors but weak on other indices: fast le64.`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Recommendations contain the sentences in say, but not dontSay.
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
		{"the data cannot tell", [][]resultfile.Row{cell("a", "le64", onData, 59, 59, 1), cell("xxh64", "le64", onData, 58, 58, 0), {sketch("a", 1), sketch("xxh64", 2)}},
			[]string{"Keep the default, xxh64 with le64 keys: 2.00 ns per feature of a whole sketch (kernel avx2).", "surely better, so these vectors cannot rank the hashes: "}, "Use"},
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

// Hashes and encodings with the same reason share one entry.
func TestFaultsByReason(t *testing.T) {
	var rows []resultfile.Row
	for _, hash := range []string{"xxh64", "md5"} {
		for _, encoding := range []string{"le64", "be64", "dec"} {
			rows = append(rows, exact(fmt.Sprintf("Quality/hash=%s/encoding=%s/%s", hash, encoding, onData), 64.0, "effective-bits", 0.0, "verdict")...)
		}
	}
	got := written(t, append(rows, cell("fnv1a64", "le64", onData, 30, 31, 0)...), 130)
	want := `Defects of the hashes that are not good

  too few pairs at cosine 0.9 and above on keys of the indices of these vectors, f32 weights: md5
    le64/be64/dec, xxh64 le64/be64/dec
  fnv1a64: no verdict on little-endian keys of the indices of these vectors, f32 weights
`
	if !strings.Contains(got, want) {
		t.Errorf("want %s in\n%s", want, got)
	}
}

// Good hashes come first. Hashes with the same verdict are sorted by cost, with those that were not
// timed at the end. Hashes that are not good and cost the same are sorted by effective bits.
func TestOrderOfHashes(t *testing.T) {
	var rows []resultfile.Row
	for verdict, name := range map[float64]string{-1: "weak", 0: "open", 1: "good"} {
		for i, cost := range []string{"untimed", "dear", "cheap"} {
			rows = append(rows, cell(name+"-"+cost, "le64", onData, 56+float64(i), 60, verdict)...)
		}
		rows = append(rows, cell(name+"-wider", "le64", onData, 59, 60, verdict)...)
		rows = append(rows, sketch(name+"-dear", 9), sketch(name+"-cheap", 3))
	}
	set := advice.NewSet([]advice.Source{{File: resultfile.File{Rows: rows}}})
	choices := advice.Choices(set, func(advice.Case) bool { return true })
	choices = advice.TimesOf(set, choices, "").Sorted(choices)
	var got, want []string
	for _, c := range choices {
		got = append(got, c.Hash)
	}
	for _, verdict := range []string{"good", "open", "weak"} {
		last := []string{"wider", "untimed"}
		if verdict == "good" { // good hashes count as equal
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

func exact(name string, valuesAndUnits ...any) (rows []resultfile.Row) {
	for i := 0; i < len(valuesAndUnits); i += 2 {
		rows = append(rows, resultfile.Row{Name: name, Unit: valuesAndUnits[i+1].(string), Samples: []resultfile.Sample{{Iterations: 1, Value: valuesAndUnits[i].(float64)}}})
	}
	return rows
}

// cell returns the rows of a cell, with intervals of three percent.
func cell(hash, encoding, vectors string, bits, near, verdict float64) []resultfile.Row {
	return exact(fmt.Sprintf("Quality/hash=%s/encoding=%s/%s", hash, encoding, vectors), bits, "effective-bits", 0.97*bits, "effective-bits-low", 1.03*bits, "effective-bits-high",
		near, "effective-bits-cos90", 0.97*near, "effective-bits-cos90-low", 1.03*near, "effective-bits-cos90-high", 0.1, "bias", verdict, "verdict")
}

func qualities() []resultfile.Row {
	var rows []resultfile.Row
	for _, list := range [][]resultfile.Row{
		{
			row("Hash/hash=md5/encoding=le64/kernel=library/n=1024", "ns/key", 117.5),
			row("Hash/hash=md5/encoding=le64/kernel=avx2/n=1024", "ns/key", 7.5),
			row("Hash/hash=xxh64/encoding=le64/kernel=library/n=1024", "ns/key", 2.6),
			row("Hash/hash=xxh64/encoding=le64/kernel=avx2/n=1024", "ns/key", 0.6),
			row("Sketch/hash=xxh64/weights=f32/f=64/kernel=naive/data=go-source/nnz=mixed", "ns/nnz", 213),
			row("Sketch/hash=xxh64/weights=f32/f=64/kernel=avx2/data=go-source/nnz=mixed", "ns/nnz", 3.5),
		},
		cell("md5", "le64", "pattern=consecutive/weights=unit/f=64", 64.1, 63.9, 1),
		cell("md5", "dec", "pattern=consecutive/weights=unit/f=64", 63.9, 64.3, 1),
		cell("md5", "le64", "pattern=consecutive/weights=unit/f=128", 127, 128.4, 1),
		cell("xxh64", "le64", "pattern=consecutive/weights=unit/f=64", 64.4, 63.8, 1),
		cell("xxh64", "le64", "pattern=dense1e3/weights=signed/f=64", 63.1, 62.8, 1),
		cell("fnv1a64", "be64", "pattern=consecutive/weights=unit/f=64", 8.5, 42.6, -1),
		exact("Quality/hash=fnv1a64/encoding=be64/pattern=consecutive/weights=unit/f=64", 21.0, "constant-bits", 3.0, "copied-bits"),
		cell("lookup3", "le64", "pattern=consecutive/weights=unit/f=64", 61.6, 58.5, 0),
		cell("crc32c", "le64", "pattern=data/weights=f32/data=a-name-that-is-very-long-indeed.svm.gz/f=32", 12, 13, -1),
		exact("Quality/hash=siphash/encoding=le64/pattern=data/weights=f32/data=own.svm/f=64", 0.0, "verdict", 3.0, "pairs"),
		{{Name: "Quality/hash=xxh3/encoding=le64/pattern=pow2/weights=unit/f=64", Unit: "effective-bits", Err: "wrong"}},
	} {
		rows = append(rows, list...)
	}
	return rows
}

func TestGoldenQuality(t *testing.T) { sameAs(t, "testdata/quality.golden", qualities(), 126) }
