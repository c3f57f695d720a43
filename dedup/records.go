package dedup

import (
	"slices"
	"strconv"

	"simhashkit/fphash/index"
)

// Records is what has fingerprints: the id of each record, and the set of their fingerprints.
type Records struct {
	Name string // of the file, for messages

	// Set has the fingerprints of all records but those without information, which are no
	// duplicates of anything. Its ids are numbers of records, from 0. After FindExternal it has
	// those of records in groups alone.
	Set index.Set

	// IDs returns the id of a record; nil if Add is given them. Result.Named says of which records
	// it is asked for by Summary.
	IDs func(record int) string

	count   int
	first   int // number of the first record that is held: see Pass
	ids     []byte
	idEnds  []int // nil: the ids are the numbers of the records, from 1
	without int
}

// Add adds a record, whose id is its number, counted from 1, if it is nil or empty. The ids of all
// records are nil, or none is.
func (r *Records) Add(id []byte, fingerprint []uint64, informative bool) {
	if id != nil {
		if r.ids = append(r.ids, id...); len(id) == 0 {
			r.ids = strconv.AppendInt(r.ids, int64(r.count+1), 10)
		}
		r.idEnds = append(r.idEnds, len(r.ids))
	}
	switch {
	case !informative:
		if r.without++; r.Set.IDs == nil { // from now on numbers of records are not positions
			r.Set.IDs = make([]uint64, r.count, r.count+1)
			for i := range r.Set.IDs {
				r.Set.IDs[i] = uint64(i)
			}
		}
	case r.Set.IDs != nil:
		r.Set.IDs = append(r.Set.IDs, uint64(r.count))
		fallthrough
	default:
		r.Set.Words = append(r.Set.Words, fingerprint...)
	}
	r.count++
}

// Count counts a record whose fingerprint, if it has one, is not held here: see FindExternal.
func (r *Records) Count(informative bool) {
	if !informative {
		r.without++
	}
	r.count++
}

// Len returns the number of records.
func (r *Records) Len() int { return r.count }

// WithoutFingerprint returns how many records are not in the set: their vectors are empty, or
// cancel out.
func (r *Records) WithoutFingerprint() int { return r.without }

// ID returns the id of a record.
func (r *Records) ID(record int) string {
	if r.IDs != nil {
		return r.IDs(record)
	}
	if r.idEnds == nil {
		return strconv.Itoa(record + 1)
	}
	from, at := 0, record-r.first
	if at > 0 {
		from = r.idEnds[at-1]
	}
	return string(r.ids[from:r.idEnds[at]])
}

// record returns the number of the record at a position of the set.
func (r *Records) record(position uint32) int { return int(r.Set.ID(int(position))) }

// idAt returns the id of the record at a position of the set.
func (r *Records) idAt(position uint32) string { return r.ID(r.record(position)) }

// position returns where a record stands in the set, if it has a fingerprint.
func (r *Records) position(record uint64) (uint32, bool) {
	if r.Set.IDs == nil {
		return uint32(record), true
	}
	i, ok := slices.BinarySearch(r.Set.IDs, record)
	return uint32(i), ok
}

// Joined concatenates old and new records. Old records keep their numbers; the new ones follow.
func Joined(old, new *Records) *Records {
	r := &Records{Name: new.Name}
	r.Set.Bits, r.Set.Definition = new.Set.Bits, new.Set.Definition
	for _, from := range []*Records{old, new} {
		next := 0 // position of the next record with a fingerprint
		for i := range from.Len() {
			informative := next < from.Set.Len() && from.record(uint32(next)) == i
			var words []uint64
			if informative {
				words = from.Set.At(next)
				next++
			}
			r.Add([]byte(from.ID(i)), words, informative)
		}
	}
	return r
}

// A batch is so many records, or fewer that take so many bytes.
const (
	batchRecords = 10000
	batchBytes   = 16 << 20
)

// Pass calls take with the records that are held once they are a batch, 10,000 of them or 16 MiB,
// and lets go of them: Len and WithoutFingerprint go on counting them, and numbers go on. What take
// keeps of them it must copy. Without take all records are held.
func (r *Records) Pass(take func(*Records) error) error {
	if r.count-r.first < batchRecords && len(r.ids)+8*len(r.Set.Words) < batchBytes {
		return nil
	}
	return r.PassRest(take)
}

// PassRest is Pass for what is left at the end, a batch or less.
func (r *Records) PassRest(take func(*Records) error) error {
	if take == nil || r.count == r.first {
		return nil
	}
	if err := take(r); err != nil {
		return err
	}
	r.first = r.count
	r.ids, r.idEnds = r.ids[:0], r.idEnds[:0]
	r.Set.Words = r.Set.Words[:0]
	if r.Set.IDs = r.Set.IDs[:0]; r.Set.IDs == nil { // from now on numbers of records are not positions
		r.Set.IDs = []uint64{}
	}
	return nil
}
