package main

import (
	"math/bits"

	"simhashkit/fphash"
)

// distance counts the bits that differ and that the way does not ignore, and all that it does not.
func (m *measurement) distance(way int, query, stored side) (distance, counted int) {
	counted = m.Bits
	var masks [][]uint64
	if m.ways[way].Ignored > 0 {
		masks = append(masks, query.masks[way])
	}
	if m.ways[way].Both {
		masks = append(masks, stored.masks[way])
	}
	for word := range query.fingerprint {
		ignored := uint64(0)
		for _, mask := range masks {
			ignored |= mask[word]
		}
		counted -= bits.OnesCount64(ignored)
	}
	return fphash.Distance(query.fingerprint, stored.fingerprint, masks...), counted
}

// strangersOfEach is how many other vectors each is compared with. They tell the chance that a bit
// differs to one in ten thousand.
const strangersOfEach = 50

// strangers returns the chance that each way finds a vector which has no feature of the query's.
//
// One in 10^12 is never seen in any sample. But their bits differ independently of each other, so
// the chance follows from that of one bit, and that is measured: fair bits differ in half of the
// pairs, but sums that are zero, as equal weights often give, make bits that are alike.
func (m *measurement) strangers() (chances []float64) {
	n := len(m.queries)
	for w, way := range m.ways {
		pairs := make([]int, m.Bits+1) // by the number of bits that count
		differ, compared := 0, 0
		for i, query := range m.queries {
			for step := range min(strangersOfEach, n-1) {
				distance, counted := m.distance(w, query, m.queries[(i+step+1)%n])
				differ, compared = differ+distance, compared+counted
				pairs[counted]++
			}
		}
		chance, all := 0.0, 0
		for counted, these := range pairs {
			if these > 0 {
				chance += float64(float64(these) * atMost(way.K, counted, float64(differ)/float64(compared)))
				all += these
			}
		}
		chances = append(chances, chance/float64(max(all, 1)))
	}
	return chances
}
