package fphash

// Feature is what a vector has weights for: the number of a dimension or a byte string, such as a
// word. Byte strings are hashed as they are, whatever the encoding of indices; the same bytes are
// the same feature in either of Go's forms.
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
