// Package blocks computes keys by which programs such as sort, Spark or a database can group
// near-duplicates.
//
// Two fingerprints within k bits have the same key in at least one of a few tables. An engine
// groups records by key, and each group, called a block, is searched for pairs. Only the first
// table in which both fingerprints have the same key reports a pair. Therefore each pair is
// reported once, even if blocks are spread over many machines. (Manku, Jain, Das Sarma: Detecting
// Near-Duplicates for Web Crawling, WWW 2007.)
//
// Package join finds the same pairs in memory or on disk on one machine.
package blocks

import (
	"bytes"
	"cmp"
	"fmt"
	"math/bits"
	"strconv"

	"simhashkit/fphash"
)

// Tables computes the keys of fingerprints. It is immutable and safe for concurrent use.
type Tables struct {
	bits, k  int
	masks    [][]uint64 // by table: the bits of the key
	keys     []extract  // by table: extracts these bits
	prefixes []string   // by table: the number of the table and a colon
}

// New returns the tables that find all pairs within k bits among fingerprints of the width. It
// divides the bits into k+1 blocks of equal width, except that the first blocks may be one bit
// wider. Each block is the key of a table: two fingerprints that differ in k bits agree in at least
// one block. For 64 bits and k = 3, there are 4 tables with keys of 16 bits.
func New(bits, k int) (*Tables, error) {
	if err := check(bits, k); err != nil {
		return nil, err
	}
	masks, at := make([][]uint64, k+1), 0
	for i := range masks {
		masks[i] = make([]uint64, (bits+63)/64)
		left := k + 1 - i // remaining blocks
		for end := at + (bits-at+left-1)/left; at < end; at++ {
			masks[i][at/64] |= 1 << (at % 64)
		}
	}
	return newTables(bits, k, masks), nil
}

// check returns an error if the width or k is invalid.
func check(bits, k int) error {
	if bits < 1 || bits > fphash.MaxBits {
		return fmt.Errorf("blocks: fingerprints of %d bits, expected 1 to %d", bits, fphash.MaxBits)
	}
	if k < 0 || k >= bits {
		return fmt.Errorf("blocks: pairs within %d bits, expected 0 to %d, less than the width of the fingerprints", k, bits-1)
	}
	return nil
}

// newTables returns one table for each mask. The key of a table consists of the bits of its mask.
func newTables(bits, k int, masks [][]uint64) *Tables {
	t := &Tables{bits: bits, k: k, masks: masks}
	digits := len(strconv.Itoa(len(masks) - 1))
	for i, mask := range masks {
		t.keys = append(t.keys, newExtract(mask))
		t.prefixes = append(t.prefixes, fmt.Sprintf("%0*d:", digits, i))
	}
	return t
}

// Bits returns the width of the fingerprints.
func (t *Tables) Bits() int { return t.bits }

// Len returns the number of tables, which is the number of keys of each fingerprint.
func (t *Tables) Len() int { return len(t.masks) }

// AppendKey appends the key of a fingerprint in a table, such as 2:00ff: the number of the table,
// from 0, with as many digits as the largest number, and the bits of the key in hexadecimal. Keys
// sort by their bytes, so the keys of a table stay together.
func (t *Tables) AppendKey(dst []byte, table int, fingerprint []uint64) []byte {
	dst = append(dst, t.prefixes[table]...)
	x := &t.keys[table]
	if x.bits <= 64 {
		var key [1]uint64
		x.fill(key[:], fingerprint)
		return fphash.Fingerprint(key[:]).AppendHex(dst, x.bits)
	}
	key := make([]uint64, x.words())
	x.fill(key, fingerprint)
	return fphash.Fingerprint(key).AppendHex(dst, x.bits)
}

// Table returns the number of the table that a key belongs to.
func (t *Tables) Table(key []byte) (int, error) {
	number, _, ok := bytes.Cut(key, []byte(":"))
	table, err := strconv.Atoi(string(number))
	if !ok || err != nil || table < 0 || table >= len(t.prefixes) || t.prefixes[table] != string(key[:len(number)+1]) {
		return 0, fmt.Errorf("blocks: key %.40q, expected the number of a table, %s to %s, then a colon and digits", key, t.prefixes[0], t.prefixes[len(t.prefixes)-1])
	}
	return table, nil
}

// isFirst reports whether all tables before the given one give a and b different keys.
func (t *Tables) isFirst(table int, a, b []uint64) bool {
	for _, mask := range t.masks[:table] {
		if agree(a, b, mask) {
			return false
		}
	}
	return true
}

// agree reports whether a and b are equal in the bits of mask.
func agree(a, b, mask []uint64) bool {
	for i := range a {
		if (a[i]^b[i])&mask[i] != 0 {
			return false
		}
	}
	return true
}

// extract extracts the bits of a mask from fingerprints and packs them together, the lowest first.
type extract struct {
	pieces []piece
	bits   int // number of bits of the mask
}

// piece is a run of adjacent bits of one word.
type piece struct {
	word        int    // index of the word in the fingerprint
	shift, mask uint64 // select the bits of the word
	at, width   uint64 // position and number of the bits in the result
}

func newExtract(mask []uint64) extract {
	var x extract
	for i, word := range mask {
		for word != 0 {
			from := bits.TrailingZeros64(word)
			width := bits.TrailingZeros64(^(word >> from))
			x.pieces = append(x.pieces, piece{i, uint64(from), 1<<width - 1, uint64(x.bits), uint64(width)})
			x.bits += width
			word &^= (1<<width - 1) << from
		}
	}
	return x
}

// words returns the number of words of the packed bits.
func (x *extract) words() int { return (x.bits + 63) / 64 }

// fill stores the packed bits of a fingerprint in dst, which must have x.words() words of 0.
func (x *extract) fill(dst, fingerprint []uint64) {
	for i := range x.pieces {
		p := &x.pieces[i]
		piece := fingerprint[p.word] >> p.shift & p.mask
		dst[p.at/64] |= piece << (p.at % 64)
		if p.at%64+p.width > 64 {
			dst[p.at/64+1] |= piece >> (64 - p.at%64)
		}
	}
}

// Less defines the order of the two ids in the line of a pair. The smaller id comes first, so that
// a pair has the same line in every table and on every machine. Numbers are ordered by value; all
// other ids follow them, ordered by their bytes. A number has decimal digits without leading zeros.
func Less(a, b []byte) bool {
	x, y := isNumber(a), isNumber(b)
	switch {
	case x != y:
		return x
	case x:
		return cmp.Or(cmp.Compare(len(a), len(b)), bytes.Compare(a, b)) < 0
	}
	return bytes.Compare(a, b) < 0
}

func isNumber(id []byte) bool {
	for _, c := range id {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(id) == 1 || len(id) > 1 && id[0] != '0'
}
