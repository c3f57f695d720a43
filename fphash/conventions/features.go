package conventions

import (
	"fmt"
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

// addText appends the features as the byte strings that are hashed, one behind the other.
func addText[F fphash.Feature](b *buffers, encoding fphash.Encoding, features []F) {
	switch list := any(features).(type) {
	case []string:
		for _, f := range list {
			b.text = append(b.text, f...)
			b.ends = append(b.ends, len(b.text))
		}
		return
	case [][]byte:
		for _, f := range list {
			b.text = append(b.text, f...)
			b.ends = append(b.ends, len(b.text))
		}
		return
	}
	for _, feature := range features {
		b.text = append(b.text, bytesOf(feature, encoding)...)
		b.ends = append(b.ends, len(b.text))
	}
}
