package conventions

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/zeebo/blake3"

	"simhashkit/asm/accumulate"
	"simhashkit/fphash"
)

// ISCC returns the similarity hash of ISO 24138 (ISCC) of byte strings, such as the n-grams of a
// text, by their BLAKE3 digests: 256 bits, of which an ISCC with fewer has the first. Without any
// it is zeros.
func ISCC[F ~string | ~[]byte](features []F) (hash [32]byte) {
	v := digestVotesOf(len(hash))
	for _, feature := range features {
		digest := blake3.Sum256([]byte(feature))
		v.add(digest[:])
	}
	if len(features) > 0 {
		v.read(hash[:])
	}
	v.giveBack()
	return hash
}

// SimilarityHash returns the similarity hash of ISO 24138 (ISCC) of digests of one length: as many
// bytes, of whose bits each is 1 that at least half of the digests have. Without digests it is 32
// zero bytes. It fails for digests of different lengths, or of more than 512 bytes.
func SimilarityHash[D ~[]byte](digests []D) ([]byte, error) {
	if len(digests) == 0 {
		return make([]byte, 32), nil
	}
	size := len(digests[0])
	if size > fphash.MaxBits/8 {
		return nil, fmt.Errorf("conventions: digests of %d bytes, expected at most %d", size, fphash.MaxBits/8)
	}
	v := digestVotesOf(size)
	defer v.giveBack()
	for i, digest := range digests {
		if len(digest) != size {
			return nil, fmt.Errorf("conventions: digest %d has %d bytes, expected %d as before", i+1, len(digest), size)
		}
		v.add(digest)
	}
	hash := make([]byte, size)
	v.read(hash)
	return hash, nil
}

const (
	usualWords  = 4   // of digests of 256 bits
	digestChunk = 128 // digests that are counted in one call: their words are still in the L1 cache
)

// digestVotes counts the bits of digests.
type digestVotes struct {
	words int
	n     int // digests that wait to be counted
	// word t of waiting digest i is at [t][i]
	waiting [][digestChunk]uint64
	sums    [][64]int64
	counted bool // sums are in use
}

var usualVotes = sync.Pool{New: func() any { return newDigestVotes(usualWords) }}

func newDigestVotes(words int) *digestVotes {
	return &digestVotes{words: words, waiting: make([][digestChunk]uint64, words), sums: make([][64]int64, words)}
}

// digestVotesOf returns digestVotes for digests of that many bytes.
func digestVotesOf(size int) *digestVotes {
	words := (size + 7) / 8
	if words > usualWords {
		return newDigestVotes(words)
	}
	v := usualVotes.Get().(*digestVotes)
	v.words, v.n = words, 0
	return v
}

func (v *digestVotes) giveBack() {
	if v.counted {
		clear(v.sums)
		v.counted = false
	}
	if len(v.sums) == usualWords {
		usualVotes.Put(v)
	}
}

func (v *digestVotes) add(digest []byte) {
	if v.n == digestChunk {
		v.count()
	}
	t := 0
	for ; len(digest) >= 8; digest = digest[8:] {
		v.waiting[t][v.n] = binary.LittleEndian.Uint64(digest)
		t++
	}
	if len(digest) > 0 {
		var last [8]byte
		copy(last[:], digest)
		v.waiting[t][v.n] = binary.LittleEndian.Uint64(last[:])
	}
	v.n++
}

// count counts the digests that wait.
func (v *digestVotes) count() {
	for t := range v.words {
		accumulate.AddUnit(&v.sums[t], v.waiting[t][:v.n])
	}
	v.n, v.counted = 0, true
}

// read stores the bits that are 1 in at least half of the digests.
func (v *digestVotes) read(hash []byte) {
	if v.counted {
		v.count()
	}
	for t := range v.words {
		var signs accumulate.Signs
		if v.counted {
			signs = accumulate.SignsI64(&v.sums[t])
		} else {
			signs = accumulate.SketchUnit(v.waiting[t][:v.n])
		}
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], signs.Positive|signs.Zero)
		copy(hash[8*t:], word[:])
	}
}
