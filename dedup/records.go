package dedup

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/internal/similarity"
	"simhashkit/internal/tabular"
)

// Records are the ids and fingerprints of records.
type Records struct {
	Name string // name of the file, for messages

	// Set has the fingerprints of the informative records; the others are duplicates of nothing.
	// The ids of the set are record numbers, from 0. After a Find with External, the set has only
	// the records in groups.
	Set index.Set

	// IDs returns the id of a record; nil if Add receives the ids. Summary calls IDs only for the
	// records that Result.Named returns.
	IDs func(record int) string

	count   int
	first   int // number of the first record of the batch in memory; see Pass
	ids     []byte
	idEnds  []int  // nil: the ids are the record numbers, from 1
	madeUp  []bool // by record: whether its id is made up; shorter than idEnds: the others are not
	without int
}

// Add adds a record. If the id is empty, the id is the record's number, from 1. A nil id also
// counts as made up. As long as all ids are nil, they take no memory.
func (r *Records) Add(id []byte, fingerprint []uint64, informative bool) {
	if n := r.count - r.first; id != nil && r.idEnds == nil && n > 0 { // store the ids that were nil
		for i := range n {
			r.ids = strconv.AppendInt(r.ids, int64(r.first+i+1), 10)
			r.idEnds = append(r.idEnds, len(r.ids))
		}
		r.madeUp = slices.Repeat([]bool{true}, n)
	}
	if id == nil && r.idEnds != nil {
		defer r.MakeUp()
		id = []byte{}
	}
	if id != nil {
		if r.ids = append(r.ids, id...); len(id) == 0 {
			r.ids = strconv.AppendInt(r.ids, int64(r.count+1), 10)
		}
		r.idEnds = append(r.idEnds, len(r.ids))
	}
	switch {
	case !informative:
		if r.without++; r.Set.IDs == nil { // record numbers and positions differ now
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

// MakeUp says that the id of the last record was made up from its number. Such an id identifies
// nothing in another file.
func (r *Records) MakeUp() {
	if n := r.count - r.first; r.idEnds != nil {
		r.madeUp = append(r.madeUp, make([]bool, n-len(r.madeUp))...)
		r.madeUp[n-1] = true
	}
}

// HasID reports whether a record has an id that is not made up.
func (r *Records) HasID(record int) bool {
	at := record - r.first
	return r.idEnds != nil && !(at < len(r.madeUp) && r.madeUp[at])
}

// Count counts a record whose fingerprint is not in Set; see Options.External.
func (r *Records) Count(informative bool) {
	if !informative {
		r.without++
	}
	r.count++
}

// Len returns the number of records.
func (r *Records) Len() int { return r.count }

// WithoutFingerprint returns the number of records that are not in the set, because their vectors
// are empty or cancel out.
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

// Sketch returns the sketch of the fingerprints. Those without a definition are simhashes.
func (r *Records) Sketch() fphash.Kind {
	d, err := fphash.ParseDefinition(r.Set.Definition)
	if err != nil {
		return fphash.SimHash
	}
	return d.Kind
}

// record returns the number of the record at a position of the set.
func (r *Records) record(position uint32) int { return int(r.Set.ID(int(position))) }

// idAt returns the id of the record at a position of the set.
func (r *Records) idAt(position uint32) string { return r.ID(r.record(position)) }

// position returns the position of a record in the set, or false if the record has no fingerprint.
func (r *Records) position(record uint64) (uint32, bool) {
	if r.Set.IDs == nil {
		return uint32(record), true
	}
	i, ok := slices.BinarySearch(r.Set.IDs, record)
	return uint32(i), ok
}

// The limits of a batch.
const (
	batchRecords = 10000
	batchBytes   = 16 << 20
)

// Pass calls take if the records in memory fill a batch, 10,000 records or 16 MiB, and then
// releases them. Len, WithoutFingerprint and record numbers still include released records. take
// must copy what it keeps. If take is nil, all records stay in memory.
func (r *Records) Pass(take func(*Records) error) error {
	if r.count-r.first < batchRecords && len(r.ids)+8*len(r.Set.Words) < batchBytes {
		return nil
	}
	return r.PassRest(take)
}

// PassRest is Pass for the last, incomplete batch.
func (r *Records) PassRest(take func(*Records) error) error {
	if take == nil || r.count == r.first {
		return nil
	}
	if err := take(r); err != nil {
		return err
	}
	r.first = r.count
	r.ids, r.idEnds, r.madeUp = r.ids[:0], r.idEnds[:0], r.madeUp[:0]
	r.Set.Words = r.Set.Words[:0]
	if r.Set.IDs = r.Set.IDs[:0]; r.Set.IDs == nil { // record numbers and positions differ now
		r.Set.IDs = []uint64{}
	}
	return nil
}

// Lists returns the names of the lists that Result.List writes.
func Lists() []string { return []string{"pairs", "groups", "keep", "drop"} }

// List writes a list in the format text, jsonl or csv: the near "pairs" (columns a, b, distance
// and, if they were verified, similarity), the members of all "groups" (cluster_id, id,
// is_canonical, distance, similarity), or the ids of the new records to "keep" or to "drop".
// Columns of text are separated by tabs, without a head. The other formats of groups also have the
// fingerprint.
func (r *Result) List(ctx context.Context, w io.Writer, list, format string) error {
	switch list {
	case "pairs":
		return r.listPairs(ctx, w, format)
	case "groups":
		return r.listGroups(ctx, w, format)
	case "keep", "drop":
		return r.listRecords(ctx, w, format, list == "drop")
	}
	return fmt.Errorf("dedup: list %q, expected one of %q", list, Lists())
}

func (r *Result) listPairs(ctx context.Context, w io.Writer, format string) error {
	columns := []string{"a", "b", "distance"}
	if r.verifier != nil {
		columns = append(columns, "similarity")
	}
	t := tabular.New(w, format, columns)
	for p, err := range r.pairs(ctx) {
		if err != nil {
			return t.End(err)
		}
		row := []any{r.Records.ID(int(p.A)), r.Records.ID(int(p.B)), p.Distance}
		if r.verifier != nil {
			row = append(row, known(p.similarity))
		}
		if err := t.Row(row...); err != nil {
			return t.End(err)
		}
	}
	return t.End(nil)
}

func (r *Result) listGroups(ctx context.Context, w io.Writer, format string) error {
	columns := []string{"id", "fingerprint", "cluster_id", "is_canonical", "distance"}
	if format == tabular.Text {
		columns = []string{"cluster_id", "id", "is_canonical", "distance"}
	}
	if r.verifier != nil {
		columns = append(columns, "similarity")
	}
	t := tabular.New(w, format, columns)
	for i := range r.groups.number() {
		if ctx.Err() != nil {
			return t.End(context.Cause(ctx))
		}
		for n, m := range r.groups.at(i) {
			row := []any{i + 1, r.Records.idAt(m), n == 0, r.groups.distance(m)}
			if format != tabular.Text {
				row = []any{row[1], r.fingerprint(m), row[0], row[2], row[3]}
			}
			switch {
			case r.verifier == nil:
			case n == 0:
				row = append(row, 1.0)
			default:
				row = append(row, known(shortFloat(r.groups.similarity[m])))
			}
			if err := t.Row(row...); err != nil {
				return t.End(err)
			}
		}
	}
	return t.End(nil)
}

// known returns a similarity, or nil if it is not known.
func known(similarity float64) any {
	if similarity == 0 {
		return nil
	}
	return similarity
}

// shortFloat converts a similarity to the shortest decimal with float32 precision.
func shortFloat(f float32) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(float64(f), 'g', -1, 32), 64)
	return short
}

// listRecords writes the new records to drop, or the new records to keep. Records without a
// fingerprint are kept.
func (r *Result) listRecords(ctx context.Context, w io.Writer, format string, drop bool) error {
	columns := []string{"id", "fingerprint"}
	if drop && r.knowsDifferences() {
		columns = append(columns, "differs")
	}
	if format == tabular.Text {
		columns = columns[:1]
	}
	t := tabular.New(w, format, columns)
	next := uint32(0) // position of the next record that has a fingerprint
	for i := range r.Records.Len() {
		if i%4096 == 0 && ctx.Err() != nil {
			return t.End(context.Cause(ctx))
		}
		var fingerprint any
		dropped, differs := false, similarity.Differences(0)
		if int(next) < r.Records.Set.Len() && r.Records.record(next) == i {
			if dropped = r.IsDropped(int(next)); dropped == drop && format != tabular.Text {
				fingerprint = r.fingerprint(next)
			}
			if dropped && r.knowsDifferences() {
				differs = r.groups.differs[next]
			}
			next++
		}
		if dropped != drop || i < r.Old {
			continue
		}
		row := []any{r.Records.ID(i), fingerprint, differs.String()}
		if err := t.Row(row[:len(columns)]...); err != nil {
			return t.End(err)
		}
	}
	return t.End(nil)
}

// fingerprint returns the fingerprint at a position of the set in hexadecimal.
func (r *Result) fingerprint(position uint32) string {
	set := &r.Records.Set
	return fphash.Fingerprint(set.At(int(position))).Hex(set.Bits)
}
