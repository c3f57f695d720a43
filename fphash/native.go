package fphash

import (
	"reflect"
	"strconv"
	"unsafe"
)

// The types that the inner functions are made for. What users have beside them, such as types with
// names of their own, is one of these under another name, or is converted.
type (
	feature interface {
		uint32 | uint64 | string | []byte
	}
	weight interface {
		int32 | int64 | float32 | float64 | one
	}
)

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

// isNative reports whether kernels take the weights as they are.
func isNative[W Weight]() bool {
	switch any(*new(W)).(type) {
	case int32, int64, float32, float64:
		return true
	}
	return false
}

// as returns the same slice under the name of the type that From is made of, which To must be.
func as[To, From any](list []From) []To {
	return unsafe.Slice((*To)(unsafe.Pointer(unsafe.SliceData(list))), len(list))
}

// isBytes reports whether the features are byte strings.
func isBytes[F Feature]() bool {
	kind := kindOf[F]()
	return kind == reflect.String || kind == reflect.Slice
}

// converted are the weights of types that no kernel is for, as int32 or int64.
type converted struct {
	i32 []int32
	i64 []int64
}

// toInt32 converts small integers.
func toInt32[W Weight](c *converted, weights []W) []int32 {
	list := c.i32[:0]
	for _, w := range weights {
		list = append(list, int32(w))
	}
	if c.i32 = list; cap(list) > keptWeights {
		c.i32 = nil
	}
	return list
}

// toInt64 converts uint32.
func toInt64[W Weight](c *converted, weights []W) []int64 {
	list := c.i64[:0]
	for _, w := range weights {
		list = append(list, int64(w))
	}
	if c.i64 = list; cap(list) > keptWeights {
		c.i64 = nil
	}
	return list
}

// keptWeights is the greatest room for converted weights that is kept for the next call.
const keptWeights = 1 << 17
