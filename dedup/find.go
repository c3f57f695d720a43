package dedup

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"simhashkit/fphash"
	"simhashkit/fphash/index/join"
)

// The ways to find duplicates by fingerprints alone.
const (
	// Components groups records connected by chains of near pairs, and keeps one of each group.
	Components = "components"
	// First drops a record only if it is near a kept record before it.
	First = "first"
)

// Ways returns the ways to find duplicates by fingerprints alone.
func Ways() []string { return []string{Components, First} }

// Options defines near-duplicates and which of them to keep.
type Options struct {
	Spec

	// Old is the number of records of earlier runs. They come first and are always kept. The other
	// records are new.
	Old int
	// OldEmpty is the number of old records without a fingerprint.
	OldEmpty int

	// Unread is the number of old records, the last ones, of which only the fingerprints are known:
	// Verify cannot compare them, so the candidates for a new record count as similar to it.
	// UnreadName is their name, for the summary.
	Unread     int
	UnreadName string

	// Own has the old record that an earlier run of an update made of a new one, by the number of
	// the new one. A record is not a duplicate of its own old record. Own records must be the last
	// of the old ones.
	Own map[int]int

	Kind    string // what a record is, for the summary: document or vector; "" is record
	OldName string // the name of the old records, for the summary
	WhyK    string // for fingerprints alone: the reason for K, for the summary; "" if it was given

	// Verify compares the texts or vectors of candidates. A similarity requires it.
	Verify *Verifier

	// Prefer determines which record of a group is kept; if nil, the first one. Old records always
	// come before new ones.
	Prefer *Preference

	// External finds the candidates if the fingerprints do not fit into memory; nil: Records.Set
	// has them. Its Source yields the fingerprints of all informative records, with the record
	// numbers from 0 as ids. Records.Count was called for each record, and Records.Set.Bits is set.
	// Besides the memory of External, Find then needs 5 bytes for each record, and about 60 for
	// each record in a group.
	External *join.External

	Workers int // goroutines; 0: the default of package join

	// Progress is called with the finished share of a step, 0 to 1, by one goroutine at a time; may
	// be nil.
	Progress func(step Step, done float64)
	Explain  func(join.Plan) // called before the search with its plan; may be nil
}

// Step is a step of Find.
type Step string

// The steps. Between them, Find reads the candidates again.
const (
	Searching Step = "comparing fingerprints"
	Verifying Step = "comparing candidates"
)

// Result says which records are near-duplicates.
type Result struct {
	Options
	Records *Records
	Groups  *Groups

	// Recall is the share of the similar pairs that the search is expected to find at least; 1
	// without a similarity. It is the share of the pairs at exactly the required similarity.
	Recall float64
	// Sample measures the recall on a sample of the records; nil if the search compared all pairs
	// within K.
	Sample *Sample

	limit limit
}

// sketch returns the sketch of the fingerprints. Fingerprints without a definition are simhashes.
func (r *Result) sketch() fphash.Kind {
	d, err := fphash.ParseDefinition(r.Records.Set.Definition)
	if err != nil {
		return fphash.SimHash
	}
	return d.Kind
}

// Sample is the result of comparing some records, drawn at random, with all others.
type Sample struct {
	Drawn int // records
	Pairs int // similar pairs with a drawn record, a few for each record
	Found int // pairs of these that the search put into one group
}

// Find finds the near-duplicates among the records.
func Find(ctx context.Context, records *Records, options Options) (*Result, error) {
	r, err := newResult(records, options)
	if err != nil {
		return nil, err
	}
	j, x := r.join(), r.External
	var plan join.Plan
	if x == nil {
		plan, err = j.Plan()
	} else {
		x.Bits, x.K, x.Differ, x.Recall, x.Workers, x.Progress = records.Set.Bits, j.K, j.Differ, j.Recall, j.Workers, j.Progress
		plan, err = x.Plan(ctx)
	}
	if err != nil {
		return nil, err
	}
	if r.Similarity > 0 {
		r.Recall = plan.Recall()
	}
	if r.Explain != nil {
		r.Explain(plan)
	}
	if x == nil {
		groups, err := j.Groups(ctx)
		if err != nil {
			return nil, err
		}
		return r.keep(ctx, groups, plan, func(found func(a, b uint64)) (int, error) {
			return j.SamplePairs(ctx, func(a, b int) { found(records.Set.ID(a), records.Set.ID(b)) })
		})
	}
	groups, set, err := x.Groups(ctx)
	if err != nil {
		return nil, err
	}
	records.Set.IDs, records.Set.Words = set.IDs, set.Words
	return r.keep(ctx, groups, plan, func(found func(a, b uint64)) (int, error) { return x.SamplePairs(ctx, found) })
}

func newResult(records *Records, options Options) (*Result, error) {
	r := &Result{Options: options, Records: records, Recall: 1}
	if records.Set.Bits < 1 {
		return nil, fmt.Errorf("%s: there are no fingerprints", records.Name)
	}
	var err error
	if r.limit, err = r.Spec.limit(r.sketch(), records.Set.Bits); err != nil {
		return nil, err
	}
	if r.KeepDifferent != 0 && (r.Measure == Cosine || r.Verify == nil || r.Unread > 0) {
		return nil, errors.New("dedup: KeepDifferent requires texts and Verify, also of old records")
	}
	if (r.Verify != nil) != (r.Similarity > 0) {
		return nil, errors.New("dedup: a similarity requires Verify, and Verify requires a similarity")
	}
	if r.Old < 0 || r.Old > records.Len() {
		return nil, fmt.Errorf("dedup: %d old records, expected 0 to %d, the number of records", r.Old, records.Len())
	}
	if r.Unread < 0 || r.Unread > r.Old {
		return nil, fmt.Errorf("dedup: Unread = %d, want 0 to %d, the number of old records", r.Unread, r.Old)
	}
	return r, nil
}

// isUnread reports whether only the fingerprint of a record is known.
func (r *Result) isUnread(record uint64) bool {
	return record < uint64(r.Old) && record >= uint64(r.Old-r.Unread)
}

// join returns the join that finds candidates in memory.
func (r *Result) join() *join.Join {
	j := &join.Join{Set: &r.Records.Set, K: r.limit.k, Differ: r.limit.differ, Workers: r.Workers}
	if r.limit.differ > 0 {
		j.Recall = r.Spec.Recall
	}
	if r.Progress != nil {
		j.Progress = func(done float64) { r.Progress(Searching, done) }
	}
	return j
}

// measure draws a sample of the records, and calls found with some candidate pairs of each sampled
// record. The arguments are record numbers. It returns the number of sampled records.
type measure func(found func(a, b uint64)) (drawn int, err error)

// keep decides which members of the groups are kept. If the plan may miss pairs, keep also measures
// the recall on a sample.
func (r *Result) keep(ctx context.Context, groups *join.Groups, plan join.Plan, measure measure) (*Result, error) {
	var sampled []join.Pair
	if plan.Tables > 0 {
		drawn, err := measure(func(a, b uint64) { sampled = append(sampled, join.Pair{A: a, B: b}) })
		if err != nil {
			return nil, err
		}
		r.Sample = &Sample{Drawn: drawn}
	}
	set := &r.Records.Set
	root := ownCanonical(set.Len()) // by position: the first member of the group of candidates
	for _, g := range groups.All() {
		for _, m := range g {
			root[m] = g[0]
		}
	}
	order, err := r.order(ctx, root)
	if err != nil {
		return nil, err
	}
	kept := choices{canonical: ownCanonical(set.Len())}
	switch {
	case r.Verify != nil:
		if err = r.load(ctx, groups, sampled); err == nil {
			err = r.selectVerified(ctx, groups, order, &kept)
		}
		if err == nil && r.Sample != nil {
			err = r.countSample(sampled, root)
		}
	case r.limit.by == First:
		kept.canonical, err = groups.First(ctx, order, r.oldPositions())
	default:
		r.keepComponents(groups, kept.canonical, order)
	}
	if err != nil {
		return nil, err
	}
	for record, own := range r.Own {
		if p, ok := r.Records.position(uint64(record)); ok && r.Records.record(kept.canonical[p]) == own {
			kept.canonical[p] = p
		}
	}
	r.Groups = newGroups(set, kept)
	return r, nil
}

// oldPositions returns how many old records have a fingerprint. They come first in the set.
func (r *Result) oldPositions() int {
	position, _ := r.Records.position(uint64(r.Old))
	return int(position)
}

// keepComponents makes the first member of each group canonical, in the given order. Old records
// are kept.
func (r *Result) keepComponents(groups *join.Groups, canonical []uint32, order func(a, b uint32) int) {
	old := uint32(r.oldPositions())
	for _, g := range groups.All() {
		first := g[0]
		if order != nil {
			first = slices.MinFunc(g, order)
		}
		for _, m := range g {
			canonical[m] = first
			if m < old {
				canonical[m] = m
			}
		}
	}
}

// countSample counts the similar pairs of the sample, and how many of them are in one group.
func (r *Result) countSample(sampled []join.Pair, root []uint32) error {
	for _, p := range sampled {
		of, similar, err := r.compare(p.A, p.B)
		if err != nil {
			return err
		}
		if !similar || of == 0 { // 0: of an unread record
			continue
		}
		r.Sample.Pairs++
		a, inA := r.Records.position(p.A)
		b, inB := r.Records.position(p.B)
		if inA && inB && root[a] == root[b] {
			r.Sample.Found++
		}
	}
	return nil
}

// IsDropped reports whether the record at a position of the set is to be dropped.
func (r *Result) IsDropped(position int) bool { return r.Canonical(position) != position }

// Canonical returns the position of the record kept in place of the record at a position. It is the
// same position if that record is kept.
func (r *Result) Canonical(position int) int { return int(r.Groups.canonical[position]) }

// SimilarityAt returns the similarity of the record at a position to the record kept in its place;
// 0 if that is unread. ok is false if nothing was verified.
func (r *Result) SimilarityAt(position int) (similarity float32, ok bool) {
	if r.Groups.similarity == nil {
		return 0, false
	}
	return r.Groups.similarity[position], true
}

// Dropped returns the number of records to drop.
func (r *Result) Dropped() int {
	n := 0
	for i := range r.Records.Set.Len() {
		if r.IsDropped(i) {
			n++
		}
	}
	return n
}

// DroppedForOld returns the number of dropped records that duplicate an old record.
func (r *Result) DroppedForOld() int {
	n, old := 0, uint32(r.oldPositions())
	for i := range r.Records.Set.Len() {
		if r.IsDropped(i) && r.Groups.canonical[i] < old {
			n++
		}
	}
	return n
}
