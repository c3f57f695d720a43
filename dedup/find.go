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

	// Unverified says why Verify is nil although Spec has a similarity, for the summary.
	Unverified string

	// Verify compares the texts or vectors of candidates. If it is nil and Spec has a similarity,
	// all candidates count as similar.
	Verify *Verifier

	// Prefer determines which record of a group is kept; if nil, the first one. Old records always
	// come before new ones.
	Prefer *Preference

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
func (r *Result) sketch() fphash.Sketch {
	d, err := fphash.ParseDefinition(r.Records.Set.Definition)
	if err != nil {
		return fphash.SimHash
	}
	return d.Sketch
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
	j := r.join()
	plan, err := j.Plan()
	if err != nil {
		return nil, err
	}
	r.explain(plan)
	groups, err := j.Groups(ctx)
	if err != nil {
		return nil, err
	}
	return r.keep(ctx, groups, plan, func(found func(a, b uint64)) (int, error) {
		return j.SamplePairs(ctx, func(a, b int) { found(records.Set.ID(a), records.Set.ID(b)) })
	})
}

// FindExternal is Find for fingerprints that do not fit into memory. The caller has added the
// fingerprints of all informative records to x, with the record numbers from 0 as ids. It has
// called records.Count for each record, and set records.Set.Bits.
//
// Besides the memory of x, FindExternal needs 5 bytes for each record, and about 60 for each record
// in a group.
func FindExternal(ctx context.Context, records *Records, x *join.External, options Options) (*Result, error) {
	r, err := newResult(records, options)
	if err != nil {
		return nil, err
	}
	x.Bits, x.K, x.Differ, x.Workers, x.Progress = records.Set.Bits, r.limit.k, r.limit.differ, options.Workers, r.searching()
	if r.limit.differ > 0 {
		x.Recall = r.Spec.Recall
	}
	plan, err := x.Plan(ctx)
	if err != nil {
		return nil, err
	}
	r.explain(plan)
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
	if r.Verify != nil && r.Similarity == 0 {
		return nil, errors.New("dedup: Verify requires a similarity")
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
	j := &join.Join{Set: &r.Records.Set, K: r.limit.k, Differ: r.limit.differ, Workers: r.Workers, Progress: r.searching()}
	if r.limit.differ > 0 {
		j.Recall = r.Spec.Recall
	}
	return j
}

// searching returns the progress of the search, or nil.
func (r *Result) searching() func(done float64) {
	if r.Progress == nil {
		return nil
	}
	return func(done float64) { r.Progress(Searching, done) }
}

// explain stores the recall of the plan and calls Explain.
func (r *Result) explain(plan join.Plan) {
	if r.Similarity > 0 {
		r.Recall = plan.Recall()
	}
	if r.Explain != nil {
		r.Explain(plan)
	}
}

// measure draws a sample of the records, and calls found with some candidate pairs of each sampled
// record. The arguments are record numbers. It returns the number of sampled records.
type measure func(found func(a, b uint64)) (drawn int, err error)

// sample returns the candidate pairs of a sample of the records.
func (r *Result) sample(measure measure) (pairs []join.Pair, err error) {
	drawn, err := measure(func(a, b uint64) { pairs = append(pairs, join.Pair{A: a, B: b}) })
	r.Sample = &Sample{Drawn: drawn}
	return pairs, err
}

// keep decides which members of the groups are kept. If the plan may miss pairs, keep also measures
// the recall on a sample.
func (r *Result) keep(ctx context.Context, groups *join.Groups, plan join.Plan, measure measure) (_ *Result, err error) {
	var sampled []join.Pair
	if plan.Tables > 0 {
		if sampled, err = r.sample(measure); err != nil {
			return nil, err
		}
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
		return r, err
	}
	canonical, similarity, differs := root, []float32(nil), []Difference(nil)
	switch {
	case r.Verify != nil:
		if err = r.load(ctx, groups, sampled); err == nil {
			canonical, similarity, differs, err = r.selectVerified(ctx, groups, order)
		}
	case r.limit.by == First:
		canonical, err = groups.First(ctx, order, r.oldPositions())
	default:
		r.keepComponents(groups, canonical, order)
	}
	for record, own := range r.Own {
		if p, ok := r.Records.position(uint64(record)); ok && err == nil && r.Records.record(canonical[p]) == own {
			canonical[p] = p
		}
	}
	if err == nil && r.Sample != nil {
		err = r.countSample(sampled, root)
	}
	if err == nil {
		r.Groups = newGroups(set, canonical, similarity)
		r.Groups.differs = differs
	}
	return r, err
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
		if !similar || of == 0 && r.Verify != nil {
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
