package fphash

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"simhashkit/asm/cpu"
)

// FuzzAppend makes a definition and a vector from raw bytes, and compares Append, AppendBatch and
// an Accumulator with the oracle for every kernel.
func FuzzAppend(f *testing.F) {
	f.Add(uint16(63), uint8(0), uint8(0), []byte("sixteen bytes are one feature..."))
	f.Add(uint16(1|1<<14), uint8(5), uint8(3), make([]byte, 16*9))
	f.Add(uint16(99|2<<14), uint8(200), uint8(17), slices.Repeat([]byte{0xff, 0x7f, 1}, 16*5))
	f.Add(uint16(255|3<<14), uint8(129), uint8(255), slices.Repeat([]byte{1, 2, 3, 0x80, 0x7f}, 16*41))
	f.Add(uint16(63|2<<14), uint8(1), uint8(100), slices.Repeat([]byte{0, 0, 0, 0, 0, 0, 0x80, 0x3f, 9}, 16*60))
	f.Fuzz(func(t *testing.T, width uint16, choice, split uint8, data []byte) {
		bits := int(width)%256 + 1
		family := wideHash(bits)
		if bits <= 64 && choice&1 != 0 {
			family = registered("xxh64")
		}
		s := mustNew(t, Definition{Encoding: Encoding(choice / 8 % 3), Bits: bits, Tie: Tie(choice % 3), Order: Order(choice / 4 % 2)}, WithFamily(family))
		var indices, weights []uint64
		for ; len(data) >= 16 && len(indices) < 600; data = data[16:] {
			indices = append(indices, binary.LittleEndian.Uint64(data))
			weights = append(weights, binary.LittleEndian.Uint64(data[8:]))
		}
		switch width >> 14 {
		case 0:
			fuzzWeights(t, s, int(split), indices, weights, func(w uint64) int32 { return int32(w) })
		case 1:
			fuzzWeights(t, s, int(split), indices, weights, func(w uint64) int64 { return int64(w) })
		case 2:
			fuzzWeights(t, s, int(split), indices, weights, func(w uint64) float32 { return math.Float32frombits(uint32(w)) })
		default:
			fuzzWeights(t, s, int(split), indices, weights, math.Float64frombits)
		}
	})
}

// fuzzWeights tests the whole vector, the sum of its two parts, and a batch of the two parts.
func fuzzWeights[W Weight](t *testing.T, s *Sketcher, split int, indices, raw []uint64, weight func(uint64) W) {
	s = lanesFor[W](s)
	weights := make([]W, len(raw))
	for i, w := range raw {
		weights[i] = weight(w)
	}
	split = min(split, len(indices))
	whole, wholeStatus := oracle(s, indices, weights)
	first, firstStatus := oracle(s, indices[:split], weights[:split])
	second, secondStatus := oracle(s, indices[split:], weights[split:])
	former := cpu.Active()
	defer cpu.SetTier(former)
	for _, tier := range cpu.Supported() {
		cpu.SetTier(tier)
		if got, err := appendErr(s, nil, indices, weights); !slices.Equal(got, whole) || err != wholeStatus.Err() {
			t.Fatalf("%v: Append gives %x, %v; want %x, %v", tier, got, err, whole, wholeStatus.Err())
		}
		a := NewAccumulator[W](s)
		AddVector(a, indices[:split], weights[:split])
		if got, err := a.appendErr(nil); !slices.Equal(got, first) || err != firstStatus.Err() {
			t.Fatalf("%v: the accumulator gives %x, %v after %d features; want %x, %v", tier, got, err, split, first, firstStatus.Err())
		}
		for i := split; i < len(indices); i++ {
			Add(a, weights[i], indices[i])
		}
		if got, err := a.appendErr(nil); !slices.Equal(got, whole) || err != wholeStatus.Err() {
			t.Fatalf("%v: the accumulator gives %x, %v; want %x, %v", tier, got, err, whole, wholeStatus.Err())
		}
		got, status, err := AppendBatch(s, nil, nil, []int{0, split, len(indices)}, indices, weights)
		if err != nil || !slices.Equal(got, append(slices.Clone(first), second...)) || !slices.Equal(status, []Status{firstStatus, secondStatus}) {
			t.Fatalf("%v: batch of two gives %x, %v, %v; want %x, %v and %x, %v", tier, got, status, err, first, firstStatus, second, secondStatus)
		}
	}
}

// FuzzKeys splits the data into byte strings. It compares every family's batches with single keys,
// its integers with their bytes, and fingerprints of strings, plain and widened, with the oracle.
func FuzzKeys(f *testing.F) {
	f.Add(uint8(0), uint8(3), []byte("words of a sentence, cut anywhere"))
	f.Add(uint8(7), uint8(8), make([]byte, 64))
	f.Add(uint8(13), uint8(1), slices.Repeat([]byte{0xff, 0}, 40))
	f.Add(uint8(29), uint8(40), slices.Repeat([]byte("abcdefghijklmnop"), 20))
	families := builtin()
	f.Fuzz(func(t *testing.T, choice, step uint8, data []byte) {
		family := families[int(choice)%len(families)]
		h, err := family.New(Key{})
		if err != nil {
			t.Fatal(err)
		}
		text, ok := h.(ByteHash)
		if !ok {
			return
		}
		var keys []string
		var ends []int
		for at, length := 0, int(step); at < len(data) && len(keys) < 200; length = length*5/4 + 1 {
			end := min(at+length%300, len(data))
			keys, ends, at = append(keys, string(data[at:end])), append(ends, end), end
		}
		n := len(keys)
		codes, one := make([]uint64, n*family.Words()), make([]uint64, family.Words())
		text.HashBytes(codes, data, ends)
		for i, key := range keys {
			text.HashBytes(one, []byte(key), []int{len(key)})
			integer := make([]uint64, family.Words())
			if len(key) == 8 {
				h.HashUint64s(integer, []uint64{binary.LittleEndian.Uint64([]byte(key))})
			}
			for word := range one {
				if codes[word*n+i] != one[word] || len(key) == 8 && integer[word] != one[word] {
					t.Fatalf("%s: word %d of %q is %x alone, %x in a batch, %x as an integer", family.Name, word, key, one[word], codes[word*n+i], integer[word])
				}
			}
		}
		d := Definition{Bits: family.Bits}
		if ways := family.Widenings(); len(ways) > 0 {
			d.Widen, d.Bits = ways[int(step)%len(ways)], 2*family.Bits+int(choice)
		}
		s := mustNew(t, d, WithFamily(family))
		weights := make([]float64, n)
		a := NewAccumulator[float64](s)
		for i, key := range keys {
			weights[i] = float64(len(key)) - 3.25
			if err := Add(a, weights[i], key); err != nil {
				t.Fatal(err)
			}
		}
		want, status := keysOracle(s, keys, weights)
		got, err := appendErr(s, nil, keys, weights)
		piecewise, pieceErr := a.appendErr(nil)
		if err != status.Err() || pieceErr != err || !slices.Equal(got, want) || !slices.Equal(piecewise, want) {
			t.Fatalf("%s, %d bits, %q: Append %x, %v; accumulator %x, %v; want %x, %v", family.Name, s.Bits(), keys, got, err, piecewise, pieceErr, want, status.Err())
		}
	})
}
