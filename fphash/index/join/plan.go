package join

import (
	"iter"
	"math/bits"
)

// plan is how a join goes about its work: which blocks, and how many of their bits are the key by
// which fingerprints are brought together.
type plan struct {
	blocks []block
	first  uint // bits of the key by which fingerprints are partitioned in memory
	second uint // bits of the key by which a partition is cut into buckets, in the cache
}

// block is the bits of a fingerprint, consecutive ones, in which both of a pair agree.
type block struct {
	end int      // one above its highest bit, which is the highest of the key
	key []uint64 // the bits of the key
}

// Limits of the keys, in bits.
const (
	mostFirst  = 8  // partitions are written side by side: more of them than this miss the TLB
	mostSecond = 12 // and buckets in the second-level cache
	inBucket   = 4  // fingerprints in an average bucket: between 2^3 and 2^4
)

// planFor cuts fingerprints of that width into k+1 blocks for a join of n of them.
func planFor(width, k, n int) plan {
	count := min(k+1, width)
	d := max(0, min(width/count, bits.Len(uint(n))-inBucket, mostFirst+mostSecond))
	if k >= width {
		d = 0 // everything is near everything
	}
	p := plan{first: uint(min(d, mostFirst))}
	p.second = uint(d) - p.first
	if d == 0 {
		count = 1
	}
	for i := range count {
		b := block{end: (i + 1) * width / count, key: make([]uint64, (width+63)/64)}
		for bit := b.end - d; bit < b.end; bit++ {
			b.key[bit/64] |= 1 << (bit % 64)
		}
		p.blocks = append(p.blocks, b)
	}
	return p
}

func (p *plan) keyBits() uint { return p.first + p.second }

// parts returns how many parts the stages have together.
func (p *plan) parts() int { return len(p.blocks) << p.first }

// stages are the partitions by each block in turn.
func (p *plan) stages(j *Join) iter.Seq[stage] {
	return func(yield func(stage) bool) {
		t := newPartitions(j, p)
		for i := range p.blocks {
			s := stage{
				prepare: t.fill(i),
				parts:   1 << p.first,
				run:     func(w *worker, part int, emit sink) { w.search(t.task(i, part), emit) },
			}
			if !yield(s) {
				return
			}
		}
	}
}
