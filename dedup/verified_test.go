package dedup

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/datasets"
	"simhashkit/datasets/text"
	"simhashkit/fphash"
	"simhashkit/fphash/index/join"
	"simhashkit/textsketch"
)

// randomTexts returns texts of random words, edits and copies of earlier texts, texts without
// words, and empty texts.
func randomTexts(random *rand.Rand, n int) []string {
	word := func() string { return fmt.Sprintf("w%d", random.IntN(2000)) }
	var texts []string
	for i := range n {
		switch kind := random.IntN(20); {
		case i == 0 || kind < 6:
			words := make([]string, 1+random.IntN(60))
			for w := range words {
				words[w] = word()
			}
			texts = append(texts, strings.Join(words, " "))
		case kind == 6:
			texts = append(texts, "")
		case kind == 7:
			texts = append(texts, []string{"***", "---", "?!", " "}[random.IntN(4)])
		case kind == 8:
			texts = append(texts, strings.ToUpper(texts[random.IntN(i)])+".")
		case kind == 9:
			texts = append(texts, texts[random.IntN(i)])
		default:
			words := strings.Fields(texts[random.IntN(i)])
			for range 1 + len(words)/15 {
				switch at := random.IntN(len(words) + 1); {
				case at == len(words) || random.IntN(3) == 0:
					words = slices.Insert(words, at, word())
				case random.IntN(2) == 0:
					words = slices.Delete(words, at, at+1)
				default:
					words[at] = word()
				}
			}
			texts = append(texts, strings.Join(words, " "))
		}
	}
	return texts
}

// textSimilarity is the similarity of ASCII texts by its definition. Words are runs of letters and
// digits in lower case; a text without any is one word. This is an oracle: do not change it.
func textSimilarity(measure Measure, x, y string) float64 {
	words := func(s string) []string {
		list := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9') })
		if len(list) == 0 && s != "" {
			list = []string{s}
		}
		return list
	}
	a, b := words(x), words(y)
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if measure == Jaccard {
		in, both := map[string]int{}, 0
		for _, w := range a {
			in[w] |= 1
		}
		for _, w := range b {
			in[w] |= 2
		}
		for _, of := range in {
			both += of / 3
		}
		return float64(both) / float64(len(in))
	}
	row := make([]int, len(b)+1)
	for i := range a {
		diagonal := 0
		for j := range b {
			above := row[j+1]
			if row[j+1] = max(above, row[j]); a[i] == b[j] {
				row[j+1] = diagonal + 1
			}
			diagonal = above
		}
	}
	return float64(row[len(b)]) / float64(max(len(a), len(b)))
}

// greedy is the definition of the kept records: in order of preference, each record is dropped if
// it is similar to a kept one. This is an oracle: do not change it.
func greedy(order []int, old int, informative func(int) bool, similar func(a, b int) bool) []int {
	of := make([]int, len(order))
	var kept []int
	for _, i := range order {
		of[i] = i
		for _, j := range kept {
			if i >= old && informative(i) && informative(j) && similar(i, j) {
				of[i] = j
				break
			}
		}
		if of[i] == i {
			kept = append(kept, i)
		}
	}
	return of
}

// sketched returns the records of texts, with MinHash fingerprints of their words.
func sketched(t *testing.T, texts []string, bits int) *Records {
	t.Helper()
	hash, err := fphash.New(fphash.Definition{Bits: bits, Kind: fphash.MinHash})
	if err != nil {
		t.Fatal(err)
	}
	sketcher, err := textsketch.New(textsketch.Options{Text: text.Options{Fold: true, Plain: true, Numbered: true}, Hash: hash, Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	local, records := sketcher.Local(), &Records{Name: "texts"}
	records.Set.Bits = bits
	for _, s := range texts {
		fingerprint, status, err := local.Append(nil, []byte(s))
		if err != nil {
			t.Fatal(err)
		}
		records.Add(nil, fingerprint, status == fphash.Informative)
	}
	return records
}

// rereadTexts returns a Reread for texts in memory.
func rereadTexts(texts []string) Reread[[]byte] {
	return func(_ context.Context, records []uint64, take func(uint64, []byte) error) error {
		for _, record := range records {
			if err := take(record, []byte(texts[record])); err != nil {
				return err
			}
		}
		return nil
	}
}

// canonicals returns the number of the record kept in place of each record, and their similarity.
func canonicals(r *Result) (of []int, similarity map[int]float32) {
	of, similarity = make([]int, r.Records.Len()), map[int]float32{}
	for i := range of {
		of[i] = i
	}
	for p := range r.Records.Set.Len() {
		if r.IsDropped(p) {
			record := r.Records.record(uint32(p))
			of[record] = r.Records.record(uint32(r.Canonical(p)))
			similarity[record] = r.groups.similarity[p]
		}
	}
	return of, similarity
}

// preferring returns a preference by random values, and the resulting order of the records.
func preferring(random *rand.Rand, n, old int) (Reread[[]byte], []int) {
	values, order := make([]int, n), make([]int, n)
	for i := range order {
		values[i], order[i] = random.IntN(5), i
	}
	slices.SortStableFunc(order[old:], func(a, b int) int { return values[b] - values[a] })
	return func(_ context.Context, records []uint64, take func(uint64, []byte) error) error {
		for _, record := range records {
			if err := take(record, fmt.Append(nil, values[old+int(record)])); err != nil {
				return err
			}
		}
		return nil
	}, order
}

// verifiedCase is a search with the true similarities of its records.
type verifiedCase struct {
	records    *Records
	options    Options
	order      []int
	similarity func(a, b int) float64
}

// checkComplete fails the test unless the kept records and the similarities are those of the
// definition. All similar pairs must be candidates.
func (c *verifiedCase) checkComplete(t *testing.T, r *Result) {
	t.Helper()
	informative := func(i int) bool { _, ok := r.Records.position(uint64(i)); return ok }
	want := greedy(c.order, c.options.Old, informative, func(a, b int) bool { return c.similarity(a, b) >= c.options.Similarity })
	got, similarity := canonicals(r)
	// A record that is similar to several kept records may be dropped for any of them.
	keptOf := func(of []int) (kept []bool) {
		for i, j := range of {
			kept = append(kept, i == j)
		}
		return kept
	}
	if diff := cmp.Diff(keptOf(want), keptOf(got)); diff != "" {
		t.Fatalf("similarity %v, %d old: -want +got\n%s", c.options.Similarity, c.options.Old, diff)
	}
	for i, s := range similarity {
		if got[i] == i {
			continue
		}
		if want := float32(c.similarity(i, got[i])); s != want {
			t.Errorf("similarity %v of %d and %d, expected %v", s, i, got[i], want)
		}
	}
}

// checkSound fails the test unless old records are kept, each dropped record is similar to a kept
// one, and no two kept candidates are similar. This holds for any set of candidates.
func (c *verifiedCase) checkSound(t *testing.T, r *Result) {
	t.Helper()
	of, _ := canonicals(r)
	dropped := 0
	for i, j := range of {
		if i == j {
			continue
		}
		dropped++
		if of[j] != j || i < c.options.Old || c.similarity(i, j) < c.options.Similarity {
			t.Fatalf("%d is dropped for %d (which is kept as %d), with a similarity of %v", i, j, of[j], c.similarity(i, j))
		}
	}
	if keep, drop := len(list(t, r, "keep")), len(list(t, r, "drop")); keep+drop != len(of)-c.options.Old || drop != dropped || r.Dropped() != dropped {
		t.Errorf("%d new records: %d kept and %d dropped, expected %d dropped", len(of)-c.options.Old, keep, drop, dropped)
	}
	for p, err := range r.pairs(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		a, b := int(p.A), int(p.B)
		if s := c.similarity(a, b); s < c.options.Similarity || float32(s) != float32(p.similarity) || max(a, b) < c.options.Old {
			t.Errorf("pair %+v has a similarity of %v", p, s)
		}
		if of[a] == a && of[b] == b {
			t.Errorf("%d and %d are similar and both kept", a, b)
		}
	}
}

func (c *verifiedCase) find(t *testing.T) *Result {
	t.Helper()
	r, err := Find(t.Context(), c.records, c.options)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// If all similar pairs are candidates, Texts keeps the records of the definition. With fewer
// candidates, the result is sound. Old records come first and are kept, with and without a
// preference.
func TestTextsAreWhatTheDefinitionSays(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	droppedAll, forOld := 0, 0
	for round := range 60 {
		texts := randomTexts(random, 20+random.IntN(60))
		spec := Spec{Measure: measures[round%2], Similarity: []float64{0.5, 0.8, 0.9, 1}[round/2%4], Recall: 0.99}
		old := []int{0, 0, 1, len(texts) / 2, len(texts)}[round%5]
		c := &verifiedCase{sketched(t, texts, 256), Options{Spec: spec, Old: old, Texts: rereadTexts(texts), Folder: t.TempDir(), Workers: 2}, nil,
			func(a, b int) float64 { return textSimilarity(spec.Measure, texts[a], texts[b]) }}
		var prefer Reread[[]byte]
		if prefer, c.order = preferring(random, len(texts), old); round%3 == 0 {
			c.options.Prefer = prefer
		} else {
			slices.Sort(c.order)
		}
		r := c.find(t)
		c.checkSound(t, r)
		droppedAll, forOld = droppedAll+r.Dropped(), forOld+r.DroppedForOld()
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}

		all := Records{Name: "texts"} // all texts except empty ones are candidates
		all.Set.Bits = 64
		for _, s := range texts {
			all.Add(nil, []uint64{0}, s != "")
		}
		c.records = &all
		r = c.find(t)
		c.checkComplete(t, r)
		c.checkSound(t, r)
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if droppedAll < 200 || forOld < 50 {
		t.Errorf("%d dropped, %d of them as duplicates of old records", droppedAll, forOld)
	}
}

// This is TestTextsAreWhatTheDefinitionSays for vectors and their cosine.
func TestVectorsAreWhatTheDefinitionSays(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	dropped := 0
	for round := range 40 {
		n := 20 + random.IntN(60)
		old := []int{0, 1, n / 2}[round%3]
		rows := make([]datasets.Row[float64], n)
		records, all := &Records{Name: "vectors"}, &Records{Name: "vectors"}
		records.Set.Bits, all.Set.Bits = 128, 64
		hash, err := fphash.New(fphash.Definition{Bits: 128, Widen: fphash.WidenMix})
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			if i > 0 && random.IntN(3) > 0 {
				from := rows[random.IntN(i)]
				rows[i] = datasets.Row[float64]{Indices: slices.Clone(from.Indices), Weights: slices.Clone(from.Weights)}
				for w := range rows[i].Weights {
					rows[i].Weights[w] *= 1 + random.Float64()
				}
			} else {
				for index := range uint64(30) {
					if random.IntN(3) == 0 {
						rows[i].Indices, rows[i].Weights = append(rows[i].Indices, index), append(rows[i].Weights, random.NormFloat64())
					}
				}
			}
			fingerprint, status, err := fphash.Append(hash, nil, rows[i].Indices, rows[i].Weights)
			if err != nil {
				t.Fatal(err)
			}
			records.Add(nil, fingerprint, status == fphash.Informative)
			all.Add(nil, []uint64{0}, status == fphash.Informative)
		}
		spec := Spec{Measure: Cosine, Similarity: []float64{0.9, 0.95, 0.99, 1}[round%4], Recall: 0.99}
		vectors := func(_ context.Context, list []uint64, take func(uint64, *datasets.Row[float64]) error) error {
			for _, record := range list {
				if err := take(record, &rows[record]); err != nil {
					return err
				}
			}
			return nil
		}
		c := &verifiedCase{records, Options{Spec: spec, Old: old, Vectors: vectors, Folder: t.TempDir(), Workers: 2}, nil, func(a, b int) float64 {
			if cosine := datasets.Cosine(rows[a].Indices, rows[a].Weights, rows[b].Indices, rows[b].Weights); cosine <= 1-1e-12 {
				return cosine
			}
			return 1
		}}
		c.options.Prefer, c.order = preferring(random, n, old)
		r := c.find(t)
		c.checkSound(t, r)
		dropped += r.Dropped()
		r.Close()
		c.records = all
		r = c.find(t)
		c.checkComplete(t, r)
		c.checkSound(t, r)
		r.Close()
	}
	if dropped < 100 {
		t.Errorf("%d dropped", dropped)
	}
}

// Find returns the same groups with External, with and without verification. With a similarity,
// each may miss other pairs, but here both find the same groups.
func TestFindOnDisk(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for round := range 12 {
		texts := randomTexts(random, 400)
		records, counted := sketched(t, texts, 128), &Records{Name: "texts"}
		counted.Set.Bits = 128
		for i := range texts {
			_, ok := records.position(uint64(i))
			counted.Count(ok)
		}
		spec := Spec{Measure: Words, Similarity: []float64{0.8, 0.9, 1}[round%3], Recall: 0.99}
		options := Options{Spec: spec, Old: []int{0, 150}[round%2], Texts: rereadTexts(texts), Folder: t.TempDir()}
		if round%4 == 3 {
			options.Spec = Spec{K: 5, First: round/4%2 == 1}
		}
		options.Prefer, _ = preferring(random, len(texts), options.Old)
		want, err := Find(t.Context(), records, options)
		if err != nil {
			t.Fatal(err)
		}
		lists := map[string][]string{}
		for _, name := range Lists() {
			lists[name] = list(t, want, name)
			slices.Sort(lists[name])
		}
		want.Close()
		options.External = &join.External{Folder: t.TempDir(), Source: func() iter.Seq2[join.Record, error] {
			return func(yield func(join.Record, error) bool) {
				for i := range records.Set.Len() {
					if !yield(join.Record{ID: records.Set.ID(i), Words: records.Set.At(i)}, nil) {
						return
					}
				}
			}
		}}
		got, err := Find(t.Context(), counted, options)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range Lists() {
			if name == "pairs" && options.Similarity > 0 {
				continue
			}
			lines := list(t, got, name)
			slices.Sort(lines)
			if diff := cmp.Diff(lists[name], lines); diff != "" {
				t.Fatalf("round %d: %s: -want +got\n%s", round, name, diff)
			}
		}
		if got.Recall < options.Recall || got.Dropped() != want.Dropped() || got.DroppedForOld() != want.DroppedForOld() || got.Dropped() == 0 {
			t.Errorf("round %d: recall %v, %d dropped, %d for old, expected %v, %d, %d", round, got.Recall, got.Dropped(), got.DroppedForOld(), options.Recall, want.Dropped(), want.DroppedForOld())
		}
		got.Close()
	}
}

// countSample counts the similar pairs of the sample, and how many of them are in one group.
func TestSampleCounts(t *testing.T) {
	texts := []string{"a b c d e", "a b c d e", "a b c d x", "f g", "f g", "h"}
	spec := Spec{Measure: Words, Similarity: 0.8, Recall: 0.99}
	records := &Records{}
	records.Set.Bits = 64
	for range texts {
		records.Add(nil, []uint64{0}, true)
	}
	r, err := newResult(records, Options{Spec: spec, Texts: rereadTexts(texts), Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.verifier.load(t.Context(), []uint64{0, 1, 2, 3, 4, 5}, &r.Options); err != nil {
		t.Fatal(err)
	}
	r.sample = new(sample)
	pairs := []join.Pair{{A: 0, B: 1}, {A: 0, B: 2}, {A: 3, B: 4}, {A: 1, B: 5}, {A: 0, B: 4}}
	if err := r.countSample(pairs, []uint32{0, 0, 0, 3, 4, 5}); err != nil || *r.sample != (sample{pairs: 3, found: 2}) {
		t.Errorf("%+v, %v, expected 2 of 3 pairs found", *r.sample, err)
	}
}

// A randomized search has a sample, and has found most of its pairs.
func TestSampleOfSearch(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	var texts []string
	for range 20_000 {
		words := make([]string, 40)
		for w := range words {
			words[w] = fmt.Sprintf("w%d", random.IntN(5000))
		}
		texts = append(texts, strings.Join(words, " "))
		if words[3], words[17] = "x", "y"; random.IntN(4) == 0 {
			texts = append(texts, strings.Join(words, " "))
		}
	}
	records := sketched(t, texts, 128)
	spec := Spec{Measure: Words, Similarity: 0.9, Recall: 0.9}
	r, err := Find(t.Context(), records, Options{Spec: spec, Texts: rereadTexts(texts), Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if s := r.sample; s == nil || s.drawn < 100 || s.pairs < 20 || s.found > s.pairs || s.found < s.pairs*85/100 {
		t.Errorf("sample %+v", s)
	}
}
