package text

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
)

// Every method numbers the repeats of a feature, also across batches.
func TestNumbered(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, definition := range []string{"words,plain,fold", "words", "words,n=2,plain", "words,stem,lang=en"} {
		for _, size := range []int{0, 1, 5, 300, 20_000} {
			var words []string
			for range size {
				words = append(words, fmt.Sprintf("w%d", random.IntN(1+size/8)))
			}
			content := []byte(strings.Join(words, " "))
			plain, numbered := analyzerOf(t, definition), analyzerOf(t, definition+",numbered")
			var want []string
			count := map[string]int{}
			for _, feature := range plain.Append(nil, content) {
				name := string(feature)
				if count[name]++; count[name] > 1 {
					name = fmt.Sprintf("%s %d", name, count[name])
				}
				want = append(want, name)
			}
			check := func(method string, got []string) {
				t.Helper()
				if !slices.Equal(got, want) {
					t.Errorf("%s of %d words: %s differs from the oracle", definition, size, method)
				}
			}
			var got []string
			for _, feature := range numbered.Append(nil, content) {
				got = append(got, string(feature))
			}
			check("Append", got)
			got = nil
			for batch := range numbered.Batches(content) {
				for _, feature := range batch {
					got = append(got, string(feature))
				}
			}
			check("Batches", got)
			var codes, batches []uint64
			for _, name := range want {
				codes = append(codes, xxhash.Sum64String(name))
			}
			for batch := range numbered.IndexBatches(content) {
				batches = append(batches, batch...)
			}
			if !slices.Equal(numbered.AppendIndices(nil, content), codes) || !slices.Equal(batches, codes) {
				t.Errorf("%s of %d words: the indices differ from the hashes of the features", definition, size)
			}
		}
	}
}

func analyzerOf(t *testing.T, definition string) *Analyzer {
	t.Helper()
	o, err := ParseOptions(definition)
	if err != nil {
		t.Fatal(err)
	}
	a, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// If most plain words are characters of a script without spaces, the other words are characters
// too.
func TestMostlyUnspaced(t *testing.T) {
	a := analyzerOf(t, "words,plain")
	for content, want := range map[string]string{
		"微软 Azure 云":            "微|软|A|z|u|r|e|云",
		"微软 Azure cloud":        "微|软|Azure|cloud",
		"Azure 微":               "Azure|微",
		"日本語ABC、テスト":            "日|本|語|A|B|C|テ|ス|ト",
		"“quotes” and – dashes": "quotes|and|dashes",
		"":                      "",
	} {
		var got []string
		for _, word := range a.Append(nil, []byte(content)) {
			got = append(got, string(word))
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q: %q, want %q", content, s, want)
		}
	}
	long := strings.Repeat("日本語ABC、", batchBytes/4)
	var batches [][]byte
	for batch := range a.Batches([]byte(long)) {
		batches = append(batches, batch...)
	}
	if got := len(batches); got != 6*batchBytes/4 {
		t.Errorf("%d words in batches, want %d", got, 6*batchBytes/4)
	}
}
