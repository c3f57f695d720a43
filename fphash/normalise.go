package fphash

import (
	"reflect"

	"simhashkit/asm/accumulate"
)

// Callers pass features of four types and weights of ten. Hashes take 64-bit indices, or
// concatenated byte strings; the kernels of accumulate take weights of four types. The functions of
// this file convert at most a chunk at a time, so that later code need not handle the callers'
// types.

// keptText is the maximum capacity in bytes of the buffer for byte strings that is kept between
// calls. Words need a hundredth of it, and a single huge key must not occupy memory forever.
const keptText = 1 << 20

// indices returns features that are not byte strings as 64-bit indices, valid until the next call.
func (b *buffers) indices(features column) []uint64 {
	if features.kind == reflect.Uint64 {
		return elements[uint64](features)
	}
	return b.keys[:copyIndices(b.keys, features)]
}

// copyIndices stores 32-bit or 64-bit indices, and returns their number.
func copyIndices(dst []uint64, features column) int {
	if features.kind == reflect.Uint64 {
		return copy(dst, elements[uint64](features))
	}
	for i, index := range elements[uint32](features) {
		dst[i] = uint64(index)
	}
	return features.len
}

// byteStrings concatenates features that are byte strings, for a batch function. The copy also
// keeps the caller's strings from escaping. String i ends at ends[i].
func (b *buffers) byteStrings(features column) (text []byte, ends []int) {
	text, ends = b.text[:0], b.ends[:features.len]
	if features.kind == reflect.String {
		text = appendKeys(text, ends, elements[string](features))
	} else {
		text = appendKeys(text, ends, elements[[]byte](features))
	}
	if b.text = text; cap(text) > keptText {
		b.text = nil
	}
	return text, ends
}

func appendKeys[K string | []byte](text []byte, ends []int, keys []K) []byte {
	for i, key := range keys {
		text = append(text, key...)
		ends[i] = len(text)
	}
	return text
}

// native returns weights as a type with kernels, valid until the next call. Integers become int32
// if all of them fit, because the kernels for int32 are faster than those for int64 and give the
// same sums.
func (b *buffers) native(weights column) column {
	switch weights.kind {
	case reflect.Int32, reflect.Float32, reflect.Float64, unit:
		return weights
	}
	return b.converted(weights)
}

// converted is native for types without kernels.
func (b *buffers) converted(weights column) column {
	narrow, fit := b.narrow[:weights.len], true
	switch weights.kind {
	case reflect.Int8:
		fit = toInt32(narrow, elements[int8](weights))
	case reflect.Int16:
		fit = toInt32(narrow, elements[int16](weights))
	case reflect.Int64:
		wide := elements[int64](weights)
		first := min(len(narrow), 16) // large weights are rarely few, so try 16 first
		fit = accumulate.Narrow(narrow[:first], wide[:first]) && accumulate.Narrow(narrow, wide[:len(narrow)])
	case reflect.Uint8:
		fit = toInt32(narrow, elements[uint8](weights))
	case reflect.Uint16:
		fit = toInt32(narrow, elements[uint16](weights))
	case reflect.Uint32:
		fit = toInt32(narrow, elements[uint32](weights))
	}
	switch {
	case fit:
		return columnOf(narrow)
	case weights.kind == reflect.Int64:
		return weights
	}
	wide := b.wide[:weights.len]
	for i, w := range elements[uint32](weights) {
		wide[i] = int64(w)
	}
	return columnOf(wide)
}

// toInt32 converts len(dst) weights, and reports whether all of them fit in int32.
func toInt32[W int8 | int16 | uint8 | uint16 | uint32](dst []int32, weights []W) bool {
	var beyond uint64
	for i, w := range weights[:len(dst)] {
		dst[i] = int32(w)
		beyond |= uint64(int64(w)) + 1<<31
	}
	return beyond>>32 == 0
}
