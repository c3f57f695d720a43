package collections

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"simhashkit/internal/testing/long"
)

// commonByDefinition is the length of the longest common subsequence, cell by cell.
func commonByDefinition(a, b []uint32) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		before := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = before + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			before = above
		}
	}
	return row[len(b)]
}

func TestLongestCommonSubsequence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.Uint32Range(0, rapid.Uint32Range(0, 40).Draw(t, "letters"))
		of := func(name string) *Tokens {
			return &Tokens{list: rapid.SliceOfN(letters, 0, 200).Draw(t, name)}
		}
		a, b := of("a"), of("b")
		if got, want := a.longestCommonSubsequence(b), commonByDefinition(a.list, b.list); got != want {
			t.Fatalf("%d, expected %d", got, want)
		}
	})
}

func TestSimilarity(t *testing.T) {
	for _, tc := range []struct {
		language, a, b string
		want           float64
	}{
		{English, "In the beginning God created", "in the BEGINNING, God created!", 1},
		{English, "one two three four", "one three two four", 6.0 / 8},
		{English, "one two three four", "five six seven eight", 0},
		{English, "one two", "one two three four five six seven eight", 0}, // 4 of 10 at most
		{Chinese, "床前明月光，", "床前 看月光，", 10.0 / 12},
		{Japanese, "", "", 0},
	} {
		tokenizer := NewTokenizer(tc.language)
		a, b := tokenizer.Tokens(tc.a), tokenizer.Tokens(tc.b)
		if got := Similarity(a, b, 0.5); got != tc.want || Similarity(b, a, 0.5) != tc.want {
			t.Errorf("%q and %q: %v, expected %v", tc.a, tc.b, got, tc.want)
		}
	}
}

// What is cut off early is what is below the bound, and nothing else.
func TestSimilarityBelowItsBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tokenizer := NewTokenizer(English)
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab  ")), 0, 60, -1)
		a, b := tokenizer.Tokens(text.Draw(t, "a")), tokenizer.Tokens(text.Draw(t, "b"))
		exact, bounded := Similarity(a, b, 0), Similarity(a, b, Apart)
		if bounded != exact && (bounded != 0 || exact >= Apart) {
			t.Fatalf("%v, expected %v", bounded, exact)
		}
	})
}

// A pair is judged by its label, and where it has none by its texts.
func TestJudge(t *testing.T) {
	verse := "and the lord spake unto moses saying speak unto the children of israel"
	texts := []string{verse, "nothing of this is in there", verse + " again", "other words stand here altogether"}
	labelled := &Collection{Language: English, Truth: ByLabels, Texts: texts, Same: map[Pair]bool{{0, 1}: true}}
	scored := &Collection{Language: English, Truth: ByScores, Texts: texts, Scores: map[Pair]float64{{2, 3}: SameScore, {0, 1}: OtherScore, {0, 3}: 1}}
	for _, tc := range []struct {
		name string
		*Collection
		want []Judged
	}{
		{"labels", labelled, []Judged{{Pair{0, 1}, Same}, {Pair{0, 2}, Unjudged}, {Pair{1, 2}, Different}, {Pair{0, 3}, Different}, {Pair{1, 3}, Different}, {Pair{2, 3}, Different}}},
		{
			"edits", &Collection{Language: English, Truth: ByEdits, Texts: texts},
			[]Judged{{Pair{0, 1}, Different}, {Pair{0, 2}, Same}, {Pair{1, 2}, Different}, {Pair{0, 3}, Different}, {Pair{1, 3}, Different}, {Pair{2, 3}, Different}},
		},
		{"scores", scored, []Judged{{Pair{0, 1}, Unjudged}, {Pair{0, 3}, Different}, {Pair{2, 3}, Same}}},
	} {
		got, err := tc.Judge(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestOfVersions(t *testing.T) {
	list := []version{{"same", "same"}, {"short", "other"}, {strings.Repeat("long ", 40), "short"}}
	for range 2000 {
		list = append(list, version{"one of many", "another of many"})
	}
	c := ofVersions("made", English, Short, list)
	if len(c.Texts) != atMost(Short) || len(c.Same) != len(c.Texts)/2 {
		t.Fatalf("%d texts and %d pairs, expected %d", len(c.Texts), len(c.Same), atMost(Short))
	}
	for p := range c.Same {
		if p[1] != p[0]+1 || c.Texts[p[0]] == c.Texts[p[1]] || lengthOf(c.Texts[p[0]]) != Short {
			t.Errorf("pair %v: %q and %q", p, c.Texts[p[0]], c.Texts[p[1]])
		}
	}
	if diff := cmp.Diff(c, ofVersions("made", English, Short, list)); diff != "" {
		t.Errorf("the same call gives another collection:\n%s", diff)
	}
}

func TestSections(t *testing.T) {
	got := sections("Title I.\n§ 1. One form.\nSecond line.\n SEC. 2, Two § 7. not a section\nSec. 3. Three\n§ 3. Three again\n")
	if diff := cmp.Diff(map[string]string{"1": "One form.\nSecond line.", "2": "Two § 7. not a section"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFamily(t *testing.T) {
	for name, want := range map[string]string{
		"GPL-2.0-only": "GPL", "depreciate_GPL-3.0+": "GPL", "CC-BY-NC-3.0-AT": "CC-BY-NC", "MIT-CMU": "MIT-CMU", "0BSD": "0BSD",
	} {
		if got := family(name); got != want {
			t.Errorf("%s: %s, expected %s", name, got, want)
		}
	}
}

// Copies differ, in no more than the words that are replaced, and the texts stay as they are.
func TestWithCopies(t *testing.T) {
	var texts []string
	for i := range 60 {
		texts = append(texts, strings.Repeat(string(rune('あ'+i)), 40))
	}
	c := withCopies(Japanese, Short, texts)
	if len(c.Same) < 50 {
		t.Errorf("%d pairs", len(c.Same))
	}
	for p := range c.Same {
		a, b := []rune(c.Texts[p[0]]), []rune(c.Texts[p[1]])
		changed := 0
		for i := range a {
			if a[i] != b[i] {
				changed++
			}
		}
		if len(a) != len(b) || changed < 1 || changed > 2 || strings.Count(string(a), string(a[0])) != 40 {
			t.Errorf("%q became %q", string(a), string(b))
		}
	}
}

// The project's reference data, which only its developers have, is read whole.
func TestReferenceData(t *testing.T) {
	const data = "../../../../../shared/data"
	if _, err := os.Stat(data); err != nil || !long.Enabled() {
		t.Skip("the reference data is not here, or the long tests are not asked for")
	}
	list, err := verses(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		if len(c.Texts) != atMost(c.Length) || len(c.Same) != len(c.Texts)/2 {
			t.Errorf("%s %s: %d texts and %d pairs", c.Name, c.Length, len(c.Texts), len(c.Same))
		}
		for _, text := range c.Texts {
			if !utf8.ValidString(text) || text == "" {
				t.Errorf("%s: %q", c.Name, text)
			}
		}
	}
}
