package fphash

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// randomKeys returns n byte strings: empty strings, words, binary and long strings, with repeats.
func randomKeys(r *rand.Rand, n int) []string {
	keys := make([]string, n)
	for i := range keys {
		switch r.IntN(7) {
		case 0:
			keys[i] = ""
		case 1:
			keys[i] = fmt.Sprint("word", r.IntN(20))
		case 2, 4, 5:
			keys[i] = string(LE64.AppendIndex(nil, r.Uint64()))
		case 3:
			keys[i] = strings.Repeat("long ", r.IntN(200))
		default:
			keys[i] = "飞碟"[:r.IntN(7)]
		}
	}
	return keys
}

func asBytes(keys []string) [][]byte {
	b := make([][]byte, len(keys))
	for i, key := range keys {
		b[i] = []byte(key)
	}
	return b
}

// keysOracle is the oracle for byte strings. Each string gets a number whose code is the code of
// the string.
func keysOracle[W Weight](s *Sketcher, keys []string, weights []W) ([]uint64, Status) {
	table := FromFunc("table", s.codeWords*64, func(dst []uint64, key []byte) {
		s.bytes.HashBytes(dst, []byte(keys[key[0]]), []int{len(keys[key[0]])})
	})
	d := *s.definition
	d.family = table
	d.hash, _ = table.New(Key{})
	d.encoding = LE64
	numbered := &Sketcher{}
	numbered.definition = &d
	indices := make([]uint64, len(keys))
	for i := range indices {
		indices[i] = uint64(i)
	}
	return oracle(numbered, indices, weights)
}

// TestByteStrings checks strings and byte slices against the definition, alone, in a batch and in
// an accumulator, for all kinds of definitions.
func TestByteStrings(t *testing.T) {
	for _, s := range []*Sketcher{
		mustNew(t, Definition{}), mustNew(t, Definition{Hash: "sha1", Encoding: Dec, Bits: 111, Tie: TieOne}), mustNew(t, Definition{Hash: "fnv1-64", Order: Sequential}),
		mustNew(t, Definition{Hash: "highway64", Bits: 100, Widen: WidenCounter}), mustNew(t, Definition{Bits: 4096, Widen: WidenMix}),
	} {
		s = lanesFor[float32](s)
		t.Run(s.family.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
				n := rapid.IntRange(0, 70).Draw(t, "n")
				keys, weights := randomKeys(r, n), randomWeights[float32](r, kind(r.IntN(int(kinds))), n)
				want, status := keysOracle(s, keys, weights)
				same := func(route string, got []uint64, err error) {
					t.Helper()
					if err != status.Err() || !slices.Equal(got, want) {
						t.Fatalf("%s of %q: %x, %v; want %x, %v", route, keys, got, err, want, status.Err())
					}
				}
				got, err := appendErr(s, nil, keys, weights)
				same("Append of strings", got, err)
				got, err = appendErr(s, nil, asBytes(keys), weights)
				same("Append of byte slices", got, err)
				got, statuses, err := AppendBatch(s, nil, nil, []int{0, n}, keys, weights)
				if err != nil {
					t.Fatal(err)
				}
				same("AppendBatch", got, statuses[0].Err())
				a := NewAccumulator[float32](s)
				for i, key := range keys {
					// the bytes of an index are the same feature
					if len(key) == 8 && s.encoding == LE64 {
						Add(a, weights[i], binary.LittleEndian.Uint64([]byte(key)))
					} else if i%2 == 0 {
						err = Add(a, weights[i], key)
					} else {
						err = Add(a, weights[i], []byte(key))
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				got, err = a.appendErr(nil)
				same("Accumulator", got, err)
			})
		})
	}
}

// TestManyByteStrings uses more than a chunk of byte strings, and more bytes than are kept.
func TestManyByteStrings(t *testing.T) {
	for _, hash := range []string{DefaultHash, "wyhash"} { // wyhash copies keys
		t.Run(hash, func(t *testing.T) { manyByteStrings(t, hash) })
	}
}

func manyByteStrings(t *testing.T, hash string) {
	s := mustNew(t, Definition{Hash: hash}).Local()
	huge := strings.Repeat("x", keptText+1)
	var words []string
	counts := map[string]int64{}
	for i := range 3000 {
		words = append(words, fmt.Sprint("w", i*i%1000))
	}
	words = append(words, huge)
	for _, word := range words {
		counts[word]++
	}
	got, err := appendUnitErr(s, nil, words)
	if err != nil || cap(s.own.text) > keptText {
		t.Errorf("%v; %d bytes kept", err, cap(s.own.text))
	}
	a := NewAccumulator[int64](s)
	for word, n := range counts {
		if err := Add(a, n, word); err != nil {
			t.Fatal(err)
		}
	}
	if counted, err := a.appendErr(nil); err != nil || counted[0] != got[0] {
		t.Errorf("%x one by one, %x, %v counted", got, counted, err)
	}
	if again, err := appendUnitErr(s, nil, words); err != nil || again[0] != got[0] {
		t.Errorf("%x, then %x, %v", got, again, err)
	}
	if one, err := sketchUnit64Err(words); hash == DefaultHash && (err != nil || one != got[0]) {
		t.Errorf("Unit64: %x, %v, want %x", one, err, got)
	}
}

func TestByteStringsNeedAHashOfBytes(t *testing.T) {
	s := mustNew(t, Definition{Hash: "splitmix64", Float32: true})
	words, weights := []string{"a"}, []float32{1}
	_, errAppend := appendErr(s, nil, words, weights)
	_, errUnit := appendUnitErr(s, nil, asBytes(words))
	_, _, errBatch := AppendBatch(s, nil, nil, []int{0, 1}, words, weights)
	a := NewAccumulator[float32](s)
	for _, err := range []error{errAppend, errUnit, errBatch, Add(a, 1, []byte("a")), Add(a, 1, "a")} {
		if err == nil || err.Error() != "fphash: hash splitmix64 takes integers only (it is no ByteHash); byte strings are for hashes of bytes" {
			t.Error(err)
		}
	}
	if _, err := a.appendErr(nil); err != errNoInformation {
		t.Errorf("the accumulator has changed: %v", err)
	}
	if _, err := appendErr(mustNew(t, Definition{}), nil, words, []float32{1, 2}); err == nil || err.Error() != "fphash: len(features) is 1 but len(weights) is 2" {
		t.Error(err)
	}
}
