package projections

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
)

// What a crossover is about.
const (
	Faster = "faster" // time of a vector
	// bytes of the heap; of the table alone, where that is beyond the memory limit
	Smaller = "smaller"
)

// Crossover says from which number of dimensions on hash-per-index is ahead of another method, on
// vectors of one kind.
type Crossover struct {
	Case        // of the other method; its Dimensions are 0
	What string // Faster or Smaller

	Behind uint64 // the greatest measured D at which the other method is ahead; 0: none
	// the smallest measured D from which on hash-per-index is ahead at every one that was measured;
	// 0: none
	From uint64
	// Near is where the figures cross between two neighbouring measured D, on logarithmic scales; 0
	// if they do not cross, or more than once, or if one of the methods is nowhere surely ahead:
	// what crosses then are figures that nothing tells apart.
	Near float64
}

// Crossovers compares hash-per-index with every other method on the same vectors, in the order of
// the rows; sizes with those of stored matrices only. Of times one is ahead if the 95% intervals of
// the medians are apart, for which 6 samples are the least; rows without samples tell nothing about
// time.
func Crossovers(rows []Row) []Crossover {
	own := map[Case]Row{}
	for _, r := range rows {
		if r.Method == HashPerIndex {
			own[r.Case] = r
		}
	}
	var kinds []Case
	points := map[Case][]point{}
	for _, r := range rows {
		c, kind := r.Case, r.Case
		c.Method, kind.Dimensions = HashPerIndex, 0
		o, ok := own[c]
		if !ok || r.Method == HashPerIndex {
			continue
		}
		if points[kind] == nil {
			kinds = append(kinds, kind)
		}
		points[kind] = append(points[kind], point{r, o})
	}
	var crossovers []Crossover
	for _, kind := range kinds {
		list := points[kind]
		slices.SortFunc(list, func(a, b point) int { return cmp.Compare(a.other.Dimensions, b.other.Dimensions) })
		if c, ok := crossing(kind, Faster, list, times); ok {
			crossovers = append(crossovers, c)
		}
		if kind.Method == HashPerBit { // whose size does not depend on D either
			continue
		}
		if c, ok := crossing(kind, Smaller, list, sizes); ok {
			crossovers = append(crossovers, c)
		}
	}
	return crossovers
}

// point is two methods on the same vectors.
type point struct{ other, own Row }

// crossing compares the figures at the points; false where there is no point with both.
func crossing(kind Case, what string, points []point, figureOf func(Row) (resultfile.Figure, bool)) (Crossover, bool) {
	c := Crossover{Case: kind, What: what}
	// of the point before: its D, and the logarithm of other over own
	crossings, before, lead := 0, uint64(0), 0.0
	for _, p := range points {
		d := p.own.Dimensions
		other, ok := figureOf(p.other)
		own, okay := figureOf(p.own)
		if !ok || !okay {
			continue
		}
		switch {
		case own.Hi < other.Lo:
			if c.From == 0 {
				c.From = d
			}
		case own.Lo > other.Hi:
			c.Behind, c.From = d, 0
		default:
			c.From = 0
		}
		now := math.Log(other.Median / own.Median)
		if before != 0 && lead < 0 != (now < 0) {
			crossings++
			share := lead / (lead - now) // of the way from before to d
			c.Near = math.Exp(float64((1-share)*math.Log(float64(before))) + float64(share*math.Log(float64(d))))
		}
		before, lead = d, now
	}
	if crossings != 1 || c.Behind == 0 || c.From == 0 {
		c.Near = 0
	}
	return c, before != 0
}

func times(r Row) (resultfile.Figure, bool) {
	if len(r.Samples) == 0 {
		return resultfile.Figure{}, false
	}
	return resultfile.Row{Samples: r.Samples}.Figure(), true
}

func sizes(r Row) (resultfile.Figure, bool) {
	bytes := float64(max(r.HeapBytes, r.TableBytes))
	return resultfile.NewExactFigure([]float64{bytes}), r.Err == "" && bytes > 0
}

// String is a sentence: hash-per-index is faster than gaussian from D = 10000 on (near 2300): f=64
// nnz=100.
func (c Crossover) String() string {
	where := "at no measured D"
	if c.From != 0 {
		where = fmt.Sprintf("from D = %d on", c.From)
		if c.Behind == 0 {
			if c.What == Smaller { // sizes are exact
				where += ", and nowhere behind"
			} else {
				where += ", and nowhere significantly behind"
			}
		}
	}
	if c.Near != 0 {
		where += fmt.Sprintf(" (near %.2g)", c.Near)
	}
	pattern := ""
	if c.Pattern != terms.Uniform {
		pattern = " pattern=" + c.Pattern
	}
	return fmt.Sprintf("%s is %s than %s %s: f=%d%s nnz=%d", HashPerIndex, c.What, c.Method, where, c.Bits, pattern, c.NNZ)
}
