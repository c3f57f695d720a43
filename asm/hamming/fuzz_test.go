package hamming

import (
	"encoding/binary"
	"testing"

	"simhashkit/asm/cpu"
)

// FuzzScan compares all kernels for whole and for split fingerprints, and the batch scan, with the
// oracle. The query is the first fingerprint of the data.
func FuzzScan(f *testing.F) {
	for _, words := range []byte{1, 2, 3, 8, 65} {
		data := make([]byte, 8*min(70*int(words), 200))
		for i := range data {
			data[i] = byte(i * i >> 5 & (i >> 9))
		}
		f.Add(data, words, int(words)*3)
	}
	tiers, c := cpu.Supported(), new(comparison)
	words := make([]uint64, 0, 200)
	f.Fuzz(func(t *testing.T, data []byte, width byte, k int) {
		words = words[:0]
		for len(data) >= 8 && len(words) < cap(words) {
			words = append(words, binary.LittleEndian.Uint64(data))
			data = data[8:]
		}
		n := max(1, int(width)%70)
		if len(words) < n {
			return
		}
		if err := c.run(tiers[int(width)%len(tiers)], words[n:len(words)/n*n], words[:n], k); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzNear compares all kernels of a join with the oracle. The first words are the rows.
func FuzzNear(f *testing.F) {
	for _, rows := range []byte{0, 1, 5, 16} {
		data := make([]byte, 4*60)
		for i := range data {
			data[i] = byte(i * i >> 5 & (i >> 9))
		}
		f.Add(data, rows, 3+int(rows))
	}
	tiers := cpu.Supported()
	f.Fuzz(func(t *testing.T, data []byte, rows byte, k int) {
		var words []uint32
		for len(data) >= 4 && len(words) < 100 {
			words = append(words, binary.LittleEndian.Uint32(data))
			data = data[4:]
		}
		height := min(int(rows)%20, len(words))
		if err := compareJoins(tiers[int(rows)%len(tiers)], words[:height], words[height:], k); err != nil {
			t.Fatal(err)
		}
	})
}
