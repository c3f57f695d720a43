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
	"fmt"
	"strconv"

	"simhashkit/fphash"
)

// Tables computes the keys of fingerprints. It is immutable and safe for concurrent use.
type Tables struct {
	bits, k  int
	keys     []span   // by table: the bits of the key
	prefixes []string // by table: the number of the table and a colon
}

// span is the bits from ≤ bit < end of a fingerprint.
type span struct{ from, end int }

// New returns the tables that find all pairs within k bits among fingerprints of the width. It
// divides the bits into k+1 blocks of equal width, except that the first blocks may be one bit
// wider. Each block is the key of a table: two fingerprints that differ in k bits agree in at least
// one block. For 64 bits and k = 3, there are 4 tables with keys of 16 bits.
func New(bits, k int) (*Tables, error) {
	if err := check(bits, k); err != nil {
		return nil, err
	}
	t, digits, from := &Tables{bits: bits, k: k}, len(strconv.Itoa(k)), 0
	for i := range k + 1 {
		left := k + 1 - i // remaining blocks
		end := from + (bits-from+left-1)/left
		t.keys, from = append(t.keys, span{from, end}), end
		t.prefixes = append(t.prefixes, fmt.Sprintf("%0*d:", digits, i))
	}
	return t, nil
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

// Bits returns the width of the fingerprints.
func (t *Tables) Bits() int { return t.bits }

// K returns the largest distance of a pair.
func (t *Tables) K() int { return t.k }

// Len returns the number of tables, which is the number of keys of each fingerprint.
func (t *Tables) Len() int { return len(t.keys) }

// AppendKey appends the key of a fingerprint in a table, such as 2:00ff: the number of the table,
// from 0, with as many digits as the largest number, and the bits of the key in hexadecimal. Keys
// sort by their bytes, so the keys of a table stay together.
func (t *Tables) AppendKey(dst []byte, table int, fingerprint []uint64) []byte {
	dst = append(dst, t.prefixes[table]...)
	var room [1]uint64
	key := t.keys[table]
	words := room[:0]
	for from := key.from; from < key.end; from += 64 {
		words = append(words, bitsFrom(fingerprint, from, min(64, key.end-from)))
	}
	return fphash.Fingerprint(words).AppendHex(dst, key.end-key.from)
}

// bitsFrom returns n bits of a fingerprint, at most 64, starting at a bit.
func bitsFrom(fingerprint []uint64, from, n int) uint64 {
	x := fingerprint[from/64] >> (from % 64)
	if from%64+n > 64 {
		x |= fingerprint[from/64+1] << (64 - from%64)
	}
	return x & (1<<n - 1)
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
	for _, key := range t.keys[:table] {
		differ := uint64(0)
		for from := key.from; from < key.end; from += 64 {
			n := min(64, key.end-from)
			differ |= bitsFrom(a, from, n) ^ bitsFrom(b, from, n)
		}
		if differ == 0 {
			return false
		}
	}
	return true
}
