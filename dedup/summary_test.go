package dedup

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"simhashkit/datasets"
)

// At its longest the answer fits a terminal of 24 lines of 80 columns, with the prompt below it.
func TestSummaryFitsAScreen(t *testing.T) {
	records := &Records{Name: strings.Repeat("a long folder/", 9) + "and a name.svm.gz", Vectors: new(datasets.CSR[float64])}
	records.Set.Bits = 64
	for i := range 300 {
		id := fmt.Sprintf("%s/%d", strings.Repeat("folder with\ttabs/", 6), i)
		fingerprint := uint64(i%30+1)*0x9e3779b97f4a7c15&^0xffff | 1<<(i/30) - 1 // chains of ten, each one bit from the next
		records.Add([]byte(id), []uint64{fingerprint}, i%100 != 99)
		if err := records.Vectors.Append(&datasets.Row[float64]{Indices: []uint64{1}, Weights: []float64{1}}); err != nil {
			t.Fatal(err)
		}
	}
	notes := Notes{WhyK: "the default for this width", Chance: 0.01}
	for _, cosine := range []float64{0.99, 0.98, 0.95} {
		notes.Finds = append(notes.Finds, Finds{cosine, 0.123456})
		notes.Of = "cosine"
	}
	verify := verifier(t, records, nil, 0.954321)
	for _, c := range []struct {
		options Options
		parts   []string
	}{
		{Options{K: 1, By: Components}, []string{"chain", "In the largest group, 9 bits apart:\n    …folder with tabs//0  a text"}},
		{Options{K: 1, Verify: verify}, []string{"Verified (cosine of 0.954321 and above): of 147 records within", "farthest"}},
	} {
		r, err := Find(t.Context(), records, c.options)
		if err != nil {
			t.Fatal(err)
		}
		notes.Texts = map[int]string{}
		for i := range 300 {
			notes.Texts[i] = "a text of many words " + strings.Repeat("\tnot\n", 50)
		}
		var out bytes.Buffer
		if err := r.Summary(&out, notes); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(lines) > 23 {
			t.Errorf("%d lines", len(lines))
		}
		for _, line := range lines {
			if utf8.RuneCountInString(line) > 80 {
				t.Errorf("%d columns: %s", utf8.RuneCountInString(line), line)
			}
		}
		for _, part := range append(c.parts, "near-duplicates", "By chance", "without a fingerprint", "--list") {
			if !strings.Contains(out.String(), part) {
				t.Errorf("%q is not in it", part)
			}
		}
		if t.Failed() {
			t.Log("\n" + out.String())
		}
	}
}

// A warning stands above the answer where chains may have joined strangers: in a group wider than
// 2k, or in one of many records that is wider than k. A record of each group alone is no reason.
func TestSuspiciousGroups(t *testing.T) {
	chained := func(members, step, others int) *Records {
		records := &Records{Name: "x"}
		records.Set.Bits = 64
		for i := range members { // each some bits from the next, and those from the first no more than step times the number
			records.Add([]byte("r"), []uint64{1<<(i*step%40) - 1}, true)
		}
		for i := range others {
			records.Add([]byte("o"), []uint64{(uint64(i) + 7) * 0x9e3779b97f4a7c15}, true)
		}
		return records
	}
	for _, c := range []struct {
		name    string
		records *Records
		by      string
		want    string // what it begins with; "" for no warning
	}{
		{"a chain", chained(9, 2, 1000), Components, "Look before you drop: the largest group has 9 records, up to 16 bits from its\nfirst; 1 group is a chain wider than 2k = 4. They may hold strangers. --by first\nhas no chains.\n\n1009 records"},
		{"no chains by first", chained(9, 2, 1000), First, ""},
		{"a narrow group", chained(2, 2, 1000), Components, ""},
		{"many, and no chain", many(30, 1000), Components, "Look before you drop: the largest group has 30 records, up to 4 bits from its\nfirst. They"},
		{"many of more", many(30, 5000), Components, ""},
		{"copies", many(0, 0), Components, ""},
	} {
		r, err := Find(t.Context(), c.records, Options{K: 2, By: c.by})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := r.Summary(&out, Notes{}); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); !strings.HasPrefix(got, c.want) || c.want == "" && strings.Contains(got, "Look") {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// many are records of which the first ones are within 4 bits of the first, in steps of 2; with none
// of these, 50 copies.
func many(members, others int) *Records {
	records := &Records{Name: "x"}
	records.Set.Bits = 64
	for i := range members {
		records.Add([]byte("r"), []uint64{[]uint64{0xff00, 0xff03, 0xff0f}[i%3]}, true)
	}
	for i := range others {
		records.Add([]byte("o"), []uint64{(uint64(i) + 7) * 0x9e3779b97f4a7c15}, true)
	}
	for range 50 * (1 - min(1, members)) {
		records.Add([]byte("c"), []uint64{12345}, true)
	}
	return records
}

// What chance brings together is counted by pairs: of records that have fingerprints, among
// themselves, with others, or both.
func TestPairsByChance(t *testing.T) {
	side := func(n int) *Records {
		records := &Records{Name: "x"}
		records.Set.Bits = 64
		for i := range n {
			records.Add([]byte("r"), []uint64{uint64(i) * 0x9e3779b97f4a7c15}, true)
		}
		records.Add([]byte("empty"), []uint64{0}, false)
		return records
	}
	for _, c := range []struct {
		options Options
		chance  float64
		want    string
	}{
		{Options{}, 1, "some 780 pairs of unrelated records"},
		{Options{}, 0.1, "some 78 pairs of"},
		{Options{}, 1. / 800, ""},
		{Options{}, 1. / 700, "some 1 pair of"},
		{Options{Against: side(10)}, 1, "some 400 pairs of"},
		{Options{Against: side(10), Among: true}, 1, "some 1200 pairs of"},
		{Options{Against: side(10), Among: true}, 0.05, "some 59 pairs of"},
		{Options{K: 2}, 1, "take a smaller --k, wider fingerprints (--bits), or --verify."},
	} {
		r, err := Find(t.Context(), side(40), c.options)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := r.Summary(&out, Notes{Chance: c.chance}); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(out.String()), " ")
		if c.want == "" && strings.Contains(text, "By chance") || !strings.Contains(text, c.want) {
			t.Errorf("%+v by a chance of %v: expected %q in %s", c.options, c.chance, c.want, text)
		}
		if out.Reset(); r.Summary(&out, Notes{Chance: c.chance, NoVerify: true, Without: "no features"}) != nil || strings.Contains(out.String(), "--verify") ||
			!strings.Contains(out.String(), "(no features)") {
			t.Errorf("without --verify: %s", &out)
		}
	}
}
