package index

import (
	"math/bits"
	"unsafe"

	"simhashkit/internal/hugepages"
)

// tables finds matches in permuted tables: each has the fingerprints in the order of one of the
// keys of a design, and a query is compared with those alone that have its key.
type tables struct {
	name   string
	scan   *scan
	design Design
	list   []table
}

// table has an entry for every fingerprint, in order of buckets: the top bits of the window, as
// many as it takes for some 8 entries a bucket. What an entry keeps beside its position is the
// lower half of the window, a screen that lets few strangers pass. The bits that the bucket has are
// not stored.
type table struct {
	window    window
	shift     int      // from the window to the bucket
	starts    []uint32 // where each bucket begins, and behind the last one where that ends
	screens   []uint32
	positions []uint32

	keyFrom int      // the first word that has bits of the key
	keyMask []uint64 // the bits of the key, from that word to the last that has some
}

// mostProbes is how many buckets a query asks for at most. Where it would ask for more, for keys
// with many errors, it is answered by a scan.
const mostProbes = 1 << 12

func newTables(name string, set *Set, design Design, workers int) (*tables, error) {
	t, err := planTables(name, set, design)
	if err != nil {
		return nil, err
	}
	t.allocate()
	b := newBuilder(set, workers)
	for i := range t.list {
		b.build(&t.list[i])
	}
	return t, nil
}

// planTables returns tables whose arrays are not there yet, of which Bytes knows the sizes.
func planTables(name string, set *Set, design Design) (*tables, error) {
	if err := design.check(set.Bits); err != nil {
		return nil, err
	}
	t := &tables{name: name, scan: newScan(set), design: design}
	keys := design.keys(set.Bits)
	t.list = make([]table, len(keys))
	for i, key := range keys {
		t.list[i] = newTable(key, set)
	}
	return t, nil
}

// allocate makes the arrays of all tables, as parts of one: more of it lies in huge pages.
func (t *tables) allocate() {
	all, n := hugepages.Make[uint32](t.numbers()), t.scan.set.Len()
	take := func(n int) (part []uint32) {
		part, all = all[:n:n], all[n:]
		return part
	}
	for i := range t.list {
		x := &t.list[i]
		x.starts, x.screens, x.positions = take(x.buckets()+1), take(n), take(n)
	}
}

// newTable returns the table of a key, without entries.
func newTable(key []span, set *Set) table {
	t := table{window: newWindow(key, set.Bits)}
	t.shift = t.window.width - min(t.window.key, directoryBits(set.Len()))
	mask := keyMask(key, set.Stride())
	for mask[0] == 0 {
		mask, t.keyFrom = mask[1:], t.keyFrom+1
	}
	for mask[len(mask)-1] == 0 {
		mask = mask[:len(mask)-1]
	}
	t.keyMask = mask
	return t
}

// directoryBits returns how many bits a bucket of n fingerprints has, if the key has so many:
// enough for 8 to 16 entries a bucket, which are one line of the cache, and for half a byte of
// directory an entry.
func directoryBits(n int) int { return min(max(bits.Len(uint(n))-4, 0), mostDirectoryBits) }

// mostDirectoryBits is the largest number of bits of a bucket. A builder keeps 16 of them beside
// its partition.
const mostDirectoryBits = partitionBits + 16

func (t *tables) Name() string { return t.name }
func (t *tables) Set() *Set    { return t.scan.set }
func (t *tables) MaxK() int    { return t.design.MaxK() }

func (t *tables) Bytes() int64 {
	n := 4*int64(t.numbers()) + int64(len(t.list))*int64(unsafe.Sizeof(table{}))
	for i := range t.list {
		x := &t.list[i]
		n += 8*int64(len(x.keyMask)) + int64(len(x.window.pieces))*int64(unsafe.Sizeof(piece{}))
	}
	return n
}

// numbers returns how many numbers the arrays of all tables have.
func (t *tables) numbers() (n int) {
	for i := range t.list {
		n += t.list[i].buckets() + 1 + 2*t.scan.set.Len() // a screen and a position of each
	}
	return n
}

// buckets returns the number of buckets.
func (t *table) buckets() int { return 1 << (t.window.width - t.shift) }
