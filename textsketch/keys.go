package textsketch

import (
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"simhashkit/asm/minhash"
)

// Keys defines keys by which any program that groups equal values finds texts that may be similar.
// A key is a hash of Minima minima of a MinHash of the features. If the sets of features of two
// texts have the Jaccard similarity J, a key is equal with a probability of about J^Minima, so that
// at least one of Count keys is equal with a probability of 1 - (1 - J^Minima)^Count. (Broder 1997;
// Leskovec, Rajaraman, Ullman: Mining of Massive Datasets, section 3.4.)
//
// No two keys use the same minimum. The minima are not those of the fingerprint: their MinHash has
// as many lanes as the keys need.
type Keys struct{ Minima, Count int }

// words returns the number of words of the MinHash that the keys need.
func (k Keys) words() int { return (k.Minima*k.Count + 63) / 64 }

// check returns an error unless a MinHash can have the minima.
func (k Keys) check() error {
	if k.Minima < 1 || k.Count < 1 || k.words() > minhash.Words {
		return fmt.Errorf("textsketch: %d keys of %d minima, expected 1 to %d minima in all", k.Count, k.Minima, 64*minhash.Words)
	}
	return nil
}

// keyer computes the keys of texts from the codes of their features.
type keyer struct {
	Keys
	minima  [][64]uint32
	scratch minhash.Scratch
	mixed   []uint64 // buffer: the keys of features in package minhash
	bytes   []byte   // buffer
	keys    []uint64 // of the last text
	empty   bool
}

func newKeyer(k Keys) *keyer { return &keyer{Keys: k, minima: make([][64]uint32, k.words())} }

func (k *keyer) reset() { k.empty, k.keys = true, k.keys[:0] }

// add adds features of a text.
func (k *keyer) add(codes []uint64) {
	if len(codes) == 0 {
		return
	}
	k.mixed = append(k.mixed[:0], codes...)
	minhash.Keys(k.mixed, k.mixed)
	if k.empty {
		minhash.Sketch(k.minima, k.mixed, &k.scratch)
	} else {
		minhash.Add(k.minima, k.mixed, &k.scratch)
	}
	k.empty = false
}

// end computes the keys of the added features. Key i is the XXH64, without its highest bit, of the
// number i and minima i*Minima to (i+1)*Minima-1, each as 4 bytes, little-endian.
func (k *keyer) end() {
	for i := range k.Count {
		if k.empty {
			return
		}
		k.bytes = binary.LittleEndian.AppendUint32(k.bytes[:0], uint32(i))
		for lane := i * k.Minima; lane < (i+1)*k.Minima; lane++ {
			k.bytes = binary.LittleEndian.AppendUint32(k.bytes, k.minima[lane/64][lane%64])
		}
		k.keys = append(k.keys, xxhash.Sum64(k.bytes)>>1)
	}
}
