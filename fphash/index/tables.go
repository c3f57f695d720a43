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
	loose  []uint32 // positions that are in no table: their keys have too many unsure bits
}

// table has an entry for every fingerprint and every value of the unsure bits of its key, in order
// of buckets: the top bits of the window, as many as it takes for some 8 entries a bucket. What an
// entry keeps beside its position is the lower half of the window, a screen that lets few strangers
// pass. The bits that the bucket has are not stored.
type table struct {
	window    window
	shift     int      // from the window to the bucket
	starts    []uint32 // where each bucket begins, and behind the last one where that ends
	screens   []uint32
	positions []uint32
	unsure    []uint32 // the screens of the masks, if the set has any
	entries   int      // in each of the last three

	keyFrom int      // the first word that has bits of the key
	keyMask []uint64 // the bits of the key, from that word to the last that has some
}

// mostCopies is the number of unsure bits of a bucket up to which a stored fingerprint stands under
// every value of them.
const mostCopies = 8

// mostProbes is how many buckets a query asks for at most. One with so many unsure bits that it
// would ask for more is answered by a scan.
const mostProbes = 1 << 12

func newTables(name string, set *Set, design Design, workers int) (*tables, error) {
	t, isLoose, err := planTables(name, set, design)
	if err != nil {
		return nil, err
	}
	t.allocate()
	b := newBuilder(set, isLoose, workers)
	for i := range t.list {
		b.build(&t.list[i])
	}
	return t, nil
}

// planTables returns tables whose arrays are not there yet, of which Bytes knows the sizes, and a
// bit for each fingerprint that will be in none.
func planTables(name string, set *Set, design Design) (t *tables, isLoose []uint64, err error) {
	if err := design.check(set.Bits); err != nil {
		return nil, nil, err
	}
	t = &tables{name: name, scan: newScan(set), design: design}
	keys := design.keys(set.Bits)
	t.list = make([]table, len(keys))
	for i, key := range keys {
		t.list[i] = newTable(key, set)
	}
	isLoose = t.findLoose()
	for i := range t.list {
		t.list[i].countEntries(set, isLoose)
	}
	return t, isLoose, nil
}

// allocate makes the arrays of all tables, as parts of one: more of it lies in huge pages.
func (t *tables) allocate() {
	all := hugepages.Make[uint32](t.numbers())
	take := func(n int) (part []uint32) {
		part, all = all[:n:n], all[n:]
		return part
	}
	for i := range t.list {
		x := &t.list[i]
		x.starts, x.screens, x.positions = take(x.buckets()+1), take(x.entries), take(x.entries)
		if t.scan.set.Masks != nil {
			x.unsure = take(x.entries)
		}
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

// countEntries counts the entries that the table will have.
func (t *table) countEntries(set *Set, isLoose []uint64) {
	if set.Masks == nil {
		t.entries = set.Len()
		return
	}
	w := set.Stride()
	for i := range set.Len() {
		if isLoose == nil || isLoose[i/64]>>(i%64)&1 == 0 {
			t.entries += 1 << bits.OnesCount64(t.bucket(set.Masks[i*w:i*w+w]))
		}
	}
}

// findLoose fills the list of the fingerprints that are in no table, and returns a bit for each
// fingerprint; nil means that there is none.
func (t *tables) findLoose() []uint64 {
	set := t.scan.set
	if t.scan.unsure <= mostCopies {
		return nil
	}
	isLoose, w := make([]uint64, (set.Len()+63)/64), set.Stride()
	for i := range set.Len() {
		mask := set.Masks[i*w : i*w+w]
		for j := range t.list {
			if bits.OnesCount64(t.list[j].bucket(mask)) > mostCopies {
				isLoose[i/64] |= 1 << (i % 64)
				break
			}
		}
	}
	t.loose = make([]uint32, 0, onesCount(isLoose))
	for i := range set.Len() {
		if isLoose[i/64]>>(i%64)&1 != 0 {
			t.loose = append(t.loose, uint32(i))
		}
	}
	return isLoose
}

// bucket returns the bucket of a fingerprint, or the bits of buckets that a mask has.
func (t *table) bucket(words []uint64) uint64 { return t.window.of(words) >> t.shift }

func (t *tables) Name() string { return t.name }
func (t *tables) Set() *Set    { return t.scan.set }
func (t *tables) MaxK() int    { return t.design.MaxK() }

func (t *tables) Bytes() int64 {
	n := 4*int64(len(t.loose)+t.numbers()) + int64(len(t.list))*int64(unsafe.Sizeof(table{}))
	for i := range t.list {
		x := &t.list[i]
		n += 8*int64(len(x.keyMask)) + int64(len(x.window.pieces))*int64(unsafe.Sizeof(piece{}))
	}
	return n
}

// numbers returns how many numbers the arrays of all tables have.
func (t *tables) numbers() (n int) {
	each := 2 // a screen and a position
	if t.scan.set.Masks != nil {
		each++
	}
	for i := range t.list {
		n += t.list[i].buckets() + 1 + each*t.list[i].entries
	}
	return n
}

// buckets returns the number of buckets.
func (t *table) buckets() int { return 1 << (t.window.width - t.shift) }

// largest returns the number of entries of the fullest bucket.
func (t *tables) largest() (n int) {
	for i := range t.list {
		starts := t.list[i].starts
		for j := 1; j < len(starts); j++ {
			n = max(n, int(starts[j]-starts[j-1]))
		}
	}
	return n
}
