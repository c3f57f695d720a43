package join

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"
	"sync"

	"simhashkit/fphash"
	"simhashkit/internal/binomial"
)

// piecesDrawn is the number of pieces of a window, if they have enough bits. A window with a piece
// for each bit would be uniformly random, but several times slower to compute.
const piecesDrawn = 8

// drawer draws the windows of sampled tables. In each round, keys share no bits, until every bit is
// in a key. This finds more pairs than independent keys.
type drawer struct {
	width, keyBits int
	random         *rand.Rand
	inKey          []bool // by bit: whether it is in a key of this round
	left           int    // number of bits that are not in a key of this round
}

func newDrawer(width, keyBits int, seed uint64) *drawer {
	return &drawer{width: width, keyBits: keyBits, random: rand.New(rand.NewPCG(seed, seedOfTables)), inKey: make([]bool, width), left: width}
}

// window draws the bits of a window, without repeats.
func (d *drawer) window() window {
	if d.left < d.keyBits {
		clear(d.inKey)
		d.left = d.width
	}
	pieces := make([]bitsOfWord, piecesDrawn)
	for i := range pieces {
		pieces[i] = bitsOfWord{word: d.random.IntN((d.width + 63) / 64), turn: d.random.IntN(64)}
	}
	used := make([]bool, d.width)
	lanes := windowBits(d.width)
	for lane := lanes - 1; lane >= 0; lane-- {
		ofKey := lane >= lanes-d.keyBits
		taken := func(b int) bool { return used[b] || ofKey && d.inKey[b] }
		var free []int
		for i, p := range pieces {
			if b := p.bit(lane); b < d.width && !taken(b) {
				free = append(free, i)
			}
		}
		if len(free) == 0 {
			b := d.random.IntN(d.width)
			for taken(b) {
				b = (b + 1) % d.width
			}
			free = append(free, len(pieces))
			pieces = append(pieces, bitsOfWord{word: b / 64, turn: (lane - b%64 + 64) % 64})
		}
		p := &pieces[free[d.random.IntN(len(free))]]
		p.mask |= 1 << lane
		used[p.bit(lane)] = true
		if ofKey {
			d.inKey[p.bit(lane)] = true
			d.left--
		}
	}
	return slices.DeleteFunc(pieces, func(p bitsOfWord) bool { return p.mask == 0 })
}

// bit returns the bit of a fingerprint that the piece moves to the given bit of the window.
func (p bitsOfWord) bit(lane int) int { return p.word*64 + (lane-p.turn+64)%64 }

// bySampling sets the plan to the given number of sampled tables with keys of d bits. draw must
// draw their bits.
func (p *Plan) bySampling(tables, d, errors, screens, windows int) {
	p.byBlocks(1, d)
	p.Blocks, p.Errors, p.Tables = 0, errors, tables
	p.tables = make([]table, tables)
	for i := range p.tables {
		p.tables[i] = table{errors: errors, screens: screens, windows: windows}
	}
	p.costs = p.costsOf()
}

// draw draws tables like the first one until they find the share recall of the requested pairs.
func (p *Plan) draw(recall float64, seed uint64) {
	like := p.tables[0]
	p.tables, p.seed = p.tables[:0], seed
	missed, beyond := p.pairsAsked()
	drawer := newDrawer(p.Bits, p.KeyBits, seed)
	for allowed := int((1-recall)*pairsDrawn) - beyond; len(missed) > allowed && len(p.tables) < mostTables; {
		like.window = drawer.window()
		p.tables = append(p.tables, like)
		missed = slices.DeleteFunc(missed, func(difference []uint64) bool { return like.meets(difference, p.Bits, p.KeyBits) })
	}
	p.Tables = len(p.tables)
	p.recall = 1 - float64(len(missed)+beyond)/pairsDrawn
	p.Comparisons = p.comparisons()
}

const (
	mostTables = 512   // maximum number of sampled tables
	pairsDrawn = 10000 // pairs that measure the recall of tables, to about a tenth of a percent

	seedOfTables = mostTables       // combined with the seed of a join
	seedOfPairs  = seedOfTables + 1 // the same
	seedOfSpread = seedOfTables + 2 // the same
)

// pairsAsked draws random differences of requested pairs. Their distances are equally spaced
// quantiles of the binomial distribution. beyond is the number of pairs beyond K, which it does not
// draw.
func (p *Plan) pairsAsked() (list [][]uint64, beyond int) {
	atMost := distribution(p.Bits, p.differ)
	r := rand.New(rand.NewPCG(p.seed, seedOfPairs))
	distance := 0
	for i := range pairsDrawn {
		for atMost[distance] < (float64(i)+0.5)/pairsDrawn {
			distance++
		}
		if distance > p.K {
			return list, pairsDrawn - i
		}
		list = append(list, randomBits(p.Bits, distance, r))
	}
	return list, 0
}

func randomBits(width, ones int, r *rand.Rand) []uint64 {
	words := make([]uint64, (width+63)/64)
	for n := width - ones; n < width; n++ { // Floyd's sampling
		b := r.IntN(n + 1)
		if words[b/64]>>(b%64)&1 == 1 {
			b = n
		}
		words[b/64] |= 1 << (b % 64)
	}
	return words
}

// Recall returns the expected recall for the pairs described by Differ. It is 1 for an exact join
// without Differ.
func (p *Plan) Recall() float64 { return p.recall }

// sample replaces the plan by a sampled plan that finds the given share of the requested pairs, if
// that costs less. Making a sampled plan takes longer than some exact joins.
func (p *Plan) sample(recall float64, seed uint64) {
	if p.cost < costOfSampling {
		return
	}
	best, asked := *p, p.asked()
	longest, spread := bits.Len(uint(p.Fingerprints))-inBucket+1, p.spread
	if spread == nil {
		spread = assumedSpread(p.Bits, alike)
	} else {
		longest += longerKeys
	}
	longest = min(p.Bits, longest, mostFirst+mostSecond)
	errorsOfKey := mostErrors
	if p.onDisk { // only one partition is in memory
		errorsOfKey = 1
	}
	for d := max(1, longest-mostSecond); d <= longest; d++ {
		beyond := p.beyondScreens(d)
		meeting := make([][][]float64, len(asked))
		for i, a := range asked {
			meeting[i] = p.meeting(a.distance, d, min(errorsOfKey, d), beyond)
		}
		for errors := range min(errorsOfKey, d) {
			for screens := errors; screens <= min(p.K, screenBits); screens++ {
				q := *p
				q.spread = spread
				q.bySampling(1, d, errors, screens, screens+beyond)
				distinct, each := q.distinctCost(), q.tablesCost()
				if distinct+each >= best.cost {
					break // more screens cost more
				}
				affordable := int(min((best.cost-distinct)/each, mostTables))
				tables := tablesFor(recall, affordable, asked, func(i int) float64 { return meeting[i][errors][screens] })
				if q.cost = distinct + float64(tables)*each; tables <= affordable && q.cost < best.cost {
					best = q
				}
			}
		}
	}
	if best.Tables == 0 {
		return
	}
	best.draw(recall, seed) // usually draws fewer tables than if they were independent
	if best.cost = best.total(); best.cost < p.cost && best.recall >= recall {
		*p = best
	}
}

// longerKeys is the number of bits by which keys may be longer than for random fingerprints.
const longerKeys = 5

// beyondScreens returns the number of bits, in addition to those that the screens allow, by which
// the windows of two fingerprints may differ, with keys of d bits. This limit rarely loses a pair,
// and avoids fetching the words of most other pairs.
func (p *Plan) beyondScreens(d int) int {
	if rest := windowBits(p.Bits) - d - screenBits; rest > 0 {
		return binomial.Threshold(rest, p.differ, 0.95)
	}
	return 0
}

// atDistance is the share of the requested pairs at a distance.
type atDistance struct {
	distance int
	share    float64
}

// asked returns the distances of the requested pairs up to K, or representative distances if there
// are many.
func (p *Plan) asked() (list []atDistance) {
	atMost := distribution(p.Bits, p.differ)
	const ignored, distances = 1e-6, 16
	from, to := 0, min(p.K, p.Bits)
	for from < to && atMost[from] < ignored {
		from++
	}
	for to > from && 1-atMost[to-1] < ignored {
		to--
	}
	before, step := 0.0, (to-from)/distances+1
	for ; from <= to; from += step {
		last := min(from+step-1, to)
		list = append(list, atDistance{(from + last) / 2, atMost[last] - before})
		before = atMost[last]
	}
	return list
}

// tablesFor returns the number of independent tables that find the share recall of the requested
// pairs, or more than most if most tables are not sufficient. A table finds the share meet(i) of
// the pairs at asked[i].
func tablesFor(recall float64, most int, asked []atDistance, meet func(i int) float64) int {
	logs := make([]float64, len(asked)) // logarithms of the shares that a table misses
	for i := range asked {
		logs[i] = math.Log1p(-meet(i))
	}
	enough := func(tables int) bool {
		found := 0.0
		for i, a := range asked {
			found -= a.share * math.Expm1(float64(tables)*logs[i])
		}
		return found >= recall
	}
	if !enough(most) {
		return most + 1
	}
	return sort.Search(most, enough)
}

// meeting returns the probability that a table with keys of d bits compares two fingerprints at a
// distance, by the errors and screens of the table. The differing bits are distributed
// hypergeometrically over the key, the screen and the rest of the window. The rest may have the
// differing bits that the screens leave, and beyond more.
func (p *Plan) meeting(distance, d, errors, beyond int) [][]float64 {
	screen := min(screenBits, windowBits(p.Bits)-d)
	rest := windowBits(p.Bits) - d - screen
	below := make([][]float64, screenBits+1) // probability of at most so many ones in the rest
	for j := range below {
		below[j] = make([]float64, screenBits+beyond+1)
		sum := 0.0
		for ones := range below[j] {
			if j+ones <= distance {
				sum += chance(p.Bits-d-screen, distance-j, rest, ones)
			}
			below[j][ones] = min(sum, 1)
		}
	}
	list := make([][]float64, errors)
	for i := range list {
		list[i] = make([]float64, screenBits+1)
		if i > 0 {
			copy(list[i], list[i-1])
		}
		if i > distance {
			continue
		}
		inKey := chance(p.Bits, distance, d, i)
		for ones := i; ones <= min(distance, screenBits); ones++ { // in key and screen
			both := inKey * chance(p.Bits-d, distance-i, screen, ones-i)
			for screens := ones; screens <= screenBits; screens++ {
				list[i][screens] += both * below[ones][screens+beyond-ones]
			}
		}
	}
	return list
}

// chance returns the hypergeometric probability that exactly the given number of n bits differ.
func chance(width, differ, n, exactly int) float64 {
	if exactly > differ || n-exactly > width-differ || exactly > n {
		return 0
	}
	return math.Exp(logChoose(differ, exactly) + logChoose(width-differ, n-exactly) - logChoose(width, n))
}

// logChoose returns the logarithm of the number of ways to choose k of n bits.
func logChoose(n, k int) float64 {
	f := logFactorials()
	return f[n] - f[k] - f[n-k]
}

var logFactorials = sync.OnceValue(func() []float64 {
	f := make([]float64, fphash.MaxBits+1)
	for n := 1; n < len(f); n++ {
		f[n] = f[n-1] + math.Log(float64(n))
	}
	return f
})
