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
	"context"
	"fmt"
	"iter"
	"strconv"

	"simhashkit/asm/hamming"
	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/join"
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

// mostCompared is the largest number of fingerprints of a block of which all pairs are compared. In
// larger blocks, package join groups the fingerprints by their other bits, which takes longer to
// start.
const mostCompared = 1024

// Pairs returns the pairs of positions in a block that this table reports, each once, in an order
// that depends only on the fingerprints. words has the concatenated fingerprints, (Bits+63)/64
// words each, which must all have the same key in this table. If words is invalid or the context is
// done, the last result is an error with a meaningless pair.
//
// Pairs compares all pairs of a block of up to about a thousand fingerprints. For a larger block,
// it uses package join, which takes about 12 bytes of memory per fingerprint. n copies of a
// fingerprint have n(n-1)/2 pairs, but only n-1 links: see Links.
func (t *Tables) Pairs(ctx context.Context, table int, words []uint64) iter.Seq2[join.Pair, error] {
	return func(yield func(join.Pair, error) bool) {
		set, err := t.set(table, words)
		if err != nil {
			yield(join.Pair{}, err)
			return
		}
		report := func(p join.Pair) bool { return !t.isFirst(table, set.At(int(p.A)), set.At(int(p.B))) || yield(p, nil) }
		if set.Len() <= mostCompared {
			compareAll(set, t.k, report)
			return
		}
		for p, err := range (&join.Join{Set: set, K: t.k}).Pairs(ctx) {
			if err != nil {
				yield(join.Pair{}, fmt.Errorf("blocks: %w", err))
				return
			}
			if !report(p) {
				return
			}
		}
	}
}

// compareAll calls report for each pair within k bits, until report returns false.
func compareAll(set *index.Set, k int, report func(join.Pair) bool) {
	w := set.Stride()
	var near []hamming.Match
	for a := range set.Len() {
		near = hamming.AppendWithin(near[:0], set.Words[(a+1)*w:], set.At(a), k)
		for _, m := range near {
			if !report(join.Pair{A: uint64(a), B: uint64(a + 1 + m.Index), Distance: m.Distance}) {
				return
			}
		}
	}
}

// set returns the fingerprints of a block as a set. It returns an error if they or the table are
// invalid.
func (t *Tables) set(table int, words []uint64) (*index.Set, error) {
	if table < 0 || table >= len(t.keys) {
		return nil, fmt.Errorf("blocks: table %d, expected 0 to %d", table, len(t.keys)-1)
	}
	set := &index.Set{Bits: t.bits, Words: words}
	if err := set.Check(); err != nil {
		return nil, fmt.Errorf("blocks: %w", err)
	}
	return set, nil
}

// Links returns pairs of positions that connect the same fingerprints as all pairs within k bits.
// Chains of near pairs divide the fingerprints into groups. Links returns a pair of each
// fingerprint with the first one of its group. Therefore there are fewer links than fingerprints,
// while n copies have n(n-1)/2 pairs. The distance of a link may be more than k. If the set or k is
// invalid or the context is done, the last result is an error with a meaningless pair.
func Links(ctx context.Context, set *index.Set, k int) iter.Seq2[join.Pair, error] {
	return func(yield func(join.Pair, error) bool) {
		firsts, err := firsts(ctx, set, k)
		if err != nil {
			yield(join.Pair{}, err)
			return
		}
		for i, f := range firsts {
			if f != i && !yield(join.Pair{A: uint64(f), B: uint64(i), Distance: set.Distance(f, set, i)}, nil) {
				return
			}
		}
	}
}

// firsts returns the first member of the group of each fingerprint.
func firsts(ctx context.Context, set *index.Set, k int) (firsts []int, err error) {
	if err := set.Check(); err != nil {
		return nil, fmt.Errorf("blocks: %w", err)
	}
	if err := check(set.Bits, k); err != nil {
		return nil, err
	}
	firsts = make([]int, set.Len())
	for i := range firsts {
		firsts[i] = i
	}
	if set.Len() > mostCompared {
		groups, err := (&join.Join{Set: set, K: k}).Groups(ctx)
		if err != nil {
			return nil, fmt.Errorf("blocks: %w", err)
		}
		for _, g := range groups.All() {
			for _, m := range g {
				firsts[m] = int(g[0])
			}
		}
		return firsts, nil
	}
	find := func(i int) int {
		for firsts[i] != i {
			firsts[i] = firsts[firsts[i]]
			i = firsts[i]
		}
		return i
	}
	compareAll(set, k, func(p join.Pair) bool {
		a, b := find(int(p.A)), find(int(p.B))
		firsts[max(a, b)] = min(a, b)
		return true
	})
	for i := range firsts {
		firsts[i] = find(i)
	}
	return firsts, nil
}
