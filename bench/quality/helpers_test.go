package quality

import (
	"hash/crc64"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"

	"simhashkit/fphash"
)

// roundsVariable is the environment variable with the number of seeds in the tests that use sources
// of known quality.
const roundsVariable = "FPHASH_QUALITY_ROUNDS"

func rounds(t *testing.T, usual int) int {
	t.Helper()
	text := os.Getenv(roundsVariable)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s=%q: want a number from 1", roundsVariable, text)
	}
	return n
}

// madeHash returns a source of fair bits that is independent of the workload's ideal source.
// change, if not nil, modifies each code.
func madeHash(bits int, instance uint64, change func(code []uint64)) Hash {
	return Hash{Name: "made", Bits: bits, Seeded: true, New: func(seed uint64) (Codes, error) {
		r := newRandom(seed, 99, instance)
		words := wordsOf(bits)
		return func(dst, keys []uint64) error {
			r.fill(dst)
			code := make([]uint64, words)
			for i := range keys {
				for t := range code {
					code[t] = dst[t*len(keys)+i]
				}
				if bits%64 != 0 {
					code[words-1] &= 1<<(bits%64) - 1
				}
				if change != nil {
					change(code)
				}
				for t := range code {
					dst[t*len(keys)+i] = code[t]
				}
			}
			return nil
		}, nil
	}}
}

// copied returns a change that makes all other bits copies of the first m bits, for m up to 64.
func copied(m int) func([]uint64) {
	return func(code []uint64) {
		live := code[0] & (1<<m - 1)
		clear(code)
		for j := 0; j < 64*len(code); j += m {
			code[j/64] |= live << (j % 64)
			if j/64+1 < len(code) {
				code[j/64+1] |= live >> (64 - j%64)
			}
		}
	}
}

// cleared returns a change that clears the lowest n bits of the first word.
func cleared(n int) func([]uint64) {
	return func(code []uint64) { code[0] &= ^uint64(0) << n }
}

// linearHash returns a hash whose bits are sums modulo 2 of bits of the index.
func linearHash() Hash {
	table := crc64.MakeTable(crc64.ECMA)
	return OfFunc("crc64", 64, func(dst, keys []uint64) error {
		var key [8]byte
		for i, k := range keys {
			for j := range key {
				key[j] = byte(k >> (8 * j))
			}
			dst[i] = crc64.Checksum(key[:], table)
		}
		return nil
	})
}

func family(t testing.TB, name string, encoding fphash.Encoding) Hash {
	t.Helper()
	f, err := fphash.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	h, err := OfFamily(f, encoding, min(64, f.Bits), fphash.WidenNone)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func generate(t testing.TB, o WorkloadOptions) *Workload {
	t.Helper()
	w, err := Generate(o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func measure(t testing.TB, w *Workload, h Hash) *Result {
	t.Helper()
	r, err := w.Measure(h, 0)
	if err != nil {
		t.Fatal(err)
	}
	finite(t, reflect.ValueOf(*r), "Result")
	return r
}

// finite reports an error for each value that is NaN or infinite.
func finite(t testing.TB, v reflect.Value, where string) {
	t.Helper()
	switch v.Kind() {
	case reflect.Float64:
		if x := v.Float(); math.IsNaN(x) || math.IsInf(x, 0) {
			t.Errorf("%s is %v", where, x)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			finite(t, v.Field(i), where+"."+v.Type().Field(i).Name)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			finite(t, v.Index(i), where+"["+strconv.Itoa(i)+"]")
		}
	}
}

func (i Interval) has(x float64) bool { return i.Low <= x && x <= i.High }

// sharedData returns the path of a file in the project's test data, and skips the test if it is
// missing.
func sharedData(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "data", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not available", path)
	}
	return path
}

// bandPairs returns the number of pairs in the bands All and Cos90, which overlap.
func bandPairs(w *Workload) (all, cos90 int) {
	return len(w.members(func(p pair) bool { return p.uniform })), len(w.members(func(p pair) bool { return p.cosine >= bandCosine }))
}
