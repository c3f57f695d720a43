package similarity

import (
	"math"
	"math/bits"
	"slices"
)

// bitmap has a bit for each hash of a token, flipped by each token that has it. If two texts differ
// in d tokens, their bitmaps differ in at most d bits.
type bitmap [2]uint64

func (b bitmap) distance(other bitmap) int {
	return bits.OnesCount64(b[0]^other[0]) + bits.OnesCount64(b[1]^other[1])
}

// frequencies counts the tokens of a group of texts. Tokens are the words of a text, the second
// occurrence of a word another token than the first: so the words that two texts share as multisets
// are the tokens that they share.
//
// Counters are shared by tokens of equal hashes, so memory is bounded. Nothing but speed depends on
// the counts, as long as they stay the same.
type frequencies struct {
	counts []uint32
	texts  int
	sorted []uint64 // tokens of the text at hand
}

// Sizes of the tables of counters.
const (
	fewestCounters = 1 << 8
	mostCounters   = 1 << 22
)

// reset forgets all, and makes room for so many words.
func (f *frequencies) reset(words int) {
	size := min(max(words, fewestCounters), mostCounters)
	f.counts = resize(f.counts, 1<<bits.Len(uint(size-1)))
	clear(f.counts)
	f.texts = 0
}

// tokens returns hashes of the tokens of a text. They are valid until the next call.
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

// A token in the order of rarity: its count above, then its hash.
const (
	hashBits = 40
	maxCount = 1<<(64-hashBits) - 1
)

// rarest returns the tokens of a text, the rarest first, and its bitmap. The tokens are valid until
// the next call. Tokens that have the same number are taken for the same, which can only bring more
// candidates.
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

// share returns the part of the texts that have a token of rarest.
func (f *frequencies) share(token uint64) float64 {
	if f.texts == 0 {
		return 1
	}
	return min(1, float64(token>>hashBits)/float64(f.texts))
}

// keyMaker makes the keys by which similar texts find each other.
//
// Let a text have n tokens, of which a similar text must have at least t. Both texts have the l
// rarest of the tokens that they share among their n-t+l rarest ones, each by its own n and t,
// because all but t-l of their tokens are among these. So each set of l of the n-t+l rarest tokens
// is a key, and similar texts have a key in common. With l = 1 this is the prefix filter; more
// tokens in a key make more keys, but far fewer texts share one where each token is frequent.
type keyMaker struct {
	keys []uint32
	ways []float64 // of expected
}

// mostTokens bounds the tokens of a key.
const mostTokens = 8

// make returns the keys of l tokens each. They are valid until the next call.
func (k *keyMaker) make(rarest []uint64, t, l int) []uint32 {
	k.keys = k.keys[:0]
	k.choose(rarest[:min(len(rarest), len(rarest)-t+l)], l, uint64(l))
	return k.keys
}

// choose appends the keys of all sets of l tokens.
func (k *keyMaker) choose(tokens []uint64, l int, hash uint64) {
	for i := 0; i+l <= len(tokens); i++ {
		if next := mix(hash ^ tokens[i]); l == 1 {
			k.keys = append(k.keys, uint32(next>>32))
		} else {
			k.choose(tokens[i+1:], l-1, next)
		}
	}
}

// length returns how many tokens the keys of a text should have that is kept beside so many others:
// the fewest with which it is expected to share no more keys than it has, if that takes at most two
// keys a word.
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

// expected returns how many of the sets of l tokens another text has, on average, if texts had
// their tokens independently: the elementary symmetric polynomial of degree l of their shares.
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

// postings lists the texts that have a key: a hash table with chains.
type postings struct {
	heads []uint32 // of the chains: the place of the first entry plus 1
	list  []posting
}

type posting struct{ key, text, next uint32 }

const fewestHeads = 1 << 6

func (p *postings) reset() {
	p.list = p.list[:0]
	p.heads = resize(p.heads, fewestHeads)
	clear(p.heads)
}

// add lists a text under a key.
func (p *postings) add(key, text uint32) {
	if len(p.list) == len(p.heads) {
		p.heads = make([]uint32, 2*len(p.heads))
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

// first returns the place of the first entry of the chain of a key plus 1, or 0. Other keys have
// entries in the chain, too.
func (p *postings) first(key uint32) uint32 { return p.heads[key&uint32(len(p.heads)-1)] }

// mix spreads a number over 64 bits: the finaliser of splitmix64.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
