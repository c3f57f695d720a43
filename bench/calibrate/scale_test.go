package calibrate

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"simhashkit/datasets"
)

// Every cosine is in the bin whose bounds it lies between, at the edges too, and bands are cut
// where they should be.
func TestScale(t *testing.T) {
	for _, cosine := range []float64{0.9, 0.9375, 0, -0.5, 0.999999} {
		s := newScale(cosine)
		check := func(c float64) {
			bin := s.bin(c)
			c = max(-1, min(1, c))
			if c < s.lows[bin] || bin > 0 && c >= s.lows[bin-1] {
				t.Fatalf("cosine %v is in bin %d, from %v", c, bin, s.lows[bin])
			}
			if band := s.bandOf[bin]; c < s.edges[band]-rounding || band > 0 && c >= s.edges[band-1] {
				t.Fatalf("cosine %v is in band %d, from %v", c, band, s.edges[band])
			}
		}
		for _, low := range append([]float64{1, 1 + 1e-15, -1, -1 - 1e-15}, s.lows...) {
			for _, c := range []float64{low, math.Nextafter(low, 2), math.Nextafter(low, -2)} {
				check(c)
			}
		}
		for i := range starts {
			check(float64(i)*2/starts - 1)
		}
		rapid.Check(t, func(t *rapid.T) { check(rapid.Float64Range(-1, 1).Draw(t, "cosine")) })
		for bin := 1; bin < len(s.lows); bin++ {
			if width := math.Acos(s.lows[bin]) - math.Acos(s.lows[bin-1]); width > binWidth*1.0001 || width <= 0 {
				t.Errorf("bin %d is %v wide", bin, width)
			}
		}
	}
}

// Vectors that share nine of ten features have a cosine of 0.9, whatever the sum of their rounded
// products says, and so it is with other parts.
func TestCosinesOnEdges(t *testing.T) {
	for _, edge := range []struct {
		cosine float64
		tenths int
	}{{0.9, 9}, {0.8, 8}, {0.6, 6}, {0.4, 4}} {
		for n := 10; n <= 300; n += 10 {
			set := datasets.CSR[float32]{Offsets: []int{0}}
			for v := range 2 {
				for i := range n {
					index := uint64(i)
					if i >= n*edge.tenths/10 {
						index += uint64(v * n)
					}
					set.Indices = append(set.Indices, index)
				}
				set.Offsets = append(set.Offsets, len(set.Indices))
			}
			if c := measure(t, set, Options{Hash: family(t, "xxh64"), Cosine: edge.cosine}); c.Near != 1 || c.Bands[0].Low != edge.cosine {
				t.Errorf("%d features, %d tenths in common: %d pairs of cosine %v and above, bands %+v", n, edge.tenths, c.Near, edge.cosine, c.Bands)
			}
		}
	}
}
