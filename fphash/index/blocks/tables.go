package blocks

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"simhashkit/asm/hamming"
	"simhashkit/fphash"
	"simhashkit/fphash/index"
)

// Tables are what gives fingerprints their keys. They do not change: any number of goroutines may
// use them at the same time.
type Tables struct {
	bits, k  int
	masks    [][]uint64 // of the bits of each key
	keys     []extract  // these bits
	prefixes []string   // of each key: the number of its table and a colon
}

// ParseDesign returns the design of a text such as 5,2: cut into 5 blocks, of which each choice of
// 2 makes a key. The design of an empty text is the zero one.
func ParseDesign(text string) (d index.Design, err error) {
	if text == "" {
		return d, nil
	}
	first, second, ok := strings.Cut(text, ",")
	if d.Blocks, err = strconv.Atoi(first); ok && err == nil {
		d.Choose, err = strconv.Atoi(second)
	}
	if !ok || err != nil || d.Choose < 1 || d.Blocks < d.Choose {
		return index.Design{}, errors.New("blocks: expected the number of blocks and how many of them make a key, as 5,2")
	}
	return d, nil
}

// New returns the tables of a design that find all pairs within k of fingerprints of that many
// bits. The zero design has the smallest number of tables: one for each of k+1 blocks.
//
// The more bits a key has, the fewer unrelated pairs share it, and the more tables there are. For
// 64 bits and k = 3, k+1 blocks are 4 tables with keys of 16 bits; three of six blocks are 20
// tables with keys of 32.
func New(bits, k int, design index.Design) (*Tables, error) {
	if err := check(bits, k); err != nil {
		return nil, err
	}
	if design == (index.Design{}) {
		design = index.Design{Blocks: k + 1, Choose: 1}
	}
	masks, err := design.Keys(bits, k)
	if err != nil {
		return nil, fmt.Errorf("blocks: %w", err)
	}
	return newTables(bits, k, masks), nil
}

// check refuses pairs that no fingerprints of that width can be.
func check(bits, k int) error {
	if bits < 1 || bits > fphash.MaxBits {
		return fmt.Errorf("blocks: fingerprints of %d bits, expected 1 to %d", bits, fphash.MaxBits)
	}
	if k < 0 || k >= bits {
		return fmt.Errorf("blocks: pairs within %d bits, expected 0 to %d, less than the bits of a fingerprint", k, bits-1)
	}
	return nil
}

// newTables returns tables of which each has the bits of one mask for its key.
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

// Len returns the number of tables: so many keys has each fingerprint.
func (t *Tables) Len() int { return len(t.masks) }

// AppendKey appends the key of a fingerprint in a table, as 2:00ff: the number of the table, from
// 0, with as many digits as the largest, and the bits of the key in hexadecimal. Keys sort by their
// bytes, and those of a table stand together.
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

// Table returns the number of the table that a key is of.
func (t *Tables) Table(key []byte) (int, error) {
	number, _, ok := bytes.Cut(key, []byte(":"))
	table, err := strconv.Atoi(string(number))
	if !ok || err != nil || table < 0 || table >= len(t.prefixes) || t.prefixes[table] != string(key[:len(number)+1]) {
		return 0, fmt.Errorf("blocks: key %.40q, expected the number of a table, %s to %s, and its digits behind a colon", key, t.prefixes[0], t.prefixes[len(t.prefixes)-1])
	}
	return table, nil
}

// Near returns the distance of two fingerprints that have the same key in a table, and says whether
// they are a pair for this table to report: within k, and with other keys in all tables before.
func (t *Tables) Near(table int, a, b []uint64) (distance int, ok bool) {
	distance = hamming.Distance(a, b)
	return distance, distance <= t.k && t.isFirst(table, a, b)
}

// isFirst says that a and b have other keys in all tables before.
func (t *Tables) isFirst(table int, a, b []uint64) bool {
	for _, mask := range t.masks[:table] {
		if agree(a, b, mask) {
			return false
		}
	}
	return true
}

// agree says whether a and b have the same bits where mask has ones.
func agree(a, b, mask []uint64) bool {
	for i := range a {
		if (a[i]^b[i])&mask[i] != 0 {
			return false
		}
	}
	return true
}
