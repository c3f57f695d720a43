package calibrate

import (
	"cmp"
	"math"
	"slices"

	"simhashkit/internal/portable"
)

// edges of the bands of cosines that are reported, besides the one that is asked for.
var usualEdges = []float64{0.99, 0.98, 0.95, 0.9, 0.8, 0.6, 0.4, 0.2, 0}

// binWidth is the greatest width of the bins of angles over which the model is averaged, in
// radians; half a degree.
const binWidth = math.Pi / 360

// rounding is what a cosine that is computed is off at most: one that is that much below the least
// of a bin belongs to it. Cosines such as 0.9 come up exactly, and would else lie on either side.
const rounding = 1e-12

// scale divides the cosines into bands, and each band into bins of angles. Bins and bands are
// numbered from high cosines to low ones; bin 0 holds the copies.
type scale struct {
	lows   []float64 // of a bin: the least cosine in it, as it may be computed
	bandOf []int     // of a bin
	edges  []float64 // of a band: the least cosine in it; that of the copies is the first
	start  []int32   // first bin to look at, by cosine
}

const starts = 1 << 12

func newScale(cosine float64) *scale {
	s := &scale{edges: append(slices.Clone(usualEdges), cosine, math.Cos(copyAngle), -1)}
	slices.SortFunc(s.edges, cmpDescending)
	s.edges = slices.Compact(s.edges)
	above := 0.0
	for band, edge := range s.edges {
		to := portable.Acos(edge)
		n := max(1, int(math.Ceil((to-above)/binWidth)))
		for i := 1; i < n; i++ {
			s.add(band, math.Cos(above+(to-above)*float64(i)/float64(n))-rounding)
		}
		if band == 0 {
			s.add(band, edge) // copies are nearer to each other than that
		} else {
			s.add(band, edge-rounding)
		}
		above = to
	}
	s.start = make([]int32, starts+1)
	for i := range s.start {
		s.start[i] = int32(s.search(float64(i+1)*2/starts - 1))
	}
	return s
}

func (s *scale) add(band int, low float64) {
	s.lows, s.bandOf = append(s.lows, low), append(s.bandOf, band)
}

func cmpDescending(a, b float64) int { return cmp.Compare(b, a) }

// search returns the first bin whose least cosine is no more than c.
func (s *scale) search(c float64) int {
	i, _ := slices.BinarySearchFunc(s.lows, c, cmpDescending)
	return min(i, len(s.lows)-1)
}

// bin returns the bin of a cosine, which may be off [-1, 1] by rounding.
func (s *scale) bin(c float64) int {
	c = max(-1, min(1, c))
	i := int(s.start[int((c+1)*(starts/2))])
	for c < s.lows[i] {
		i++
	}
	return i
}
