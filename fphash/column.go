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

// native returns weights, at most a chunk of them, as a type that there are kernels for. Integers
// that all fit int32 become that, whose kernels are faster than those of int64 and give the same
// sums. What it returns stays there until the next call.
func (c *coder) native(weights column) column {
	switch weights.kind {
	case reflect.Int32, reflect.Float32, reflect.Float64, unit:
		return weights
	}
	return c.converted(weights)
}

// converted is native for the other types.
func (c *coder) converted(weights column) column {
	narrow, fit := c.narrow[:weights.len], true
	switch weights.kind {
	case reflect.Int8:
		fit = toInt32(narrow, elements[int8](weights))
	case reflect.Int16:
		fit = toInt32(narrow, elements[int16](weights))
	case reflect.Int64:
		first := min(len(narrow), 16) // great weights are seldom great by themselves
		fit = toInt32(narrow[:first], elements[int64](weights)) && toInt32(narrow, elements[int64](weights))
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
	wide := c.wide[:weights.len]
	for i, w := range elements[uint32](weights) {
		wide[i] = int64(w)
	}
	return columnOf(wide)
}

// toInt32 converts as many weights as there is room for, and reports whether all fit.
func toInt32[W int8 | int16 | int64 | uint8 | uint16 | uint32](dst []int32, weights []W) bool {
	var beyond uint64
	for i, w := range weights[:len(dst)] {
		dst[i] = int32(w)
		beyond |= uint64(int64(w)) + 1<<31
	}
	return beyond>>32 == 0
}
