package fphash

import (
	"math"
	"reflect"

	"simhashkit/asm/accumulate"
)

// one is the weight of a feature that only counts. It takes no room, so a slice of any length costs
// nothing.
type one struct{}

// ones has the first n elements as the weights of n features.
var ones [math.MaxInt]one

// lanes are the sums V of a simhash, 64 a word. Only the slice of the type that the weights are
// summed in is not nil.
type lanes struct {
	i64 [][64]int64 // unit and integer weights
	f32 [][64]float32
	f64 [][64]float64
}

// newLanes returns lanes of the value +0 for weights of type W.
func newLanes[W Weight](words int) lanes {
	switch kindOf[W]() {
	case reflect.Float32:
		return lanes{f32: make([][64]float32, words)}
	case reflect.Float64:
		return lanes{f64: make([][64]float64, words)}
	}
	return lanes{i64: make([][64]int64, words)}
}

// only returns the lanes of l that weights of type W are summed in.
func only[W any](l *lanes) lanes {
	switch kindOf[W]() {
	case reflect.Float32:
		return lanes{f32: l.f32}
	case reflect.Float64:
		return lanes{f64: l.f64}
	}
	return lanes{i64: l.i64}
}

func (l lanes) clear() {
	clear(l.i64)
	clear(l.f32)
	clear(l.f64)
}

func (l lanes) copy(from lanes) {
	copy(l.i64, from.i64)
	copy(l.f32, from.f32)
	copy(l.f64, from.f64)
}

func (l lanes) add(other lanes) {
	addLanes(l.i64, other.i64)
	addLanes(l.f32, other.f32)
	addLanes(l.f64, other.f64)
}

func (l lanes) subtract(other lanes) {
	subtractLanes(l.i64, other.i64)
	subtractLanes(l.f32, other.f32)
	subtractLanes(l.f64, other.f64)
}

func addLanes[T int64 | float32 | float64](v, other [][64]T) {
	for t := range v {
		for j, x := range other[t] {
			v[t][j] += x
		}
	}
}

func subtractLanes[T int64 | float32 | float64](v, other [][64]T) {
	for t := range v {
		for j, x := range other[t] {
			v[t][j] -= x
		}
	}
}

// signs takes the signs of word t.
func (l lanes) signs(t int) accumulate.Signs {
	switch {
	case l.f32 != nil:
		return accumulate.SignsF32(&l.f32[t])
	case l.f64 != nil:
		return accumulate.SignsF64(&l.f64[t])
	}
	return accumulate.SignsI64(&l.i64[t])
}

// addWord adds the weights to word t, by word t of the codes.
func addWord[W weight](l lanes, t int, codes []uint64, weights []W, order Order) {
	switch w := any(weights).(type) {
	case []one:
		accumulate.AddUnit(&l.i64[t], codes)
	case []int32:
		accumulate.AddI32(&l.i64[t], codes, w)
	case []int64:
		accumulate.AddI64(&l.i64[t], codes, w)
	case []float32:
		if order == Sequential {
			accumulate.AddF32Sequential(&l.f32[t], codes, w)
		} else {
			accumulate.AddF32(&l.f32[t], codes, w)
		}
	case []float64:
		if order == Sequential {
			accumulate.AddF64Sequential(&l.f64[t], codes, w)
		} else {
			accumulate.AddF64(&l.f64[t], codes, w)
		}
	}
}

// sketchWord returns the signs of lanes that start from +0 and that the weights are added to. It is
// not generic because generic code is compiled in the user's package, where the calls of accumulate
// are not inlined: that costs a short vector 3 % of its time.
func sketchWord(codes []uint64, weights any, order Order) accumulate.Signs {
	switch w := weights.(type) {
	case []int32:
		return accumulate.SketchI32(codes, w)
	case []int64:
		return accumulate.SketchI64(codes, w)
	case []float32:
		if order == Sequential {
			return accumulate.SketchF32Sequential(codes, w)
		}
		return accumulate.SketchF32(codes, w)
	case []float64:
		if order == Sequential {
			return accumulate.SketchF64Sequential(codes, w)
		}
		return accumulate.SketchF64(codes, w)
	}
	return accumulate.SketchUnit(codes)
}

// addFeatures hashes the features and adds the weights to the lanes, a chunk at a time.
func addFeatures[F feature, W weight](c *coder, l lanes, features []F, weights []W) {
	if isUnit(weights) && len(features) > c.chunk {
		countFeatures(c, features)
		for t := range l.i64 {
			c.counters[t].AddTo(&l.i64[t])
		}
		return
	}
	for len(features) > 0 {
		n := min(len(features), c.chunk)
		codes := encode(c, features[:n])
		for t := range c.words {
			addWord(l, t, codes[t*n:(t+1)*n], weights[:n], c.order)
		}
		features, weights = features[n:], weights[n:]
	}
}

// countFeatures hashes features of weight 1, a chunk at a time, and leaves their counts in the
// counters of c. To count across chunks saves some 300 ns a chunk and word: that is what it takes to
// make lanes of counters.
func countFeatures[F feature](c *coder, features []F) {
	clear(c.counters)
	for len(features) > 0 {
		n := min(len(features), c.chunk)
		codes := encode(c, features[:n])
		for t := range c.counters {
			c.counters[t].Add(codes[t*n : (t+1)*n])
		}
		features = features[n:]
	}
}

// counted returns the signs of word t of what countFeatures has counted.
func (c *coder) counted(t int) accumulate.Signs { return c.counters[t].Signs() }

func isUnit[W weight](weights []W) bool {
	_, unit := any(weights).([]one)
	return unit
}
