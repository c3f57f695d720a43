package index

import (
	"math/bits"
	"slices"
)

// sampled is how many fingerprints say what all are like, and sampledTables how many tables what
// those of a design are like.
const (
	sampled       = 1 << 13
	sampledTables = 4
)

// likeness is how much the fingerprints of a set agree in the keys of a design.
type likeness struct {
	share  float64 // of all fingerprints in the bucket of one of them, on average over them
	skew   float64 // the same, as a multiple of what random fingerprints would have
	passes float64 // of those in its bucket, the share that passes the screen
}

// like samples a set. A pair of fingerprints is in the same bucket as often as a fingerprint shares
// its bucket with another: what queries meet that are like what is stored.
func (s *Set) like(d Design, k int) (l likeness) {
	keys := d.keys(s.Bits)
	step := (len(keys) + sampledTables - 1) / sampledTables
	var pairs, same, compared, passed, expected float64
	n := min(s.Len(), sampled)
	entries, used := make([]uint64, n), 0.0
	for i := 0; i < len(keys); i += step {
		t := newTable(keys[i], s)
		for j := range entries {
			entries[j] = s.sample(&t, j, n)
		}
		slices.Sort(entries)
		a, b, c := pairsIn(entries, k)
		pairs, same, compared, passed = pairs+float64(n)*float64(n-1)/2, same+a, compared+b, passed+c
		expected += 1 / float64(uint64(1)<<(t.window.width-t.shift))
		used++
	}
	expected /= used
	l.share, l.skew = expected, 1
	if pairs > 0 && same > 0 {
		l.share, l.skew = same/pairs, same/pairs/expected
	}
	if compared > 0 {
		l.passes = passed / compared
	}
	return l
}

// sample returns the bucket of one of n fingerprints that lie evenly in the set, and below it its
// screen.
func (s *Set) sample(t *table, j, n int) uint64 {
	x := t.window.of(s.At(int(int64(j) * int64(s.Len()) / int64(n))))
	return x>>t.shift<<32 | x&(1<<32-1)
}

// mostNear is how many of the fingerprints of a bucket are compared with each other: enough to know
// whether a large bucket is of copies or of strangers.
const mostNear = 64

// pairsIn returns how many pairs of sorted entries are in the same bucket, how many of them have
// been compared, and how many of these pass the screen.
func pairsIn(entries []uint64, k int) (same, compared, passed float64) {
	for from := 0; from < len(entries); {
		to := from + 1
		for to < len(entries) && entries[to]>>32 == entries[from]>>32 {
			to++
		}
		n := float64(to - from)
		same += n * (n - 1) / 2
		step := max(1, (to-from)/mostNear)
		for i := from; i < to; i += step {
			for j := i + step; j < to; j += step {
				compared++
				if bits.OnesCount32(uint32(entries[i]^entries[j])) <= k {
					passed++
				}
			}
		}
		from = to
	}
	return same, compared, passed
}
