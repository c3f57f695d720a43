package join

import "sync/atomic"

// forest knows which fingerprints are in one group, by trees whose roots are the first of their
// group. Many goroutines may use it at once.
type forest []uint32

func newForest(n int) forest {
	f := make(forest, n)
	for i := range f {
		f[i] = uint32(i)
	}
	return f
}

// find returns the first of the group of i.
func (f forest) find(i uint32) uint32 {
	for {
		parent := atomic.LoadUint32(&f[i])
		if parent == i {
			return i
		}
		grandparent := atomic.LoadUint32(&f[parent])
		if grandparent != parent {
			atomic.CompareAndSwapUint32(&f[i], parent, grandparent) // halves the path for the next
		}
		i = grandparent
	}
}

// union makes one group of those of a and b.
func (f forest) union(a, b uint32) {
	for {
		a, b = f.find(a), f.find(b)
		if a == b {
			return
		}
		if a > b {
			a, b = b, a
		}
		if atomic.CompareAndSwapUint32(&f[b], b, a) {
			return
		}
	}
}
