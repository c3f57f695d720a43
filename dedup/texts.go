package dedup

import (
	"context"
	"sync"

	"simhashkit/dedup/similarity"
)

// Texts verifies candidates by their texts, which are read again, once and in order. The words of
// candidates go to a temporary file, 8 bytes each. Memory is 16 bytes for each candidate, some 40
// MiB, and what the longest text takes.
type Texts struct {
	Spec    Spec // Words or Jaccard
	Read    Reread
	Folder  string // of the temporary file; "" is the system's
	Workers int    // goroutines that read words; 0 is GOMAXPROCS

	store     *store
	comparers sync.Pool // of *comparer
}

// comparer is what one goroutine needs to compare texts.
type comparer struct {
	similarity.Comparer
	a, b []uint64
}

// Close removes the temporary file.
func (t *Texts) Close() error { return t.store.close() }

// Load reads the words of the records.
func (t *Texts) Load(ctx context.Context, records []uint64) (err error) {
	t.comparers.New = func() any { return new(comparer) }
	if t.store, err = newStore(t.Folder, records); err != nil {
		return err
	}
	if _, err := similarity.NewWordHasher(false); err != nil {
		return err
	}
	return t.store.addTexts(ctx, t.Read, t.Workers, func() func(dst []uint64, text []byte) []uint64 {
		words, _ := similarity.NewWordHasher(false) // as just before
		return words.Append
	})
}

// Compare returns the similarity of two texts.
func (t *Texts) Compare(a, b uint64) (float64, bool, error) {
	c := t.comparers.Get().(*comparer)
	defer t.comparers.Put(c)
	var err error
	if c.a, err = t.store.append(c.a[:0], a); err != nil {
		return 0, false, err
	}
	if c.b, err = t.store.append(c.b[:0], b); err != nil {
		return 0, false, err
	}
	if t.Spec.Measure == Jaccard {
		jaccard := similarity.Jaccard(c.a, c.b)
		return jaccard, jaccard >= t.Spec.Similarity, nil
	}
	return c.AtLeast(context.Background(), c.a, c.b, t.Spec.Similarity)
}

// Select finds each similar pair of the group, near or not.
func (t *Texts) Select(ctx context.Context, records []uint64, old int, near func(i, j int) bool) ([]int, []float32, error) {
	if t.Spec.Measure == Jaccard {
		return selectByPairs(ctx, len(records), old, near, func(i, j int) (float64, bool, error) { return t.Compare(records[i], records[j]) })
	}
	var places []int // of the texts that are kept, in records
	s := similarity.NewSelector(t.Spec.Similarity, func(dst []uint64, index int) ([]uint64, error) {
		return t.store.append(dst, records[places[index]])
	})
	all := 0
	for _, record := range records {
		all += t.store.words(record)
	}
	s.Reset(all)
	var words []uint64
	var err error
	for i := 0; i < len(records) && len(records) > fewTexts; i++ {
		if words, err = t.store.append(words[:0], records[i]); err != nil {
			return nil, nil, err
		}
		s.Count(words)
	}
	kept, similar := make([]int, len(records)), make([]float32, len(records))
	for i, record := range records {
		if words, err = t.store.append(words[:0], record); err != nil {
			return nil, nil, err
		}
		add := s.Add
		if i < old {
			add = s.Keep
		}
		result, err := add(ctx, words)
		if err != nil {
			return nil, nil, err
		}
		if kept[i] = i; result.Dropped {
			kept[i], similar[i] = places[result.Index], float32(result.Similarity)
		} else {
			places = append(places, i)
		}
	}
	return kept, similar, nil
}

// fewTexts is the size of a group whose words need no count.
const fewTexts = 8
