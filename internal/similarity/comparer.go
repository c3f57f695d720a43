package similarity

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/cespare/xxhash/v2"

	"simhashkit/datasets/text"
)

// Comparer measures the similarity of texts, given as word sequences of WordHasher. It has buffers,
// so it must not be used concurrently. The zero value is ready to use.
type Comparer struct {
	slots    []uint32 // hash table: id of a word plus 1; 0 if the slot is free
	words    []uint64 // by id: words of the shorter text
	inA, inB []uint32 // by id: number of occurrences in each text
	a, b     []uint32 // ids of the common words in each text, in order

	subsequence
}

// AtLeast reports whether the similarity S of two texts is at least s, and returns S if so, else 0.
// If S is less than s, AtLeast usually takes much less time than with s = 0. Two empty texts are
// not similar.
//
// S is the float64 quotient of two integers. So 9 of 10 words are at least 0.9: both are rounded to
// the same float64.
func (c *Comparer) AtLeast(ctx context.Context, a, b []uint64, s float64) (similarity float64, ok bool, err error) {
	longer := max(len(a), len(b))
	if longer == 0 {
		return 0, false, context.Cause(ctx)
	}
	length, err := c.commonSubsequence(ctx, a, b, needed(s, longer))
	if length < 0 || err != nil {
		return 0, false, err
	}
	return float64(length) / float64(longer), true, nil
}

// needed returns the least length of a common subsequence with S >= s, if the longer text has n
// words: the least l such that float64(l)/float64(n) >= s.
func needed(s float64, n int) int {
	l := int(math.Ceil(s * float64(n)))
	for l > 0 && float64(l-1)/float64(n) >= s {
		l--
	}
	for float64(l)/float64(n) < s {
		l++
	}
	return l
}

// wordsBetweenChecks is the number of words processed between checks of the context.
const wordsBetweenChecks = 1 << 16

// commonSubsequence returns the length of the longest common subsequence, or -1 if it is less than
// need. It tries the cheapest bounds first.
func (c *Comparer) commonSubsequence(ctx context.Context, a, b []uint64, need int) (int, error) {
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < need {
		return -1, nil
	}
	a, b, common := trim(a, b)
	shared, err := c.share(ctx, a, b, need-common)
	if err != nil {
		return 0, err
	}
	if common+shared < need {
		return -1, nil
	}
	aIDs, bIDs, more := trim(c.a, c.b)
	common += more
	length, err := c.find(ctx, aIDs, bIDs, len(c.words), max(need-common, 0))
	if length < 0 || err != nil {
		return -1, err
	}
	return common + length, nil
}

// trim removes the common prefix and suffix of two texts, and returns their total length.
func trim[W comparable](a, b []W) (restA, restB []W, common int) {
	for common < min(len(a), len(b)) && a[common] == b[common] {
		common++
	}
	a, b = a[common:], b[common:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b, common = a[:len(a)-1], b[:len(b)-1], common+1
	}
	return a, b, common
}

// share stores the ids of the words that occur in both texts in c.a and c.b. It returns the number
// of pairs of equal words, an upper bound of the longest common subsequence. If this number is less
// than need, share may return early with a smaller one.
func (c *Comparer) share(ctx context.Context, a, b []uint64, need int) (shared int, err error) {
	log := bits.Len(uint(2*len(a)) | 1)
	c.slots = resize(c.slots, 1<<log)
	clear(c.slots)
	c.words, c.inA = c.words[:0], c.inA[:0]
	c.a, c.b = resize(c.a, len(a))[:0], c.b[:0]
	for i, word := range a {
		if i%wordsBetweenChecks == 0 && ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		slot := c.slot(word, log)
		if c.slots[slot] == 0 {
			c.words, c.inA = append(c.words, word), append(c.inA, 0)
			c.slots[slot] = uint32(len(c.words))
		}
		id := c.slots[slot] - 1
		c.inA[id]++
		c.a = append(c.a, id)
	}
	c.inB = resize(c.inB, len(c.words))
	clear(c.inB)
	for i, word := range b {
		if i%wordsBetweenChecks == 0 && ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		id := c.slots[c.slot(word, log)] - 1
		if id == math.MaxUint32 {
			if shared+len(b)-i-1 < need {
				return -1, nil
			}
			continue
		}
		c.b = append(c.b, id)
		if c.inB[id]++; c.inB[id] <= c.inA[id] {
			shared++
		}
	}
	c.a = slices.DeleteFunc(c.a, func(id uint32) bool { return c.inB[id] == 0 })
	return shared, nil
}

// slot returns the slot of a word in the hash table of 1<<log slots, or a free slot for it.
func (c *Comparer) slot(word uint64, log int) uint64 {
	slot := word * 0x9e3779b97f4a7c15 >> (64 - log)
	for c.slots[slot] != 0 && c.words[c.slots[slot]-1] != word {
		slot = (slot + 1) & (1<<log - 1)
	}
	return slot
}

// resize returns a slice of length n with arbitrary content. It reuses the memory of list if
// possible.
func resize[T any](list []T, n int) []T { return slices.Grow(list[:0], n)[:n] }

// Jaccard returns the Jaccard similarity of the sets of words of two texts. It is 0 if neither text
// has words.
func Jaccard(a, b []uint64) float64 {
	a, b = distinct(a), distinct(b)
	if len(a)+len(b) == 0 {
		return 0
	}
	both := intersection(a, b)
	return float64(both) / float64(len(a)+len(b)-both)
}

func distinct(words []uint64) []uint64 {
	words = slices.Clone(words)
	slices.Sort(words)
	return slices.Compact(words)
}

// intersection returns the number of common elements of two ascending lists.
func intersection(a, b []uint64) (n int) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			n++
			a, b = a[1:], b[1:]
		}
	}
	return n
}

// WordHasher splits texts into words and hashes them. It has buffers, so it must not be used
// concurrently.
type WordHasher struct {
	analyzer *text.Analyzer
	bytes    *xxhash.Digest // for texts without words
}

// bytesSeed is the seed for texts without words, which should not hash like words.
const bytesSeed = 0x9e3779b97f4a7c15

// bytesOfWord is the approximate length of a word and the following space.
const bytesOfWord = 5

// Features returns the definition of the words of texts. With symbols, each symbol is a word. If
// numbered, the second occurrence of a word is another word than the first.
func Features(symbols, numbered bool) text.Options {
	return text.Options{Fold: true, Plain: true, Symbols: symbols, Numbered: numbered}
}

// AreFeatures reports whether a definition is one of Features.
func AreFeatures(definition string) bool {
	for i := range 4 {
		if definition == Features(i%2 == 1, i/2 == 1).String() {
			return true
		}
	}
	return false
}

// NewWordHasher returns a WordHasher for the words of Features.
func NewWordHasher(symbols bool) *WordHasher {
	analyzer, err := text.New(Features(symbols, false))
	if err != nil {
		panic(err) // these options need no files
	}
	return &WordHasher{analyzer: analyzer, bytes: xxhash.NewWithSeed(bytesSeed)}
}

// Append appends the hashes of the words of a text to dst, in order. Case and white space are
// ignored, and without symbols so is punctuation.
//
// A text without words, such as "***", is a single word: the hash of its bytes. An empty text has
// no words.
func (h *WordHasher) Append(dst []uint64, content []byte) []uint64 {
	start := len(dst)
	dst = slices.Grow(dst, len(content)/bytesOfWord)
	for batch := range h.analyzer.IndexBatches(content) {
		dst = append(dst, batch...)
	}
	if len(dst) == start && len(content) > 0 {
		h.bytes.ResetWithSeed(bytesSeed)
		h.bytes.Write(content) // never fails
		dst = append(dst, h.bytes.Sum64())
	}
	return dst
}
