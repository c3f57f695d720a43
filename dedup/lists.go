package dedup

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"simhashkit/fphash"
	"simhashkit/internal/tabular"
)

// Lists names what Result.List writes.
func Lists() []string { return []string{ListPairs, ListGroups, ListKeep, ListDrop} }

// The lists.
const (
	ListPairs  = "pairs"  // of near records, with their distances
	ListGroups = "groups" // the members of all groups
	ListKeep   = "keep"   // the records to keep
	ListDrop   = "drop"   // the records to drop
)

// List writes one of the lists in one of the formats.
func (r *Result) List(ctx context.Context, w io.Writer, list, format string) error {
	switch list {
	case ListPairs:
		return r.listPairs(ctx, w, format)
	case ListGroups:
		return r.listGroups(ctx, w, format)
	case ListKeep, ListDrop:
		return r.listRecords(ctx, w, format, list == ListDrop)
	}
	return fmt.Errorf("dedup: list %q, expected %s, %s, %s or %s", list, ListPairs, ListGroups, ListKeep, ListDrop)
}

func (r *Result) listPairs(ctx context.Context, w io.Writer, format string) error {
	columns := []string{"a", "b", "distance"}
	if r.Verify != nil {
		columns = append(columns, "similarity")
	}
	t := tabular.New(w, format, columns)
	for p, err := range r.Pairs(ctx) {
		if err != nil {
			return t.End(err)
		}
		row := []any{r.Records.ID(int(p.A)), r.Records.ID(int(p.B)), p.Distance}
		if r.Verify != nil {
			row = append(row, p.Similarity)
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
	if r.Verify != nil {
		columns = append(columns, "similarity")
	}
	t := tabular.New(w, format, columns)
	for i := range r.Groups.Len() {
		if ctx.Err() != nil {
			return t.End(context.Cause(ctx))
		}
		for n, m := range r.Groups.Members(i) {
			row := []any{i + 1, r.Records.idAt(m), n == 0, r.Groups.distance(m)}
			if format != tabular.Text {
				row = []any{row[1], r.fingerprint(m), row[0], row[2], row[3]}
			}
			switch {
			case r.Verify == nil:
			case n == 0:
				row = append(row, 1.0)
			default:
				row = append(row, shortFloat(r.Groups.similarity[m]))
			}
			if err := t.Row(row...); err != nil {
				return t.End(err)
			}
		}
	}
	return t.End(nil)
}

// shortFloat is a similarity without the digits that float32 does not have.
func shortFloat(f float32) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(float64(f), 'g', -1, 32), 64)
	return short
}

// listRecords writes the records that are to be dropped, or those that are not: of the new ones.
// Those without fingerprints are kept.
func (r *Result) listRecords(ctx context.Context, w io.Writer, format string, drop bool) error {
	columns := []string{"id", "fingerprint"}
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
		dropped := false
		if int(next) < r.Records.Set.Len() && r.Records.record(next) == i {
			if dropped = r.dropped(next); dropped == drop && format != tabular.Text {
				fingerprint = r.fingerprint(next)
			}
			next++
		}
		if dropped != drop || i < r.Old {
			continue
		}
		row := []any{r.Records.ID(i), fingerprint}
		if err := t.Row(row[:len(columns)]...); err != nil {
			return t.End(err)
		}
	}
	return t.End(nil)
}

// fingerprint returns the one at a position in hexadecimal.
func (r *Result) fingerprint(position uint32) string {
	set := &r.Records.Set
	return fphash.Fingerprint(set.At(int(position))).Hex(set.Bits)
}
