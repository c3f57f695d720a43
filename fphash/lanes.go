package fphash

import (
	"reflect"

	"simhashkit/asm/accumulate"
	"simhashkit/asm/minhash"
)

// lanes are the sums V of a simhash, 64 per word, or the minima of MinHash. Only one slice is not
// nil: the one for the type in which weights are summed.
type lanes struct {
	counters []accumulate.UnitCounter // counts for a single vector with weights of 1
	i64      [][64]int64              // sums of integer weights, including 1
	f32      [][64]float32
	f64      [][64]float64
	minima   [][64]uint32 // for MinHash
}

// of returns the lanes for a definition and a kind of weights. The first call creates them, with
// the value +0.
func (l *lanes) of(d *definition, kind reflect.Kind) lanes {
	if d.minhash {
		if l.minima == nil {
			l.minima = make([][64]uint32, d.words)
			minhash.Clear(l.minima)
		}
		return lanes{minima: l.minima}
	}
	switch kind {
	case unit:
		return lanes{counters: kept(&l.counters, d.words)}
	case reflect.Float32:
		return lanes{f32: kept(&l.f32, d.words)}
	case reflect.Float64:
		return lanes{f64: kept(&l.f64, d.words)}
	}
	return lanes{i64: kept(&l.i64, d.words)}
}

// kept returns *list. The first call creates it.
func kept[T any](list *[]T, n int) []T {
	if *list == nil {
		*list = make([]T, n)
	}
	return *list
}

func (l lanes) clear() {
	clear(l.counters)
	clear(l.i64)
	clear(l.f32)
	clear(l.f64)
	minhash.Clear(l.minima)
}

func (l lanes) copy(from lanes) {
	copy(l.i64, from.i64)
	copy(l.f32, from.f32)
	copy(l.f64, from.f64)
	copy(l.minima, from.minima)
}

// add adds sign times the sums of other, where sign is 1 or -1. It lowers minima to those of other.
func (l lanes) add(other lanes, sign int) {
	addLanes(l.i64, other.i64, int64(sign))
	addLanes(l.f32, other.f32, float32(sign))
	addLanes(l.f64, other.f64, float64(sign))
	for t := range l.minima {
		for j, m := range &other.minima[t] {
			l.minima[t][j] = min(l.minima[t][j], m)
		}
	}
}

func addLanes[T int64 | float32 | float64](v, other [][64]T, sign T) {
	for t := range v {
		for j, x := range other[t] {
			v[t][j] += T(sign * x) // exact; the conversion prevents a fused multiply-add
		}
	}
}

// addCounted adds the counters of other to integer lanes.
func (l lanes) addCounted(other lanes) {
	for t := range l.i64 {
		other.counters[t].AddTo(&l.i64[t])
	}
}

// signs returns the signs of word t.
func (l lanes) signs(t int) accumulate.Signs {
	switch {
	case l.minima != nil:
		return signsOfMinima(&l.minima[t])
	case l.counters != nil:
		return l.counters[t].Signs()
	case l.f32 != nil:
		return accumulate.SignsOf(&l.f32[t])
	case l.f64 != nil:
		return accumulate.SignsOf(&l.f64[t])
	}
	return accumulate.SignsOf(&l.i64[t])
}

// addWord adds native weights to word t of the lanes, by the codes' word t. With MinHash, it adds
// the keys to all lanes.
func (b *buffers) addWord(l lanes, t int, codes []uint64, weights column) {
	switch order := b.order; {
	case l.minima != nil:
		minhash.Add(l.minima, codes, b.scratch)
	case l.counters != nil:
		l.counters[t].Add(codes)
	case weights.kind == unit:
		accumulate.AddUnit(&l.i64[t], codes)
	case weights.kind == reflect.Int32:
		accumulate.AddI32(&l.i64[t], codes, elements[int32](weights))
	case weights.kind == reflect.Int64:
		accumulate.AddI64(&l.i64[t], codes, elements[int64](weights))
	case weights.kind == reflect.Float32 && order == Sequential:
		accumulate.AddSequential(&l.f32[t], codes, elements[float32](weights))
	case weights.kind == reflect.Float32:
		accumulate.AddF32(&l.f32[t], codes, elements[float32](weights))
	case order == Sequential:
		accumulate.AddSequential(&l.f64[t], codes, elements[float64](weights))
	default:
		accumulate.AddF64(&l.f64[t], codes, elements[float64](weights))
	}
}

// signsOf returns the signs of lanes after native weights are added to +0.
func signsOf(codes []uint64, weights column, order Order) accumulate.Signs {
	switch {
	case weights.kind == unit:
		return accumulate.SketchUnit(codes)
	case weights.kind == reflect.Int32:
		return accumulate.SketchI32(codes, elements[int32](weights))
	case weights.kind == reflect.Int64:
		return accumulate.SketchI64(codes, elements[int64](weights))
	case weights.kind == reflect.Float32 && order == Sequential:
		return accumulate.SketchSequential(codes, elements[float32](weights))
	case weights.kind == reflect.Float32:
		return accumulate.SketchF32(codes, elements[float32](weights))
	case order == Sequential:
		return accumulate.SketchSequential(codes, elements[float64](weights))
	}
	return accumulate.SketchF64(codes, elements[float64](weights))
}
