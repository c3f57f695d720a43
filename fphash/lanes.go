package fphash

import (
	"reflect"

	"simhashkit/asm/accumulate"
)

// lanes are the sums V of a simhash, 64 a word. Only the slice of the type that the weights are
// summed in is not nil.
type lanes struct {
	i64 [][64]int64 // unit and integer weights
	f32 [][64]float32
	f64 [][64]float64
}

// newLanes returns lanes of the value +0 for weights of the kind.
func newLanes(kind reflect.Kind, words int) lanes {
	switch kind {
	case reflect.Float32:
		return lanes{f32: make([][64]float32, words)}
	case reflect.Float64:
		return lanes{f64: make([][64]float64, words)}
	}
	return lanes{i64: make([][64]int64, words)}
}

// of returns the lanes of l that weights of the kind are summed in.
func (l *lanes) of(kind reflect.Kind) lanes {
	switch kind {
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

// addWord adds native weights to word t, by word t of the codes.
func (l lanes) addWord(t int, codes []uint64, weights column, order Order) {
	switch {
	case weights.kind == unit:
		accumulate.AddUnit(&l.i64[t], codes)
	case weights.kind == reflect.Int32:
		accumulate.AddI32(&l.i64[t], codes, elements[int32](weights))
	case weights.kind == reflect.Int64:
		accumulate.AddI64(&l.i64[t], codes, elements[int64](weights))
	case weights.kind == reflect.Float32 && order == Sequential:
		accumulate.AddF32Sequential(&l.f32[t], codes, elements[float32](weights))
	case weights.kind == reflect.Float32:
		accumulate.AddF32(&l.f32[t], codes, elements[float32](weights))
	case order == Sequential:
		accumulate.AddF64Sequential(&l.f64[t], codes, elements[float64](weights))
	default:
		accumulate.AddF64(&l.f64[t], codes, elements[float64](weights))
	}
}

// signsOf returns the signs of lanes that start from +0 and that native weights are added to.
func signsOf(codes []uint64, weights column, order Order) accumulate.Signs {
	switch {
	case weights.kind == unit:
		return accumulate.SketchUnit(codes)
	case weights.kind == reflect.Int32:
		return accumulate.SketchI32(codes, elements[int32](weights))
	case weights.kind == reflect.Int64:
		return accumulate.SketchI64(codes, elements[int64](weights))
	case weights.kind == reflect.Float32 && order == Sequential:
		return accumulate.SketchF32Sequential(codes, elements[float32](weights))
	case weights.kind == reflect.Float32:
		return accumulate.SketchF32(codes, elements[float32](weights))
	case order == Sequential:
		return accumulate.SketchF64Sequential(codes, elements[float64](weights))
	}
	return accumulate.SketchF64(codes, elements[float64](weights))
}

// sums returns the lanes of the vector, which stay there until the next call.
func (b *buffers) sums(features, weights column) lanes {
	l := b.lanes.of(weights.kind)
	l.clear()
	b.add(l, features, weights)
	return l
}

// add hashes the features, a chunk at a time, and adds the weights to the lanes.
func (c *coder) add(l lanes, features, weights column) {
	if weights.kind == unit && features.len > c.chunk {
		c.count(features)
		for t := range l.i64 {
			c.counters[t].AddTo(&l.i64[t])
		}
		return
	}
	for at := 0; at < features.len; at += c.chunk {
		n := min(features.len-at, c.chunk)
		codes, some := c.encode(features.slice(at, at+n)), c.native(weights.slice(at, at+n))
		for t := range c.words {
			l.addWord(t, codes[t*n:(t+1)*n], some, c.order)
		}
	}
}

// count hashes features of weight 1, a chunk at a time, and leaves their counts in the counters. To
// make lanes of counters takes longer than to count a chunk, so it is not done for each.
func (c *coder) count(features column) {
	clear(c.counters)
	for at := 0; at < features.len; at += c.chunk {
		n := min(features.len-at, c.chunk)
		codes := c.encode(features.slice(at, at+n))
		for t := range c.counters {
			c.counters[t].Add(codes[t*n : (t+1)*n])
		}
	}
}

// counted returns the signs of word t of what count has counted.
func (c *coder) counted(t int) accumulate.Signs { return c.counters[t].Signs() }

// countedMagnitudes is lanes.magnitudes of what count has counted.
func (c *coder) countedMagnitudes(word int, planes *[64]uint64) (n int) {
	return c.counters[word].Magnitudes(planes)
}
