package main

import (
	"math"
	"math/bits"
	"slices"
	"testing"
)

func TestVectors(t *testing.T) {
	for _, pattern := range Patterns() {
		for _, c := range []Case{{Dimensions: 1000, Pattern: pattern, NNZ: 100}, {Dimensions: 1e7, Pattern: pattern, NNZ: 30}} {
			v := stream(c, 20_000)
			if got, want := v.count(), 20_000/c.NNZ; got != want {
				t.Errorf("%d vectors, want %d", got, want)
			}
			octaves := make([]int, 64)
			for i := range v.count() {
				indices, weights := v.at(i)
				for k, index := range indices {
					if index >= c.Dimensions || k > 0 && index <= indices[k-1] {
						t.Fatalf("%s, D=%d: index %d after %v", pattern, c.Dimensions, index, indices[:k])
					}
					if w := float64(weights[k]); w < 1 || w > 32 || w*weightUnits != math.Trunc(w*weightUnits) {
						t.Fatalf("weight %v", w)
					}
					octaves[bits.Len64(index+1)-1]++
				}
			}
			// Of 10^7 ranks, 24 octaves, each is as frequent as the next with pattern=zipf, but for
			// the lowest, whose few ranks are in nearly every vector.
			if c.Dimensions == 1e7 {
				share := float64(octaves[10]) / float64(octaves[20])
				if skewed := share > 0.8 && share < 1.25; skewed != (pattern == zipf) {
					t.Errorf("%s: octave 10 is %.3f times as frequent as octave 20", pattern, share)
				}
			}
		}
	}
}

// Pairs have the angles that their name says, x as drawn and y unlike it in some places; the angles
// go from small to right.
func TestPairs(t *testing.T) {
	for _, c := range []Case{{Dimensions: 1e6, Pattern: uniform, NNZ: 100}, {Dimensions: 1e4, Pattern: zipf, NNZ: 100}, {Dimensions: 100, Pattern: uniform, NNZ: 100}} {
		p := newPairs(c, 90)
		if !slices.Equal(p.angles, newPairs(c, 90).angles) {
			t.Error("pairs are not the same again")
		}
		for i := range p.angles {
			x, xw := p.x.at(i)
			y, yw := p.y.at(i)
			dot := map[uint64]float64{}
			xx, yy, xy := 0.0, 0.0, 0.0
			for k := range x {
				dot[x[k]] = float64(xw[k])
				xx += float64(xw[k] * xw[k])
			}
			seen := map[uint64]bool{}
			for k := range y {
				if seen[y[k]] || y[k] >= c.Dimensions {
					t.Fatalf("index %d twice, or outside", y[k])
				}
				seen[y[k]] = true
				xy += dot[y[k]] * float64(yw[k])
				yy += float64(yw[k] * yw[k])
			}
			want := math.Acos(xy / math.Sqrt(xx*yy))
			if math.Abs(p.angles[i]-want) > 1e-6 || want == 0 {
				t.Errorf("%v, pair %d: angle %v, want %v", c, i, p.angles[i], want)
			}
			// Weights differ, so that angles are only near what the shares of features aim at.
			if aim := math.Pi / 2 * (float64(i) + 0.5) / 90; c.Dimensions > 100 && math.Abs(p.angles[i]-aim) > 0.35 {
				t.Errorf("%v, pair %d: angle %v, aimed at %v", c, i, p.angles[i], aim)
			}
		}
	}
}
