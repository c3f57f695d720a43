package similarity

import (
	"math"
	"math/bits"
	"slices"
)

// bitmap is a set of token hashes modulo 128, in which each token flips a bit. If two texts differ
// in d tokens, their bitmaps differ in at most d bits.
type bitmap [2]uint64

func (b bitmap) distance(other bitmap) int {
	return bits.OnesCount64(b[0]^other[0]) + bits.OnesCount64(b[1]^other[1])
}

// frequencies counts the tokens of a group of texts. The tokens of a text are its words, except
// that each repeat of a word is a different token. So the number of common tokens of two texts is
// the size of the intersection of their multisets of words.
//
// Different tokens may share a counter, which bounds memory. The counts affect only speed, as long
// as they do not change within a group.
type frequencies struct {
	counts []uint32
	texts  int
	sorted []uint64 // tokens of the current text
}

// Sizes of the tables of counters.
const (
	fewestCounters = 1 << 8
	mostCounters   = 1 << 22
)

// newFrequencies sizes the table of counters for the given number of words.
func newFrequencies(words int) frequencies {
	size := min(max(words, fewestCounters), mostCounters)
	return frequencies{counts: make([]uint32, 1<<bits.Len(uint(size-1)))}
}

// tokens returns the hashes of the tokens of a text, valid until the next call.
func (f *frequencies) tokens(words []uint64) []uint64 {
	f.sorted = append(f.sorted[:0], words...)
	slices.Sort(f.sorted)
	word, occurrence := uint64(0), uint64(0)
	for i, w := range f.sorted {
		if i > 0 && w == word {
			occurrence++
		} else {
			word, occurrence = w, 0
		}
		f.sorted[i] = mix(w + occurrence*0x9e3779b97f4a7c15)
	}
	return f.sorted
}

// add counts the tokens of a text.
func (f *frequencies) add(words []uint64) {
	f.texts++
	for _, token := range f.tokens(words) {
		count := &f.counts[f.counter(token)]
		*count += min(1, math.MaxUint32-*count)
	}
}

func (f *frequencies) counter(token uint64) uint64 { return token & uint64(len(f.counts)-1) }

// Bits of a token in rarest: its count above its hash.
const (
	hashBits = 40
	maxCount = 1<<(64-hashBits) - 1
)

// rarest returns the tokens of a text, the rarest first, and its bitmap. The tokens are valid until
// the next call. Different tokens may get the same number, which can only add candidates.
func (f *frequencies) rarest(words []uint64) ([]uint64, bitmap) {
	var b bitmap
	tokens := f.tokens(words)
	for i, token := range tokens {
		b[token>>63] ^= 1 << (token >> 57 & 63)
		count := min(f.counts[f.counter(token)], maxCount)
		tokens[i] = uint64(count)<<hashBits | token>>(64-hashBits)
	}
	slices.Sort(tokens)
	return tokens, b
}

// share returns the share of texts that contain a token of rarest.
func (f *frequencies) share(token uint64) float64 {
	if f.texts == 0 {
		return 1
	}
	return min(1, float64(token>>hashBits)/float64(f.texts))
}

// keyMaker makes keys such that any two similar texts have a common key.
//
// Let a text have n tokens, at least t of which a similar text must have. The l rarest tokens that
// both texts share are among the n-t+l rarest tokens of each text, with its own n and t, because at
// most n-t of its tokens are not shared. So each set of l of the n-t+l rarest tokens is a key. With
// l = 1 this is the prefix filter. A larger l gives more keys, but each is shared by far fewer
// texts if all tokens are frequent.
type keyMaker struct {
	keys []uint32
	ways []float64 // buffer of expected
}

// mostTokens is the largest number of tokens in a key.
const mostTokens = 8

// make returns the keys of l tokens each, valid until the next call.
func (k *keyMaker) make(rarest []uint64, t, l int) []uint32 {
	k.keys = k.keys[:0]
	k.choose(rarest[:min(len(rarest), len(rarest)-t+l)], l, uint64(l))
	return k.keys
}

// choose appends the keys for all sets of l tokens.
func (k *keyMaker) choose(tokens []uint64, l int, hash uint64) {
	for i := 0; i+l <= len(tokens); i++ {
		if next := mix(hash ^ tokens[i]); l == 1 {
			k.keys = append(k.keys, uint32(next>>32))
		} else {
			k.choose(tokens[i+1:], l-1, next)
		}
	}
}

// length returns the number of tokens in each key of a text that is added to kept others. It is the
// least number for which the expected number of keys shared with the kept texts is at most the
// number of the text's own keys. It never gives more than two keys for each word.
func (k *keyMaker) length(rarest []uint64, t int, f *frequencies, kept int) int {
	n := len(rarest)
	keys := n - t + 1
	for l := 1; ; l++ {
		more := keys * (n - t + l + 1) / (l + 1)
		if l == mostTokens || l+1 > t || more > 2*n || float64(kept)*k.expected(rarest[:n-t+l], l, f) <= float64(keys) {
			return l
		}
		keys = more
	}
}

// expected returns the expected number of sets of l tokens that another text also has, if texts
// contained tokens independently: the elementary symmetric polynomial of degree l of the shares.
func (k *keyMaker) expected(tokens []uint64, l int, f *frequencies) float64 {
	k.ways = resize(k.ways, l+1)
	clear(k.ways)
	k.ways[0] = 1
	for _, token := range tokens {
		share := f.share(token)
		for i := l; i > 0; i-- {
			k.ways[i] += share * k.ways[i-1]
		}
	}
	return k.ways[l]
}

// postings is a hash table from keys to texts, with chains.
type postings struct {
	heads []uint32 // by chain: index of the first entry plus 1, or 0
	list  []posting
}

type posting struct{ key, text, next uint32 }

const fewestHeads = 1 << 6

// add adds a text to the list of a key.
func (p *postings) add(key, text uint32) {
	if len(p.list) == len(p.heads) {
		p.heads = make([]uint32, max(2*len(p.heads), fewestHeads))
		for i := range p.list {
			p.link(i)
		}
	}
	p.list = append(p.list, posting{key: key, text: text})
	p.link(len(p.list) - 1)
}

func (p *postings) link(i int) {
	head := &p.heads[p.list[i].key&uint32(len(p.heads)-1)]
	p.list[i].next, *head = *head, uint32(i+1)
}

// first returns the index plus 1 of the first entry in the chain of a key, or 0. The chain may
// contain entries of other keys.
func (p *postings) first(key uint32) uint32 { return p.heads[key&uint32(len(p.heads)-1)] }

// mix is the finaliser of splitmix64.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
