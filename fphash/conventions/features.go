package conventions

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"

	"simhashkit/fphash"
)

// isBytes reports whether the features are byte strings.
func isBytes[F fphash.Feature]() bool {
	kind := reflect.TypeFor[F]().Kind()
	return kind == reflect.String || kind == reflect.Slice
}

// checkDigests reports features that are no digests, or not of the length that all have.
func checkDigests[F fphash.Feature](s *Sketcher, features []F) error {
	if !isBytes[F]() {
		return s.wrap(fmt.Errorf("expected digests of %d bytes, not indices", s.bits/8))
	}
	for i, feature := range features {
		if n := lengthOf(feature); n != s.bits/8 {
			return s.wrap(fmt.Errorf("digest %d has %d bytes, expected %d", i+1, n, s.bits/8))
		}
	}
	return nil
}

// lengthOf returns the length of a byte string.
func lengthOf[F fphash.Feature](feature F) int {
	switch f := any(feature).(type) {
	case string:
		return len(f)
	case []byte:
		return len(f)
	}
	return reflect.ValueOf(feature).Len()
}

// bytesOf returns a feature of any type as the bytes that are hashed.
func bytesOf[F fphash.Feature](feature F, encoding fphash.Encoding) []byte {
	switch v := reflect.ValueOf(feature); v.Kind() {
	case reflect.String:
		return []byte(v.String())
	case reflect.Slice:
		return v.Bytes()
	default:
		return encoding.AppendIndex(nil, v.Uint())
	}
}

// addText appends the features as the byte strings that are hashed, with their framing, one behind
// the other.
func addText[F fphash.Feature](b *buffers, c Convention, features []F) {
	switch list := any(features).(type) {
	case []string:
		addBytes(b, c.Framing, list)
	case [][]byte:
		addBytes(b, c.Framing, list)
	default:
		for _, feature := range features {
			addBytes(b, c.Framing, [][]byte{bytesOf(feature, c.Encoding)})
		}
	}
}

func addBytes[B string | []byte](b *buffers, framing string, features []B) {
	text, ends := b.text, b.ends
	switch framing {
	case rustBytes:
		for _, feature := range features {
			text = binary.LittleEndian.AppendUint64(text, uint64(len(feature)))
			text = append(text, feature...)
			ends = append(ends, len(text))
		}
	case rustString:
		for _, feature := range features {
			text = append(text, feature...)
			text = append(text, 0xff)
			ends = append(ends, len(text))
		}
	default:
		for _, feature := range features {
			text = append(text, feature...)
			ends = append(ends, len(text))
		}
	}
	b.text, b.ends = text, ends
}

// buffers are what a call needs beside those of package fphash.
type buffers struct {
	seeds    []uint64
	integers []int64
	numbers  []float64
	items    []item
	text     []byte
	ends     []int
	codes    []uint64
	sums     [][64]int64
	tally    tally
}

func (s *Sketcher) borrow() *buffers {
	if b, ok := s.buffers.Get().(*buffers); ok {
		return b
	}
	return new(buffers)
}

// isFloat reports whether weights of the type may have fractions.
func isFloat[W fphash.Weight]() bool {
	half := 0.5
	return W(half) != 0
}

// checkWeights reports weights of a type that the Convention does not take.
func checkWeights[W fphash.Weight](s *Sketcher) error {
	switch {
	case s.convention.Weights == Unweighted:
		return s.wrap(errors.New("it takes no weights: each occurrence of a feature counts once"))
	case s.convention.Weights == Integers && isFloat[W]():
		return s.wrap(errors.New("its weights are whole numbers, not floating-point ones"))
	}
	return nil
}

// appendFloat64 appends the fingerprint of weights that are summed as float64.
func appendFloat64[F fphash.Feature, W fphash.Weight](s *Sketcher, dst []uint64, features []F, weights []W) ([]uint64, fphash.Status, error) {
	if numbers, ok := any(weights).([]float64); ok {
		return appendSigned(s, dst, features, numbers)
	}
	b := s.borrow()
	defer s.buffers.Put(b)
	b.numbers = b.numbers[:0]
	for _, w := range weights {
		b.numbers = append(b.numbers, float64(w))
	}
	return appendSigned(s, dst, features, b.numbers)
}

// appendRoundedUp appends the fingerprint of weights that are rounded up to whole numbers.
func appendRoundedUp[F fphash.Feature, W fphash.Weight](s *Sketcher, dst []uint64, features []F, weights []W) ([]uint64, fphash.Status, error) {
	b := s.borrow()
	defer s.buffers.Put(b)
	b.integers = b.integers[:0]
	for i, w := range weights {
		up := math.Ceil(float64(w))
		if !(math.Abs(up) < 1<<63) {
			return dst, fphash.NoInformation, s.wrap(fmt.Errorf("weight %d is %v, expected a number below 2^63", i+1, w))
		}
		b.integers = append(b.integers, int64(up))
	}
	return appendSigned(s, dst, features, b.integers)
}
