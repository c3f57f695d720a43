package dedup

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash/index/join"
)

// library is texts whose tokens are known, and fingerprints that are near where texts come from
// each other, and near for some that have nothing to do with each other.
type library struct {
	tokens       [][]string
	fingerprints []uint64
}

func newLibrary(random *rand.Rand, n int, tokens ...string) *library {
	l := new(library)
	for i := range n {
		from := -1
		if i > 0 && random.IntN(3) > 0 {
			from = i - 1 - random.IntN(min(i, 40))
		}
		var list []string
		fingerprint := random.Uint64()
		if from >= 0 {
			fingerprint = l.fingerprints[from] ^ 1<<random.IntN(64)&^0xff
		}
		if from >= 0 && random.IntN(4) > 0 { // a copy with some tokens changed, or the end missing
			list = append(list, l.tokens[from]...)
			for range random.IntN(3) {
				if len(list) > 0 {
					list[random.IntN(len(list))] = tokens[random.IntN(len(tokens))]
				}
			}
			list = list[:len(list)-random.IntN(min(len(list)+1, 3))]
		} else {
			for range random.IntN(30) {
				list = append(list, tokens[random.IntN(len(tokens))])
			}
		}
		l.tokens, l.fingerprints = append(l.tokens, list), append(l.fingerprints, fingerprint)
	}
	return l
}

func (l *library) text(i int) string { return strings.Join(l.tokens[i], " ") }

func (l *library) records() *Records {
	r := &Records{Name: "texts"}
	r.Set.Bits = 64
	for i, fingerprint := range l.fingerprints {
		r.Add(nil, []uint64{fingerprint}, len(l.tokens[i]) > 0)
	}
	return r
}

// texts is the file.
func (l *library) texts(_ context.Context, _ string, want func(int) bool) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for i := range l.tokens {
			var text []byte
			if want(i) {
				text = []byte(l.text(i))
			}
			if !yield(text, nil) {
				return
			}
		}
	}
}

func (l *library) reread(ctx context.Context, records []uint64, take func(uint64, []byte) error) error {
	return TextsOf(l.texts).Take(ctx, "texts", 0, records, nil, take)
}

// runs returns the different runs of n tokens, by definition.
func (l *library) runs(i int, m Measure) map[string]bool {
	tokens, runs := l.tokens[i], map[string]bool{}
	if m.Kind == Jaccard && len(tokens) > 0 {
		edge := make([]string, m.N-1)
		tokens = append(append(edge, tokens...), edge...)
	}
	n := min(m.N, len(tokens))
	for at := 0; n > 0 && at+n <= len(tokens); at++ {
		runs[strings.Join(tokens[at:at+n], " ")] = true
	}
	return runs
}

// figure measures two texts in plain code.
func (l *library) figure(m Measure, i int, other *library, j int) float64 {
	if m.Kind == Cosine {
		counts, others := map[string]float64{}, map[string]float64{}
		for _, token := range l.tokens[i] {
			counts[token]++
		}
		for _, token := range other.tokens[j] {
			others[token]++
		}
		var dot, a, b float64
		for token, n := range counts {
			dot += n * others[token]
			a += n * n
		}
		for _, n := range others {
			b += n * n
		}
		return dot / math.Sqrt(a*b)
	}
	if m.Kind == Sequence {
		a, b := wordsByDefinition(l.tokens[i]), wordsByDefinition(other.tokens[j])
		return 2 * float64(commonByDefinition(a, b)) / float64(len(a)+len(b))
	}
	a, b := l.runs(i, m), other.runs(j, m)
	both := 0
	for run := range a {
		if b[run] {
			both++
		}
	}
	if m.Kind == Contained {
		return float64(both) / float64(len(a))
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// wordsByDefinition is the tokens that are no signs, in lower case, or all of those that are none;
// their characters where most of them are of scripts without spaces.
func wordsByDefinition(tokens []string) (words []string) {
	single := 0
	for _, token := range tokens {
		if token != "+" && token != "-" {
			words = append(words, strings.ToLower(token))
		}
		if token == "東" || token == "京" || token == "ไ" {
			single++
		}
	}
	switch {
	case words == nil:
		return tokens
	case 2*single > len(words):
		return strings.Split(strings.Join(words, ""), "")
	}
	return words
}

// commonByDefinition is the length of a longest common subsequence, by the recurrence.
func commonByDefinition(a, b []string) int {
	row := make([]int, len(b)+1)
	for i := range a {
		before := 0 // of a[:i] and b[:j]
		for j := range b {
			next := max(row[j+1], row[j])
			if a[i] == b[j] {
				next = before + 1
			}
			before, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}

func newTexts(t *testing.T, m Measure, read, against Reread) *Texts {
	t.Helper()
	analyzer, err := text.New(text.Options{})
	if err != nil {
		t.Fatal(err)
	}
	weigher, err := weights.New(weights.Options{})
	if err != nil {
		t.Fatal(err)
	}
	texts := &Texts{Measure: m, Analyzer: analyzer, Weigher: weigher, Read: read, ReadAgainst: against, Workers: 3, Folder: t.TempDir()}
	t.Cleanup(func() { texts.Close() })
	return texts
}

var measures = []string{"cosine:0.9", "jaccard:0.8:1", "jaccard:0.5", "jaccard:0.4:5", "contained:2", "contained", "sequence:0.8"}

// What is verified is what plain code finds among all pairs, beyond one batch of texts: a record is
// dropped for the first one that is kept, near and alike.
func TestTextsVerified(t *testing.T) {
	words := []string{"the", "GNU", "C", "compiler", "for", "a", "library"}
	others := append([]string{"+", "-", "東", "京", "ไ", "cafe\u0301"}, words...)
	for seed, name := range measures {
		m, err := ParseMeasure(name)
		if err != nil {
			t.Fatal(err)
		}
		tokens := others
		if m.Kind == Cosine {
			tokens = words // of which features are words
		}
		l := newLibrary(rand.New(rand.NewPCG(uint64(seed), 1)), batchTexts+1000, tokens...)
		records := l.records()
		texts := newTexts(t, m, l.reread, nil)
		r, err := Find(t.Context(), records, Options{K: 3, Verify: texts})
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		var kept []int
		dropped := 0
		var check Check
		for i, fingerprint := range l.fingerprints {
			near, of := false, -1
			for _, j := range kept {
				if len(l.tokens[i]) == 0 || bits.OnesCount64(fingerprint^l.fingerprints[j]) > 3 {
					continue
				}
				near = true
				if l.figure(m, i, l, j) >= m.Least-1e-12 {
					of = j
					break
				}
			}
			if near {
				check.Near++
			}
			if of >= 0 {
				check.Verified++
				dropped++
				want = append(want, fmt.Sprint(i, " of ", of))
			} else if len(l.tokens[i]) > 0 {
				kept = append(kept, i)
			}
		}
		var got []string
		for position, canonical := range r.Groups.canonical {
			if canonical != uint32(position) {
				got = append(got, fmt.Sprint(records.record(uint32(position)), " of ", records.record(canonical)))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || r.Check != check || r.Dropped() != dropped || r.By != First {
			t.Errorf("%s: by %s, %v, expected %v: -want +got\n%s", name, r.By, r.Check, check, diff)
		}
		if check.Verified < 200 || check.Near-check.Verified < 200 {
			t.Errorf("%s: %v: too few to tell", name, check)
		}
		pairs := 0
		for p, err := range r.Pairs(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			pairs++
			if exact := l.figure(m, int(p.B), l, int(p.A)); math.Abs(p.Figure-exact) > 1e-12 || exact < m.Least-1e-12 {
				t.Errorf("%s: %q and %q: %v, expected %v", name, l.text(int(p.A)), l.text(int(p.B)), p.Figure, exact)
			}
		}
		if pairs < dropped {
			t.Errorf("%s: %d pairs, expected one for each of %d at least", name, pairs, dropped)
		}
	}
}

// Beside another file, a record is dropped if one of that file is near and alike.
func TestTextsVerifiedAgainst(t *testing.T) {
	tokens := []string{"the", "GNU", "C", "+", "compiler"}
	for seed, name := range measures[1:] {
		m, err := ParseMeasure(name)
		if err != nil {
			t.Fatal(err)
		}
		both := newLibrary(rand.New(rand.NewPCG(uint64(seed), 2)), 1500, tokens...)
		var sides [2]library
		for i := range both.tokens {
			s := &sides[i%2]
			s.tokens, s.fingerprints = append(s.tokens, both.tokens[i]), append(s.fingerprints, both.fingerprints[i])
		}
		a, b := &sides[0], &sides[1]
		r, err := Find(t.Context(), a.records(), Options{K: 3, Against: b.records(), Verify: newTexts(t, m, a.reread, b.reread)})
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		near := 0
		for i := range a.tokens {
			any, alike := false, false
			for j := range b.tokens {
				if len(a.tokens[i]) > 0 && len(b.tokens[j]) > 0 && bits.OnesCount64(a.fingerprints[i]^b.fingerprints[j]) <= 3 {
					any = true
					alike = alike || a.figure(m, i, b, j) >= m.Least-1e-12
				}
			}
			if any {
				near++
			}
			if alike {
				want = append(want, r.Records.ID(i))
			}
		}
		if diff := cmp.Diff(want, list(t, r, ListDrop)); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
		if r.Check != (Check{near, len(want)}) || near == len(want) || len(want) == 0 {
			t.Errorf("%s: %v, expected %d and %d", name, r.Check, near, len(want))
		}
	}
}

// A file that has lost records, cannot be read or is interrupted is an error, and never an answer.
func TestTextsThatAreGone(t *testing.T) {
	l := newLibrary(rand.New(rand.NewPCG(5, 6)), 3000, "a", "b", "c")
	errGone := errors.New("gone")
	for want, read := range map[error]func(cancel func(error)) Reread{
		errFewer: func(func(error)) Reread {
			return (&library{tokens: l.tokens[:2900]}).reread
		},
		errGone: func(func(error)) Reread {
			return func(context.Context, []uint64, func(uint64, []byte) error) error { return errGone }
		},
		errStopped: func(cancel func(error)) Reread {
			cancel(errStopped)
			return l.reread
		},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		texts := newTexts(t, Measure{Kind: Jaccard, Least: 0.8, N: 3}, read(cancel), nil)
		groups, err := (&join.Join{Set: &l.records().Set, K: 3}).Groups(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r := &Result{Options: Options{K: 3, Verify: texts}, Records: l.records()}
		if err := r.keep(ctx, groups); !errors.Is(err, want) {
			t.Errorf("error %v, expected %v", err, want)
		}
		cancel(nil)
	}
}

// One word of 25 may be another one, wherever it stands, and none of 24.
func TestJaccardOfOneWord(t *testing.T) {
	for n, want := range map[int]bool{24: false, 25: true} {
		for at := range n {
			l := &library{tokens: make([][]string, 2), fingerprints: []uint64{1, 1}}
			for i := range n {
				l.tokens[0] = append(l.tokens[0], fmt.Sprint(i))
				l.tokens[1] = append(l.tokens[1], fmt.Sprint(i))
			}
			l.tokens[1][at] = "other"
			m, err := ParseMeasure("jaccard:0.8")
			if err != nil {
				t.Fatal(err)
			}
			r, err := Find(t.Context(), l.records(), Options{Verify: newTexts(t, m, l.reread, nil)})
			if err != nil || r.Dropped() == 1 != want {
				t.Errorf("word %d of %d: %v dropped, %v, expected %v", at, n, r.Dropped(), err, want)
			}
		}
	}
}

func TestParseMeasure(t *testing.T) {
	for s, want := range map[string]Measure{
		"cosine:0.9":    {Cosine, 0.9, 0},
		"cosine:99.9%":  {Cosine, 0.999, 0},
		"sequence:80%":  {Sequence, 0.8, 0},
		"sequence:.8:3": {},
		"sequence":      {},
		"jaccard:0.8":   {Jaccard, 0.8, 3},
		"jaccard:1:5":   {Jaccard, 1, 5},
		"contained":     {Contained, 1, 3},
		"contained:2":   {Contained, 1, 2},
		"jaccard":       {},
		"jaccard:0":     {},
		"jaccard:1.01":  {},
		"jaccard:NaN":   {},
		"jaccard:.8:0":  {},
		"jaccard:.8:x":  {},
		"jaccard:.8:3:": {},
		"cosine:0.9:3":  {},
		"contained:0.9": {},
		"0.9":           {},
		"":              {},
	} {
		got, err := ParseMeasure(s)
		if err != nil {
			got = Measure{}
		}
		if got != want {
			t.Errorf("%q: %+v, %v, expected %+v", s, got, err, want)
		}
	}
}
