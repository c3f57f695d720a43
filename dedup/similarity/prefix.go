package similarity

import (
	"math"
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
// Call Count for each text of the group, and Add for the texts to find. A Prefixes must not be used
// concurrently. It needs 12 to 16 bytes for each word of the added prefixes.
type Prefixes struct {
	s      float64
	counts []uint32 // by the low bits of a word; words may share a counter
	sorted []uint64 // buffer of numbered

	heads    []uint32 // by the low bits of a word: index of its last posting plus 1, or 0
	postings []posting
	seen     []uint32 // by text: the last call of Append that found it
	calls    uint32
}

type posting struct{ word, text, next uint32 }

// Sizes of tables. The number of counters bounds their memory.
const (
	fewestCounters = 1 << 8
	mostCounters   = 1 << 22
	fewestHeads    = 1 << 6
)

// NewPrefixes returns a Prefixes for a group with about the given total number of words, and the
// similarity s, above 0 and at most 1.
func NewPrefixes(s float64, words int) *Prefixes {
	size := min(max(words, fewestCounters), mostCounters)
	return &Prefixes{s: s, counts: make([]uint32, 1<<bits.Len(uint(size-1))), heads: make([]uint32, fewestHeads)}
}

// Count counts the words of a text of the group. All calls must come before those of the other
// methods, since the order of rarity must not change.
func (p *Prefixes) Count(words []uint64) {
	for _, word := range p.numbered(words) {
		count := &p.counts[word&uint64(len(p.counts)-1)]
		*count += min(1, math.MaxUint32-*count)
	}
}

// Of returns the prefix of a text, valid until the next call of Of or Count.
func (p *Prefixes) Of(words []uint64) []uint64 {
	numbered := p.numbered(words)
	for i, word := range numbered {
		count := min(p.counts[word&uint64(len(p.counts)-1)], maxCount)
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
		if len(p.postings) == len(p.heads) {
			p.heads = make([]uint32, 2*len(p.heads))
			for i := range p.postings {
				p.link(i)
			}
		}
		p.postings = append(p.postings, posting{word: uint32(mix(word)), text: uint32(text)})
		p.link(len(p.postings) - 1)
	}
}

func (p *Prefixes) link(i int) {
	head := &p.heads[p.postings[i].word&uint32(len(p.heads)-1)]
	p.postings[i].next, *head = *head, uint32(i+1)
}

// Append appends the added texts that share a word with a prefix, each once. Similar texts are
// among them. If there are more than most postings to look at, Append returns false, and some texts
// may be missing.
func (p *Prefixes) Append(dst []int, prefix []uint64, most int) ([]int, bool) {
	p.calls++
	looked := 0
	for _, w := range prefix {
		word := uint32(mix(w))
		for at := p.heads[word&uint32(len(p.heads)-1)]; at > 0; looked++ {
			entry := p.postings[at-1]
			if at = entry.next; looked == most {
				return dst, false
			}
			if entry.word == word && p.seen[entry.text] != p.calls {
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
