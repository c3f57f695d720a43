package join

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"simhashkit/internal/binomial"
)

// bitsOfWord is bits of one word of a fingerprint that a window has at the same rotation.
type bitsOfWord struct {
	word, turn int
	mask       uint64 // after the rotation
}

// piecesDrawn is of how many pieces a window is made, if they have enough bits.
const piecesDrawn = 8

// drawWindow draws which bits of a fingerprint the window has, none twice. Windows of as many
// pieces as bits would be as random as can be, and take eight times as long.
func drawWindow(width int, r *rand.Rand) []bitsOfWord {
	pieces := make([]bitsOfWord, piecesDrawn)
	for i := range pieces {
		pieces[i] = bitsOfWord{word: r.IntN((width + 63) / 64), turn: r.IntN(64)}
	}
	used := make([]bool, width)
	bit := func(p bitsOfWord, lane int) int { return p.word*64 + (lane-p.turn+64)%64 }
	for lane := range int(windowBits(width)) {
		var free []int
		for i, p := range pieces {
			if b := bit(p, lane); b < width && !used[b] {
				free = append(free, i)
			}
		}
		if len(free) == 0 {
			b := r.IntN(width)
			for used[b] {
				b = (b + 1) % width
			}
			free = append(free, len(pieces))
			pieces = append(pieces, bitsOfWord{word: b / 64, turn: (lane - b%64 + 64) % 64})
		}
		p := &pieces[free[r.IntN(len(free))]]
		p.mask |= 1 << lane
		used[bit(*p, lane)] = true
	}
	return pieces
}

// drawnWindow returns the window of a fingerprint, or of the bits in which two differ.
func (t *table) drawnWindow(words []uint64) (x uint64) {
	for _, p := range t.drawn {
		x |= bits.RotateLeft64(words[p.word], p.turn) & p.mask
	}
	return x
}

// meets reports whether a table by drawn bits brings two fingerprints together, by the bits in
// which they differ, with keys of d bits.
func (t *table) meets(difference []uint64, width, d int) bool {
	x := t.drawnWindow(difference) << (64 - windowBits(width))
	return bits.OnesCount64(x>>(64-d)) <= t.errors && bits.OnesCount64(x>>max(0, 64-d-screenBits)) <= t.screens
}

// bySampling has the join done by that many tables, not drawn yet, with keys of d bits.
func (p *Plan) bySampling(tables, d, errors, screens int) {
	p.byBlocks(1, d)
	p.Blocks, p.Errors, p.Tables = 0, errors, tables
	p.tables = make([]table, tables)
	for i := range p.tables {
		p.tables[i] = table{errors: errors, screens: screens, windows: p.K}
	}
	p.costs = p.costsOf(p.compared)
}

// draw draws tables like the first one until they bring together that share of random pairs at
// distance K.
func (p *Plan) draw(recall float64, seed uint64) {
	like := p.tables[0]
	p.tables, p.seed = p.tables[:0], seed
	missed := p.differences(p.K)
	for allowed := int((1 - recall) * pairsDrawn); len(missed) > allowed && len(p.tables) < mostTables; {
		like.drawn = drawWindow(p.Bits, rand.New(rand.NewPCG(seed, uint64(len(p.tables)))))
		p.tables = append(p.tables, like)
		missed = slices.DeleteFunc(missed, func(difference []uint64) bool { return like.meets(difference, p.Bits, p.KeyBits) })
	}
	p.Tables = len(p.tables)
}

const (
	mostTables = 512  // by drawn bits
	pairsDrawn = 4000 // by which the recall of tables is told: to a third of a percent
)

// differences draws the bits in which pairs at a distance differ.
func (p *Plan) differences(distance int) [][]uint64 {
	r := rand.New(rand.NewPCG(p.seed, uint64(mostTables+distance)))
	list, order := make([][]uint64, pairsDrawn), r.Perm(p.Bits)
	for i := range list {
		list[i] = make([]uint64, (p.Bits+63)/64)
		for n := range distance {
			other := n + r.IntN(p.Bits-n)
			order[n], order[other] = order[other], order[n]
			list[i][order[n]/64] |= 1 << (order[n] % 64)
		}
	}
	return list
}

// Recall returns which share of the pairs at a distance up to K the join is expected to find: 1
// unless it goes by drawn bits. It is that of pairs that differ in random bits; MeasureRecall tells
// that of a set. Cost: some 10 ms.
func (p *Plan) Recall(distance int) float64 {
	if p.Tables == 0 {
		return 1
	}
	found := 0
	for _, difference := range p.differences(distance) {
		if slices.ContainsFunc(p.tables, func(t table) bool { return t.meets(difference, p.Bits, p.KeyBits) }) {
			found++
		}
	}
	return float64(found) / pairsDrawn
}

// sample makes the plan one by drawn bits that finds pairs at distance K with that probability, if
// one of them costs less.
func (p *Plan) sample(recall float64, seed uint64) {
	best := *p
	longest := min(p.Bits, bits.Len(uint(p.Fingerprints))-inBucket+1, mostFirst+mostSecond)
	errorsOfKey := mostErrors
	if p.onDisk { // one partition is in memory at a time
		errorsOfKey = 1
	}
	for d := max(1, longest-mostSecond); d <= longest; d++ {
		for errors := range min(errorsOfKey, d) {
			for screens := errors; screens <= min(p.K, screenBits); screens++ {
				tables := math.Ceil(math.Log1p(-recall) / math.Log1p(-p.meet(p.K, d, errors, screens)))
				if !(tables >= 1 && tables <= mostTables) {
					continue
				}
				q := *p
				q.bySampling(1, d, errors, screens)
				if q.Forecast = nanoseconds(tables*q.cost() + q.distinctCost()); q.Forecast < best.Forecast {
					best = q
				}
			}
		}
	}
	if best.Tables == 0 {
		return
	}
	best.draw(recall, seed) // of fewer tables or more
	if best.Forecast = nanoseconds(best.cost() + best.distinctCost()); best.Forecast < p.Forecast {
		*p = best
	}
}

// meet returns the probability that drawn bits bring together two fingerprints that differ in so
// many bits: hypergeometric, of the bits that differ among those of the key and of the screen.
func (p *Plan) meet(distance, d, errors, screens int) (probability float64) {
	screen := min(screenBits, int(windowBits(p.Bits))-d)
	for i := 0; i <= min(errors, distance); i++ {
		below := 0.0
		for j := 0; j <= min(screens, distance)-i; j++ {
			below += chance(p.Bits-d, distance-i, screen, j)
		}
		probability += chance(p.Bits, distance, d, i) * min(below, 1)
	}
	return min(probability, 1)
}

// chance returns the probability that among n of width bits, of which some differ, there are
// exactly that many that do.
func chance(width, differ, n, exactly int) float64 {
	if exactly > differ || n-exactly > width-differ || exactly > n {
		return 0
	}
	return binomial.Choose(differ, exactly) * binomial.Choose(width-differ, n-exactly) / binomial.Choose(width, n)
}
