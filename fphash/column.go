package fphash

import (
	"reflect"
	"strconv"
	"unsafe"
)

// column is a slice of features or of weights whatever its type: all that comes behind the exported
// functions is written and compiled once, and asks for the type where the elements are read.
type column struct {
	kind reflect.Kind // of the elements: never int, which is one of the sizes that it has
	size uintptr      // of an element, in bytes
	data unsafe.Pointer
	len  int
}

// columnOf returns the slice as a column.
func columnOf[T Feature | Weight](list []T) column {
	return column{kindOf[T](), unsafe.Sizeof(*new(T)), unsafe.Pointer(unsafe.SliceData(list)), len(list)}
}

// unit is the kind of weights that are all 1, which take no room.
const unit = reflect.Invalid

// units returns n weights 1.
func units(n int) column { return column{kind: unit, len: n} }

// slice returns the elements [from, to).
func (c column) slice(from, to int) column {
	if from < to { // there is nothing to point to behind the last element
		c.data = unsafe.Add(c.data, uintptr(from)*c.size)
	}
	c.len = to - from
	return c
}

// elements returns the column as a slice of T, whose kind it must have.
func elements[T any](c column) []T { return unsafe.Slice((*T)(c.data), c.len) }

// kindOf returns the kind of the type, int as one of the sizes that it has.
func kindOf[T any]() reflect.Kind {
	kind := reflect.TypeFor[T]().Kind()
	if kind != reflect.Int {
		return kind
	}
	if strconv.IntSize == 32 {
		return reflect.Int32
	}
	return reflect.Int64
}

// isBytes reports whether features of the kind are byte strings.
func isBytes(kind reflect.Kind) bool { return kind == reflect.String || kind == reflect.Slice }

// Feature is what a vector has weights for: the number of a dimension, or a byte string such as a
// word. Byte strings are hashed as they are, whatever the encoding of indices. A string and a
// []byte with the same bytes are the same feature.
type Feature interface {
	~uint32 | ~uint64 | ~string | ~[]byte
}

// Weight is the value of a vector in a dimension. Integers are summed exactly, in int64 that wraps;
// float32 in float32, and float64 in float64. Integers other than int32 are converted first, some
// hundred at a time, which costs little; to add those that do not fit int32 takes longer.
type Weight interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint8 | ~uint16 | ~uint32 | ~float32 | ~float64
}
