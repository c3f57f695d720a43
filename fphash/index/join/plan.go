package join

import (
	"fmt"
	"iter"
	"math"
	"math/bits"
	"time"

	"simhashkit/fphash/index"
	"simhashkit/internal/english"
)

// Plan is how a join goes about its work, and why.
type Plan struct {
	Bits, K      int
	Fingerprints int
	Blocks       int // by which fingerprints are brought together; 0: they are not
	KeyBits      int // of each block, that fingerprints must share to be compared

	// Structure is what fingerprints with unsure bits are looked up in, one by one; empty where there
	// are none.
	Structure *index.Explanation

	// Forecasts for one core with AVX-512 and random fingerprints, by costs that were measured once:
	// of this plan, and of comparing all with all.
	Forecast, ByScan time.Duration
	Bytes            int64 // of memory beside the sets

	rows     int // fingerprints of the first set
	blocks   []block
	first    uint // bits of the key by which fingerprints are partitioned in memory
	second   uint // bits of the key by which a partition is cut into buckets, in the cache
	screened bool // compared by 32 bits
	costs    costs
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

	inPartition = 12 // fingerprints in an average partition: between 2^11 and 2^12, or many more
	inBucket    = 4  // fingerprints in an average bucket: between 2^3 and 2^4
)

// Plan returns how the join would go about its work.
func (j *Join) Plan() (Plan, error) {
	if err := j.check(); err != nil {
		return Plan{}, err
	}
	return j.plan(), nil
}

func (j *Join) plan() Plan {
	width, n := j.Set.Bits, j.len()
	p := Plan{Bits: width, K: j.K, Fingerprints: n, rows: j.Set.Len()}
	p.costs, p.screened = costsOf(width, j.K)
	all := float64(n) * float64(n) / 2
	if j.Against != nil {
		across := float64(j.Set.Len()) * float64(j.Against.Len())
		p.costs.pair *= across / max(all, 1) // those within one of the sets are not compared
		all = across
	}
	p.ByScan = nanoseconds(scan(all, width))
	p.Forecast = p.ByScan
	if j.masked() {
		p.byLookups(j)
	} else if j.K < width {
		if d := min(width/p.costs.blocks, bits.Len(uint(n))-inBucket, mostFirst+mostSecond); d > 0 {
			if cost := nanoseconds(p.costs.join(float64(n), width, d)); cost < p.ByScan {
				p.Forecast = cost
				p.byBlocks(d, min(d, max(bits.Len(uint(n))-inPartition, d-mostSecond, 0), mostFirst))
			}
		}
	}
	return p
}

// byLookups has the join done by looking up every fingerprint.
func (p *Plan) byLookups(j *Join) {
	e, err := index.Explain(j.columns(), index.Options{K: min(j.K, j.Set.Bits)})
	if err != nil {
		return // the structure will say so
	}
	p.Structure = e
	for _, f := range e.Forecasts {
		if f.Name == e.Chosen {
			p.Forecast, p.Bytes = nanoseconds(float64(p.rows)*f.Nanoseconds), f.Bytes
		}
	}
}

// byBlocks has the join done by blocks, with keys of d bits; the first of them tell partitions
// apart.
func (p *Plan) byBlocks(d, first int) {
	p.Blocks, p.KeyBits = p.costs.blocks, d
	p.Bytes = 12 * int64(p.Fingerprints)
	p.first, p.second = uint(first), uint(d-first)
	p.blocks = nil
	for i := range p.Blocks {
		b := block{end: (i + 1) * p.Bits / p.Blocks, key: make([]uint64, (p.Bits+63)/64)}
		for bit := b.end - d; bit < b.end; bit++ {
			b.key[bit/64] |= 1 << (bit % 64)
		}
		p.blocks = append(p.blocks, b)
	}
}

func nanoseconds(n float64) time.Duration { return time.Duration(min(n, math.MaxInt64/2)) }

// String says in some lines what is done, and why.
func (p Plan) String() string {
	switch all := count(p.Fingerprints, "fingerprint"); {
	case p.Structure != nil:
		return fmt.Sprintf("%s with unsure bits are looked up one by one, about %v on one core, in\n%v", count(p.rows, "fingerprint"), rounded(p.Forecast), p.Structure)
	case p.Blocks == 0:
		return fmt.Sprintf("All %s of %d bits are compared with all others, about %v on one core:\n"+
			"to bring together what may be within k = %d would not pay.\n", all, p.Bits, rounded(p.Forecast), p.K)
	default:
		return fmt.Sprintf("Two fingerprints within k = %d of %d bits that are cut into %s agree in one of them.\n"+
			"%s are brought together by %d bits of each block in turn, and compared\n"+
			"with the %.3g that share them on average: about %v on one core, and %.3g MB of memory.\n"+
			"Comparing all with all would take %v.\n",
			p.K, p.Bits, count(p.Blocks, "block"), all, p.KeyBits, float64(p.Fingerprints)/math.Exp2(float64(p.KeyBits)),
			rounded(p.Forecast), float64(p.Bytes)/1e6, rounded(p.ByScan))
	}
}

func count(n int, of string) string { return fmt.Sprintf("%d %s", n, english.Plural(n, of, of+"s")) }

// rounded returns a time as a forecast may be written.
func rounded(t time.Duration) time.Duration {
	for unit := time.Nanosecond; ; unit *= 10 {
		if t < 100*unit {
			return t.Round(unit)
		}
	}
}

// earlier returns the keys of the blocks before block i as its windows have them, where windows are
// whole fingerprints.
func (p *Plan) earlier(i int) (keys []uint64) {
	if p.Bits <= 64 {
		for _, b := range p.blocks[:i] {
			keys = append(keys, window(b.key, p.Bits, p.blocks[i].end))
		}
	}
	return keys
}

// parts returns how many parts the stages have together.
func (p *Plan) parts() int {
	if p.Structure != nil {
		return lookupParts(p.rows)
	}
	if p.Blocks == 0 {
		return scanParts(p.rows)
	}
	return len(p.blocks) << p.first
}

// stages are the partitions by each block in turn, or a scan.
func (p *Plan) stages(j *Join) iter.Seq[stage] {
	return func(yield func(stage) bool) {
		if p.Structure != nil {
			yield(lookupStage(j))
			return
		}
		if p.Blocks == 0 {
			yield(scanStage(j))
			return
		}
		t := newPartitions(j, p)
		for i := range p.blocks {
			s := stage{
				prepare: t.fill(i),
				parts:   1 << p.first,
				run: func(w *worker, part int, emit sink) error {
					w.search(t.task(i, part), emit)
					return nil
				},
			}
			if !yield(s) {
				return
			}
		}
	}
}
