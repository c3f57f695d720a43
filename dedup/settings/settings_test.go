package settings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
)

// made returns texts of words drawn from a vocabulary; some are near the one before.
func made(seed uint64, n, words int) (texts [][]byte) {
	random := rand.New(rand.NewPCG(seed, 9))
	for i := range n {
		list := make([]string, words)
		for j := range list {
			list[j] = fmt.Sprintf("w%d", random.IntN(400))
		}
		if i%5 == 1 {
			list = strings.Fields(string(texts[i-1]))
			list[random.IntN(words)] = "other"
		}
		texts = append(texts, []byte(strings.Join(list, " ")))
	}
	return texts
}

func chosen(t *testing.T, texts [][]byte, o Options) *Answer {
	t.Helper()
	a, err := Choose(t.Context(), texts, o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The same texts have the same answer with any number of workers, and what is named finds no less
// than the default, and few strangers.
func TestChoose(t *testing.T) {
	texts := made(1, 100, 60)
	a := chosen(t, texts, Options{Workers: 1})
	if b := chosen(t, texts, Options{Workers: 4}); !reflect.DeepEqual(a, b) {
		t.Errorf("with four workers %+v, with one %+v", b, a)
	}
	if a.Setting == nil || a.score(a.Setting.Found) < a.score(a.Default.Found) || a.Setting.Strangers > 1e6*mostStrangers {
		t.Errorf("setting %+v, default %+v", a.Setting, a.Default)
	}
	if a.Near != 20 || a.Copies != 100 {
		t.Errorf("%d near pairs and copies of %d texts, expected 20 and 100", a.Near, a.Copies)
	}
	for _, f := range a.Tried {
		if f.Bits < a.Setting.Bits && !f.Unfit && a.score(f.Found) > a.score(a.Setting.Found) {
			t.Errorf("%+v is better than %+v, and of fewer bits", f, a.Setting)
		}
	}
}

// What Flags says is what was measured: the number of pairs within k bits, one by one.
func TestFiguresByHand(t *testing.T) {
	texts, o := made(2, 60, 40), Options{Jaccard: DefaultJaccard}
	s, err := newSample(t.Context(), texts, o)
	if err != nil {
		t.Fatal(err)
	}
	a := chosen(t, texts, o)
	for _, f := range a.Tried {
		sketcher, err := f.sketcher(weights.Options{Scheme: f.Weights})
		if err != nil {
			t.Fatal(err)
		}
		of := func(text []byte) []uint64 {
			fingerprint, _, err := sketcher.Local().Append(nil, text)
			if err != nil {
				t.Fatal(err)
			}
			return fingerprint
		}
		strangers, found := 0, Found{}
		for j := range texts {
			for i := range j {
				if k := s.kinds[j*(j-1)/2+i]; fphash.Distance(of(texts[i]), of(texts[j])) <= f.K {
					switch k {
					case stranger:
						strangers++
					case near:
						found.Near += 1 / float64(s.near)
					}
				}
			}
		}
		if f.Strangers != 1e6*float64(strangers)/float64(s.strangers) || found.Near-f.Near > 1e-9 || f.Near-found.Near > 1e-9 {
			t.Errorf("%s: %v strangers of a million and %v of the near, expected %d of %d and %v", f.Flags(), f.Strangers, f.Near, strangers, s.strangers, found.Near)
		}
	}
}

// kinds are told by the sets of runs of three, with two empty words before and behind.
func TestKinds(t *testing.T) {
	texts := [][]byte{[]byte("a b c d e f g h"), []byte("a b c d e f g h"), []byte("a b c d e f g x"), []byte("x y z")}
	s, err := newSample(t.Context(), texts, Options{Jaccard: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	// 10 runs each; another last word is another run in three: 7 of 13
	want := []kind{identical, near, near, stranger, stranger, stranger}
	if !slices.Equal(s.kinds, want) {
		t.Errorf("kinds %v, expected %v", s.kinds, want)
	}
}

// So many words are replaced, one at least, and nothing else changes.
func TestReplaced(t *testing.T) {
	text, other := []byte(strings.Repeat("one, ", 100)+"\n"), []byte("two")
	for part, want := range map[float64]int{0.01: 1, 0.001: 1, 0.05: 5, 0.10: 10, 1: 100} {
		got := replaced(rand.New(rand.NewPCG(1, 1)), text, words(text), part, other, words(other))
		if n := bytes.Count(got, []byte("two, ")); n != want || !bytes.Equal(bytes.ReplaceAll(got, []byte("two"), []byte("one")), text) {
			t.Errorf("%v: %d words are replaced, expected %d: %s", part, n, want, got)
		}
	}
	if got := words([]byte("don't, 漢字 ab1 ก")); len(got) != 6 {
		t.Errorf("%d words, expected 6: %v", len(got), got)
	}
}

// In scripts without spaces other features are tried; what the caller wants is all that is tried.
func TestCandidates(t *testing.T) {
	names := func(list []candidate) (names []string) {
		for _, c := range list {
			names = append(names, c.Flags())
		}
		return names
	}
	var o Options
	if n := len(o.candidates(true)); n != 17 {
		t.Errorf("%d candidates, expected 17", n)
	}
	if got := strings.Join(names(o.candidates(false)), "\n"); strings.Contains(got, "fold") || !strings.Contains(got, "--features characters,n=2 --sketch minhash --bits 128 --k 0") {
		t.Errorf("without spaces:\n%s", got)
	}
	o = Options{Features: []string{"words"}, Sketch: "minhash"}
	if got, want := names(o.candidates(true)), []string{"--features words --sketch minhash --k 0", "--features words --sketch minhash --bits 128 --k 0"}; !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
	o = Options{Features: []string{"words"}, Weights: []weights.Options{{Scheme: weights.Count}}}
	if got, want := names(o.candidates(true)), []string{"--features words --weights count --k 0", "--features words --weights count --bits 128 --widen mix --k 0"}; !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
}

// Texts that tell nothing have no setting: few, empty ones, copies.
func TestNothingToTell(t *testing.T) {
	for name, texts := range map[string][][]byte{
		"none": nil, "one": made(1, 1, 10), "few": made(1, 20, 10), "empty": make([][]byte, 50), "copies": slices.Repeat([][]byte{[]byte("the same text again")}, 50),
	} {
		if a := chosen(t, texts, Options{}); a.Setting != nil {
			t.Errorf("%s: %+v", name, a.Setting)
		} else if !strings.HasPrefix(a.Lead(), "These texts do not tell") {
			t.Errorf("%s: %s", name, a.Lead())
		}
	}
}

func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	cancel(stop)
	if _, err := Choose(ctx, made(1, 50, 20), Options{}); !errors.Is(err, stop) {
		t.Errorf("error %v, expected %v", err, stop)
	}
	if _, err := Choose(t.Context(), made(1, 50, 20), Options{Features: []string{"vowels"}}); err == nil || !strings.Contains(err.Error(), "unknown features") {
		t.Errorf("error %v", err)
	}
}

// Copies in capitals, which share no run, are no strangers: a few of them refuse no setting.
func TestCopiesInCapitals(t *testing.T) {
	texts := made(4, 300, 60)
	for i := range 10 {
		texts = append(texts, bytes.ToUpper(texts[5*i]))
	}
	a := chosen(t, texts, Options{})
	if a.Setting == nil || a.Setting.Strangers > 0 || a.Wrong > 0 {
		t.Fatalf("setting %+v, verified %v", a.Setting, a.Wrong)
	}
	for _, f := range a.Tried {
		if f.Unfit {
			t.Errorf("%+v", f)
		}
	}
}

// What --verify lets be dropped is part of what the setting finds.
func TestVerifiedIsFound(t *testing.T) {
	a := chosen(t, made(5, 200, 12), Options{})
	for e, part := range a.Verified.Copies {
		if part > a.Setting.Found.Copies[e] {
			t.Errorf("%v of the copies with %v edited, found %v", part, Edits[e], a.Setting.Found.Copies[e])
		}
	}
	if a.Verified.Copies[3] == 0 || a.Verified.Near > 1 {
		t.Errorf("%+v", a.Verified)
	}
}
