package dedup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simhashkit/internal/similarity"
)

// variedTexts returns texts of words, numbers and negations, with copies that differ in a few of
// them, in a sign or in nothing.
func variedTexts(random *rand.Rand, n int) []string {
	words := []string{"not", "never", "without", "7", "50", "3"}
	word := func() string {
		if random.IntN(3) == 0 {
			return words[random.IntN(len(words))]
		}
		return fmt.Sprintf("x%c%c", 'a'+random.IntN(26), 'a'+random.IntN(26))
	}
	var texts []string
	for i := range n {
		if i == 0 || random.IntN(4) == 0 {
			var list []string
			for range 20 + random.IntN(20) {
				list = append(list, word())
			}
			texts = append(texts, strings.Join(list, " "))
			continue
		}
		list := strings.Fields(texts[random.IntN(i)])
		switch at := random.IntN(len(list)); random.IntN(5) {
		case 0:
			list[at] += "!"
		case 1:
			list[at] = word()
		case 2:
			list = slices.Insert(list, at, word())
		case 3:
			list = slices.Delete(list, at, at+1)
		}
		texts = append(texts, strings.Join(list, " "))
	}
	return texts
}

// naiveDifferences returns whether two texts of variedTexts differ in a number, by a negation and
// in their signs. This is an oracle: do not change it.
func naiveDifferences(a, b string) (number, negation, signs bool) {
	only := func(s, expression string) string {
		return strings.Join(regexp.MustCompile(expression).FindAllString(s, -1), " ")
	}
	differ := func(expression string) bool { return only(a, expression) != only(b, expression) }
	return differ(`[0-9]+`), differ(`\b(not|never|without)\b`), a != b
}

// Lists and counts have the difference of each dropped text, and KeepDifferent keeps the texts that
// differ in the given traits from all similar kept ones.
func TestDifferencesAreWhatTheDefinitionSays(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	var seen [NegationDiffers + 1]int
	for round := range 40 {
		texts := variedTexts(random, 30)
		spec := Spec{Measure: TextMeasures()[round%2], Similarity: 0.8, Recall: 0.99, KeepDifferent: similarity.Differences(round/2%4) * similarity.InNumbers}
		verify := &Verifier{Spec: spec, Texts: rereadTexts(texts), Folder: t.TempDir(), Workers: 1}
		records := &Records{Name: "texts"} // all pairs are candidates
		records.Set.Bits = 64
		order := make([]int, len(texts))
		for i := range texts {
			order[i] = i
			records.Add(nil, []uint64{0}, true)
		}
		c := &verifiedCase{records, Options{Spec: spec, Verify: verify, Workers: 1}, order, func(a, b int) float64 {
			s := textSimilarity(spec.Measure, texts[a], texts[b])
			number, negation, _ := naiveDifferences(texts[a], texts[b])
			if spec.KeepDifferent&similarity.InNumbers != 0 && number || spec.KeepDifferent&similarity.InNegations != 0 && negation {
				return 0
			}
			return s
		}}
		r := c.find(t)
		c.checkComplete(t, r)
		c.checkSound(t, r)
		var list bytes.Buffer
		if err := r.List(t.Context(), &list, ListDrop, "jsonl"); err != nil {
			t.Fatal(err)
		}
		of, _ := canonicals(r)
		counts := [NegationDiffers + 1]int{}
		decoder := json.NewDecoder(&list)
		for i, kept := range of {
			if i == kept {
				continue
			}
			number, negation, signs := naiveDifferences(texts[i], texts[kept])
			same := slices.Equal(regexp.MustCompile(`\w+`).FindAllString(texts[i], -1), regexp.MustCompile(`\w+`).FindAllString(texts[kept], -1))
			want := NoDifference
			switch {
			case negation:
				want = NegationDiffers
			case number:
				want = NumberDiffers
			case same && signs:
				want = PunctuationDiffers
			}
			var row struct{ Differs string }
			if err := decoder.Decode(&row); err != nil || row.Differs != want.String() {
				t.Fatalf("%q and %q: differs %q, %v, expected %q", texts[i], texts[kept], row.Differs, err, want)
			}
			counts[want]++
			seen[want]++
		}
		checkCounts(t, r, counts)
		checkDiffering(t, r, counts)
		if err := verify.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if slices.Min(seen[:]) < 50 {
		t.Errorf("%v dropped texts by their difference", seen)
	}
}

// checkCounts compares the numbers in the summary with the counts.
func checkCounts(t *testing.T, r *Result, counts [NegationDiffers + 1]int) {
	t.Helper()
	r.Kind = "document"
	var s strings.Builder
	if err := r.Summary(&s, Notes{}); err != nil {
		t.Fatal(err)
	}
	summary := strings.Join(strings.Fields(s.String()), " ")
	meaning, punctuation := counts[NumberDiffers]+counts[NegationDiffers], counts[PunctuationDiffers]
	for sentence, expected := range map[string]bool{
		fmt.Sprintf(" %d differ", meaning):             meaning > 0,
		" from the kept one in a number or a negation": meaning > 0,
		"differ":          meaning+punctuation > 0,
		"in punctuation:": punctuation > 0,
		fmt.Sprintf(" and %d only in punctuation: see --show differences.", punctuation): meaning > 0 && punctuation > 0,
	} {
		if strings.Contains(summary, sentence) != expected {
			t.Errorf("%v: %q, expected %v:\n%s", counts, sentence, expected, summary)
		}
	}
}

// checkDiffering checks that the examples have a difference, and each kind if there is room.
func checkDiffering(t *testing.T, r *Result, counts [NegationDiffers + 1]int) {
	t.Helper()
	all := counts[PunctuationDiffers] + counts[NumberDiffers] + counts[NegationDiffers]
	examples := r.Differing(5)
	var shown [NegationDiffers + 1]int
	for _, e := range examples {
		shown[e.Differs]++
	}
	if len(examples) != min(5, all) || shown[NoDifference] > 0 {
		t.Errorf("%v shown of %v", shown, counts)
	}
	for d, n := range counts {
		if Difference(d) != NoDifference && n > 0 && shown[d] == 0 {
			t.Errorf("%v shown of %v", shown, counts)
		}
	}
}

// KeepDifferent needs texts.
func TestKeepDifferentRefused(t *testing.T) {
	records := &Records{Name: "texts"}
	records.Set.Bits = 64
	records.Add(nil, []uint64{0}, true)
	_, err := Find(t.Context(), records, Options{Spec: Spec{Similarity: 0.9, Recall: 0.9, KeepDifferent: similarity.InNumbers}})
	if err == nil || !strings.Contains(err.Error(), "KeepDifferent requires texts and Verify") {
		t.Errorf("error %v", err)
	}
}
