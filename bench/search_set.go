package bench

import (
	"fmt"
	"math/bits"

	"simhashkit/fphash/index"
	"simhashkit/internal/hugepages"
)

// searchSet is random fingerprints among which near-duplicates are planted.
type searchSet struct {
	*index.Set
	k int
	// The first so many fingerprints are random ones, of which each hundredth is within k of
	// another: the last with the first, the last but one with the second and so on.
	ordinary int
	// All others lie in so many groups, in turn: within 2 of a centre of their own.
	groups int
}

const (
	plantedEvery = 100 // as many fingerprints as there is one planted in
	tightGroups  = 10
)

// set returns the fingerprints of the case.
func (s searchCase) set(in *Inputs) (*searchSet, error) {
	return kept(in, fmt.Sprintf("fingerprints f=%d k=%d n=%d skewed=%v", s.bits, s.k, s.n, s.skewed), func() (*searchSet, error) {
		set := &searchSet{Set: &index.Set{Bits: s.bits}, k: s.k, ordinary: s.n}
		set.Words = randomWords(11, s.n*set.Stride())
		if s.skewed {
			set.ordinary, set.groups = s.n/2, tightGroups
		}
		set.plant()
		return set, nil
	})
}

func (s *searchSet) plant() {
	for i := range s.planted() {
		copy(s.At(s.twin(i)), s.At(i))
		flip(s.At(s.twin(i)), s.Bits, i%(s.k+1), i)
	}
	for i := s.ordinary; i < s.Len(); i++ {
		centre := s.ordinary + (i-s.ordinary)%s.groups
		copy(s.At(i), s.At(centre))
		flip(s.At(i), s.Bits, i/s.groups%3, i/s.groups)
	}
}

// planted is how many of the ordinary fingerprints are near-duplicates of others.
func (s *searchSet) planted() int { return s.ordinary / plantedEvery }

// twin is where the near-duplicate of fingerprint i lies.
func (s *searchSet) twin(i int) int { return s.ordinary - 1 - i }

// flip changes so many different bits of a fingerprint; others for another which.
func flip(words []uint64, width, changes, which int) {
	const step = 21 // has no divisor in common with widths that are powers of two
	for i := range changes {
		bit := (which + i*step) % width
		words[bit/64] ^= 1 << (bit % 64)
	}
}

// near is the plain loop over all fingerprints.
func (s *searchSet) near(query []uint64, k int) (near []index.Match) {
	for i := range s.Len() {
		distance := 0
		for w, word := range s.At(i) {
			distance += bits.OnesCount64(word ^ query[w])
		}
		if distance <= k {
			near = append(near, index.Match{ID: uint64(i), Position: i, Distance: distance})
		}
	}
	return near
}

// questions are queries with their answers by the plain loop, where these are known: of each
// fiftieth, of which one in two is near a stored fingerprint. The others are random.
type questions struct {
	queries []index.Query
	answers map[int][]index.Match
}

const answeredEvery = 50

func (s searchCase) questions(in *Inputs) (*questions, error) {
	set, err := s.set(in)
	if err != nil {
		return nil, err
	}
	return kept(in, fmt.Sprintf("questions f=%d k=%d n=%d", s.bits, s.k, s.n), func() (*questions, error) {
		w := set.Stride()
		words := randomWords(12, queriesOfBatch*w)
		q := &questions{answers: map[int][]index.Match{}}
		for i := range queriesOfBatch {
			query := words[i*w : i*w+w : i*w+w]
			if i%(2*answeredEvery) == 0 {
				copy(query, set.At(i*set.Len()/queriesOfBatch))
				flip(query, set.Bits, i/(2*answeredEvery)%(s.k+1), i)
			}
			if i%answeredEvery == 0 {
				q.answers[i] = set.near(query, s.k)
			}
			q.queries = append(q.queries, index.Query{Words: query})
		}
		return q, nil
	})
}

// strangers gives random queries, none of them twice, so that neither caches nor predictors know
// what is asked. They are made a thousand at a time, which takes no time beside what they ask for.
type strangers struct {
	words   []uint64
	queries []index.Query
	asked   uint64 // words that were made
	next    int
}

func newStrangers(set *searchSet) *strangers {
	w := set.Stride()
	s := &strangers{words: hugepages.Make[uint64](queriesOfBatch * w), next: queriesOfBatch}
	for i := range queriesOfBatch {
		s.queries = append(s.queries, index.Query{Words: s.words[i*w : i*w+w : i*w+w]})
	}
	return s
}

// take returns the next so many queries, of which a thousand are a multiple.
func (s *strangers) take(n int) []index.Query {
	if s.next == len(s.queries) {
		fillRandom(s.words, 13, s.asked)
		s.asked += uint64(len(s.words))
		s.next = 0
	}
	s.next += n
	return s.queries[s.next-n : s.next]
}
