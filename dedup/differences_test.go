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

// Lists and counts have the difference of each dropped text, and KeepNumbers and KeepNegations keep
// the texts that differ in these from all similar kept ones.
func TestDifferencesAreWhatTheDefinitionSays(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	seen := map[string]int{}
	for round := range 40 {
		texts := variedTexts(random, 30)
		spec := Spec{Measure: measures[round%2], Similarity: 0.8, Recall: 0.99, KeepNumbers: round/2%2 == 1, KeepNegations: round/4%2 == 1}
		records := &Records{Name: "texts"} // all pairs are candidates
		records.Set.Bits = 64
		order := make([]int, len(texts))
		for i := range texts {
			order[i] = i
			records.Add(nil, []uint64{0}, true)
		}
		c := &verifiedCase{records, Options{Spec: spec, Texts: rereadTexts(texts), Folder: t.TempDir(), Workers: 1}, order, func(a, b int) float64 {
			s := textSimilarity(spec.Measure, texts[a], texts[b])
			number, negation, _ := naiveDifferences(texts[a], texts[b])
			if spec.KeepNumbers && number || spec.KeepNegations && negation {
				return 0
			}
			return s
		}}
		r := c.find(t)
		c.checkComplete(t, r)
		c.checkSound(t, r)
		var list bytes.Buffer
		if err := r.List(t.Context(), &list, "drop", "jsonl"); err != nil {
			t.Fatal(err)
		}
		of, _ := canonicals(r)
		counts := map[string]int{}
		decoder := json.NewDecoder(&list)
		for i, kept := range of {
			if i == kept {
				continue
			}
			number, negation, signs := naiveDifferences(texts[i], texts[kept])
			same := slices.Equal(regexp.MustCompile(`\w+`).FindAllString(texts[i], -1), regexp.MustCompile(`\w+`).FindAllString(texts[kept], -1))
			want := ""
			switch {
			case negation:
				want = "negation"
			case number:
				want = "number"
			case same && signs:
				want = "punctuation"
			}
			var row struct{ Differs string }
			if err := decoder.Decode(&row); err != nil || row.Differs != want {
				t.Fatalf("%q and %q: differs %q, %v, expected %q", texts[i], texts[kept], row.Differs, err, want)
			}
			counts[want]++
			seen[want]++
		}
		checkCounts(t, r, counts)
		checkDiffering(t, r, counts)
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if min(seen[""], seen["number"], seen["negation"], seen["punctuation"]) < 50 {
		t.Errorf("%v dropped texts by their difference", seen)
	}
}

// checkCounts compares the numbers in the summary with the counts.
func checkCounts(t *testing.T, r *Result, counts map[string]int) {
	t.Helper()
	r.Kind = "document"
	var s strings.Builder
	if err := r.Summary(&s); err != nil {
		t.Fatal(err)
	}
	summary := strings.Join(strings.Fields(s.String()), " ")
	meaning, punctuation := counts["number"]+counts["negation"], counts["punctuation"]
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
func checkDiffering(t *testing.T, r *Result, counts map[string]int) {
	t.Helper()
	all := counts["punctuation"] + counts["number"] + counts["negation"]
	examples := r.Examples(5, true)
	shown := map[string]int{}
	for _, e := range examples {
		shown[e.Differs]++
	}
	if len(examples) != min(5, all) || shown[""] > 0 {
		t.Errorf("%v shown of %v", shown, counts)
	}
	for d, n := range counts {
		if d != "" && n > 0 && shown[d] == 0 {
			t.Errorf("%v shown of %v", shown, counts)
		}
	}
}

// KeepNumbers and KeepNegations need texts.
func TestKeepDifferentRefused(t *testing.T) {
	records := &Records{Name: "texts"}
	records.Set.Bits = 64
	records.Add(nil, []uint64{0}, true)
	_, err := Find(t.Context(), records, Options{Spec: Spec{Measure: Cosine, Similarity: 0.9, Recall: 0.9, KeepNumbers: true}})
	if err == nil || !strings.Contains(err.Error(), "KeepNumbers and KeepNegations require texts") {
		t.Errorf("error %v", err)
	}
}
