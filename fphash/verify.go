package fphash

import (
	"encoding/binary"
	"fmt"
	"slices"

	"simhashkit/asm/hashing"
)

// Verify checks, with the active kernel, that the family matches its description.
//
// A batch must give the same codes as its keys one by one, and an integer the same code as its
// little-endian bytes. Bits above the width must be zero, and all words must be written. If
// Family.Verification is not 0, the verification code must equal it. Cost: under 10 ms for the
// built-in families.
func (f Family) Verify() error {
	code, err := f.VerificationCode()
	if err != nil {
		return err
	}
	if f.Verification != 0 && code != f.Verification {
		return fmt.Errorf("fphash: hash %s: verification code %#016x, expected %#016x", f.Name, code, f.Verification)
	}
	return nil
}

// VerificationCode hashes a fixed set of keys and condenses the codes to one number. The keys are
// small, spread and extreme integers, in batches of many sizes, and byte strings of 0 to 260 bytes,
// with the zero key and some other seeds or keys if the family takes them. It returns the errors of
// Verify, except that for a wrong verification code.
func (f Family) VerificationCode() (uint64, error) {
	if err := f.check(); err != nil {
		return 0, err
	}
	v := verifier{family: f}
	for _, k := range f.verificationKeys() {
		h, err := f.build(k)
		if err == nil {
			err = v.integers(h)
		}
		if b, ok := h.(ByteHash); ok && err == nil {
			err = v.strings(b)
		}
		if err != nil {
			return 0, err
		}
	}
	return v.code, nil
}

func (f Family) verificationKeys() []Key {
	keys := []Key{{}}
	switch {
	case f.Seeded:
		keys = append(keys, Key{Seed: 1}, Key{Seed: 1 << 63}, Key{Seed: 0x0123456789abcdef})
	case f.KeyBytes > 0:
		rising := make([]byte, f.KeyBytes)
		for i := range rising {
			rising[i] = byte(i)
		}
		keys = append(keys, Key{Seed: 1}, Key{Bytes: rising}, Key{Bytes: rising, Seed: ^uint64(0)})
	}
	return keys
}

// verifier hashes the fixed keys with one family.
type verifier struct {
	family Family
	code   uint64
}

// integers hashes batches of 1 to 513 integers.
func (v *verifier) integers(h Hash) error {
	next := uint64(0)
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 513} {
		keys := make([]uint64, n)
		for i := range keys {
			switch next++; next % 3 {
			case 0:
				keys[i] = hashing.Mix64(next)
			case 1:
				keys[i] = next
			default:
				keys[i] = -next
			}
		}
		if err := v.batch(h, keys); err != nil {
			return err
		}
	}
	return nil
}

// batch hashes integers in one call, one by one, and as bytes.
func (v *verifier) batch(h Hash, keys []uint64) error {
	passed := slices.Clone(keys)
	dst, other := v.room(len(keys)), make([]uint64, len(keys)*v.family.Words())
	h.HashUint64s(dst, passed)
	if !slices.Equal(passed, keys) {
		return v.errorf("it has modified its keys")
	}
	if h.HashUint64s(other, passed); !slices.Equal(dst, other) {
		return v.errorf("it does not write all words of dst")
	}
	if err := v.condense(dst, len(keys)); err != nil {
		return err
	}
	var data []byte
	var ends []int
	for i, key := range keys {
		code := v.room(1)
		h.HashUint64s(code, keys[i:i+1])
		if err := v.same(code, dst, i, len(keys)); err != nil {
			return v.errorf("key %#x alone and in a batch of %d: %w", key, len(keys), err)
		}
		data = binary.LittleEndian.AppendUint64(data, key)
		ends = append(ends, len(data))
	}
	if b, ok := h.(ByteHash); ok {
		codes := v.room(len(keys))
		clear(codes[len(codes)/2:]) // old contents must not matter
		if b.HashBytes(codes, data, ends); !slices.Equal(codes, dst) {
			return v.errorf("%d integers and their little-endian bytes have different codes", len(keys))
		}
	}
	return nil
}

// strings hashes byte strings of 0 to 260 bytes, in one call and one by one.
func (v *verifier) strings(h ByteHash) error {
	const longest = 260
	var data []byte
	var ends []int
	for n := range longest + 1 {
		for i := range n {
			data = append(data, byte(hashing.Mix64(uint64(n*1000+i))))
		}
		ends = append(ends, len(data))
	}
	dst, other := v.room(len(ends)), make([]uint64, len(ends)*v.family.Words())
	h.HashBytes(dst, data, ends)
	if h.HashBytes(other, data, ends); !slices.Equal(dst, other) {
		return v.errorf("it does not write all words of dst")
	}
	for n, end := range ends {
		code := v.room(1)
		h.HashBytes(code, data[end-n:end], []int{n})
		if err := v.same(code, dst, n, len(ends)); err != nil {
			return v.errorf("key of %d bytes alone and in a batch of %d: %w", n, len(ends), err)
		}
	}
	return v.condense(dst, len(ends))
}

// room returns memory for the codes of n keys, filled with ones to detect words that a hash does
// not write.
func (v *verifier) room(n int) []uint64 {
	return slices.Repeat([]uint64{^uint64(0)}, n*v.family.Words())
}

// same compares the code of one key with code i of n.
func (v *verifier) same(one, all []uint64, i, n int) error {
	for t, word := range one {
		if all[t*n+i] != word {
			return fmt.Errorf("word %d of the code is %#016x and %#016x", t, word, all[t*n+i])
		}
	}
	return nil
}

// condense adds the codes of n keys to the verification code.
func (v *verifier) condense(codes []uint64, n int) error {
	for _, word := range codes[len(codes)-n:] {
		if word&^lastWordMask(v.family.Bits) != 0 {
			return v.errorf("a code has bits above the width of %d bits", v.family.Bits)
		}
	}
	for _, word := range codes {
		v.code = hashing.Mix64(v.code+word) + 1
	}
	return nil
}

func (v *verifier) errorf(format string, args ...any) error {
	return fmt.Errorf("fphash: hash "+v.family.Name+": "+format, args...)
}
