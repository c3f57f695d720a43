package blocks

import (
	"fmt"
	"math/rand/v2"
)

const mostTables = 512 // that Draw makes

// Draw returns tables whose keys are keyBits bits, drawn at random for each table. There are as
// many tables as it takes for two fingerprints that differ in k random bits to share a key with a
// probability of recall. Nearer pairs are found with a higher probability, and every pair found is
// within k. For wide fingerprints and large k, such as 128 bits and 24, the blocks of New are too
// short to separate unrelated pairs. With Draw and a recall of 0.95, keys of 16 bits take 104
// tables there, keys of 12 bits 40. Equal arguments give equal tables on every machine. (Indyk,
// Motwani: Approximate Nearest Neighbors, STOC 1998, section 4.2.)
func Draw(bits, k int, recall float64, keyBits int, seed uint64) (*Tables, error) {
	if err := check(bits, k); err != nil {
		return nil, err
	}
	if !(recall > 0 && recall < 1) {
		return nil, fmt.Errorf("blocks: recall %v, expected more than 0 and less than 1", recall)
	}
	if keyBits < 1 || keyBits > bits-k {
		return nil, fmt.Errorf("blocks: keys of %d bits, expected 1 to %d, the bits in which a pair of fingerprints agrees at least", keyBits, bits-k)
	}
	n := tablesFor(bits, k, recall, keyBits)
	if n > mostTables {
		return nil, fmt.Errorf("blocks: expected keys of fewer than %d bits, or a smaller recall: %v takes more than %d tables", keyBits, recall, mostTables)
	}
	r := rand.New(rand.NewPCG(seed, uint64(keyBits)))
	masks := make([][]uint64, n)
	order := r.Perm(bits)
	for i := range masks {
		masks[i] = make([]uint64, (bits+63)/64)
		r.Shuffle(bits, func(a, b int) { order[a], order[b] = order[b], order[a] })
		for _, bit := range order[:keyBits] {
			masks[i][bit/64] |= 1 << (bit % 64)
		}
	}
	return newTables(bits, k, masks), nil
}

// tablesFor returns how many tables have that recall of pairs at distance k, or more than
// mostTables. Each step is rounded by itself, so that all machines come to the same number.
func tablesFor(bits, k int, recall float64, keyBits int) (n int) {
	agree := 1.0 // probability that none of the bits of a key is one in which a pair differs
	for i := range keyBits {
		agree *= float64(bits-k-i) / float64(bits-i)
	}
	for missed := 1.0; missed > 1-recall && n <= mostTables; n++ {
		missed *= 1 - agree
	}
	return n
}
