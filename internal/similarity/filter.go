package similarity

import (
	"math/bits"
	"slices"
)

// Prefixes finds the texts that share a rare word with a given text. It is the prefix filter for
// the texts of one group.
//
// The words are numbered: the second "the" of a text is another word than the first. Let a text
// have n of these, at least t of which a similar text must have. Then the rarest word that both
// texts share is among the n-t+1 rarest words of each text, its prefix.
//
// Call Count for texts of the group, so that their rare words are known, and Add for the texts to
// find. A Prefixes must not be used concurrently.
type Prefixes struct {
	s      float64
	counts [counters]uint32 // by the low bits of a word; words may share a counter
	sorted []uint64         // buffer of numbered

	heads    map[uint64]uint32 // by word: its last posting plus 1
	postings []posting
	seen     []uint32 // by text: the last call of Append that found it
	calls    uint32
}

// counters is the number of counters, a power of two.
const counters = 1 << 16

// posting is a text with a word, and the posting before it plus 1.
type posting struct{ text, next uint32 }

// NewPrefixes returns a Prefixes for the similarity s, above 0 and at most 1.
func NewPrefixes(s float64) *Prefixes { return &Prefixes{s: s, heads: map[uint64]uint32{}} }

// Count counts the words of a text of the group. All calls must come before those of the other
// methods, since the order of rarity must not change.
func (p *Prefixes) Count(words []uint64) {
	for _, word := range p.numbered(words) {
		p.counts[word%counters]++
	}
}

// Of returns the prefix of a text, valid until the next call of Of or Count.
func (p *Prefixes) Of(words []uint64) []uint64 {
	numbered := p.numbered(words)
	for i, word := range numbered {
		count := min(p.counts[word%counters], maxCount)
		numbered[i] = uint64(count)<<hashBits | word>>(64-hashBits)
	}
	slices.Sort(numbered)
	return numbered[:len(numbered)-max(needed(p.s, len(numbered)), 1)+1]
}

// A word of a prefix has its count above its hash.
const (
	hashBits = 40
	maxCount = 1<<(64-hashBits) - 1
)

// numbered returns the hashes of the numbered words of a text, valid until the next call.
func (p *Prefixes) numbered(words []uint64) []uint64 {
	p.sorted = append(p.sorted[:0], words...)
	slices.Sort(p.sorted)
	word, occurrence := uint64(0), uint64(0)
	for i, w := range p.sorted {
		if i > 0 && w == word {
			occurrence++
		} else {
			word, occurrence = w, 0
		}
		p.sorted[i] = mix(w + occurrence*0x9e3779b97f4a7c15)
	}
	return p.sorted
}

// Add adds a text with its prefix.
func (p *Prefixes) Add(text int, prefix []uint64) {
	if text >= len(p.seen) {
		p.seen = append(p.seen, make([]uint32, text+1-len(p.seen))...)
	}
	for _, word := range prefix {
		p.postings = append(p.postings, posting{uint32(text), p.heads[word]})
		p.heads[word] = uint32(len(p.postings))
	}
}

// Append appends the added texts that share a word with a prefix, each once. Similar texts are
// among them. If there are more than most postings to look at, Append returns false, and some texts
// may be missing.
func (p *Prefixes) Append(dst []int, prefix []uint64, most int) ([]int, bool) {
	p.calls++
	looked := 0
	for _, word := range prefix {
		for at := p.heads[word]; at > 0; looked++ {
			entry := p.postings[at-1]
			if at = entry.next; looked == most {
				return dst, false
			}
			if p.seen[entry.text] != p.calls {
				p.seen[entry.text] = p.calls
				dst = append(dst, int(entry.text))
			}
		}
	}
	return dst, true
}

// mix is the finaliser of splitmix64.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Bitmap is a summary of the words of a text, without their order. Each word flips one bit, so two
// texts whose multisets of words differ in d words have bitmaps that differ in at most d bits.
type Bitmap [bitmapSize]uint64

// bitmapSize is the size of a Bitmap in words of 64 bits, a power of two. Two texts of n words that
// have little in common differ in half of the bits, so 512 bits tell them apart up to about 1,000
// words at the similarity 0.9.
const bitmapSize = 8

// BitmapOf returns the Bitmap of a text.
func BitmapOf(words []uint64) (b Bitmap) {
	for _, word := range words {
		b[word>>32%bitmapSize] ^= 1 << (word >> 58)
	}
	return b
}

// MayBeSimilar reports whether the numbers of words and the bitmaps of two texts allow a similarity
// of at least s.
func MayBeSimilar(s float64, wordsA, wordsB int, a, b *Bitmap) bool {
	need := needed(s, max(wordsA, wordsB))
	if min(wordsA, wordsB) < need {
		return false
	}
	differ := 0
	for i := range a {
		differ += bits.OnesCount64(a[i] ^ b[i])
	}
	return differ <= wordsA+wordsB-2*need
}
