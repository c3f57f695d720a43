package dedup

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"simhashkit/fphash/index/join"
)

// The ways to deduplicate by fingerprints alone.
const (
	// Components joins records by chains of near pairs and keeps one of each group.
	Components = "components"
	// First keeps a record unless a kept one before it is near.
	First = "first"
)

// Ways lists the ways to deduplicate by fingerprints alone.
func Ways() []string { return []string{Components, First} }

// Options says what near-duplicates are, and which of them to keep.
type Options struct {
	Spec

	// Old is how many records, the first ones, are of earlier runs. They are always kept, whatever
	// they are near. The other records are new.
	Old int
	// OldEmpty is how many of the old records have no fingerprint.
	OldEmpty int

	// Verify compares the texts or vectors of candidates, by the similarity of Spec. If it is nil,
	// a Spec with a similarity takes all candidates for similar.
	Verify Verifier

	// Prefer says which record of a group is kept; nil: the first. Old records come before all
	// others, and their values are not asked for.
	Prefer *Preference

	Workers  int                // goroutines; 0 is their default
	Progress func(done float64) // told from 0 to 1 how much is done; may be nil
	Explain  func(join.Plan)    // told before the work how candidates will be found; may be nil
}

// Result is which records are near-duplicates.
type Result struct {
	Options
	Records *Records
	Groups  *Groups

	// Recall is the share of the pairs at the similarity asked for that the search is expected to
	// find; 1 without a similarity.
	Recall float64
	// Sample has what a sample of the records confirms of that; nil where all pairs within K were
	// looked at.
	Sample *Sample

	external *join.External // where FindExternal found the groups; nil: in memory
}

// Sample is what a comparison of some records, drawn at random, with all others found.
type Sample struct {
	Drawn int // records
	Pairs int // similar pairs with one of these records, among mostSampled candidates or fewer
	Found int // how many of Pairs the search has in one group
}

// mostSampled is how many candidate pairs of a sample are compared at most. A record of a large
// group alone can have as many candidates as there are records.
const mostSampled = 2000

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
	return r.keep(ctx, groups, plan, func(found func(a, b uint64) bool) (*join.Measured, error) {
		return j.MeasureRecall(ctx, func(a, b int) bool { return found(records.Set.ID(a), records.Set.ID(b)) })
	})
}

// FindExternal is Find among records whose fingerprints are more than memory is to hold: x has
// those of all records that have one, with the number of the record, from 0, for its id. Each
// record was counted by records.Count, and records.Set says how many bits a fingerprint has.
//
// Beside the memory of x it takes 4 bytes for each record, and some 60 for each that is in a group.
func FindExternal(ctx context.Context, records *Records, x *join.External, options Options) (*Result, error) {
	r, err := newResult(records, options)
	if err != nil {
		return nil, err
	}
	r.external = x
	x.Bits, x.K, x.Differ, x.Workers, x.Progress = records.Set.Bits, r.K, r.Differ, options.Workers, options.Progress
	if r.Differ > 0 {
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
	return r.keep(ctx, groups, plan, func(found func(a, b uint64) bool) (*join.Measured, error) { return x.MeasureRecall(ctx, found) })
}

func newResult(records *Records, options Options) (*Result, error) {
	r := &Result{Options: options, Records: records, Recall: 1}
	if records.Set.Bits < 1 {
		return nil, fmt.Errorf("%s: there are no fingerprints", records.Name)
	}
	if r.Similarity != 0 {
		spec, err := r.Spec.forBits(records.Set.Bits)
		if err != nil {
			return nil, fmt.Errorf("dedup: %w", err)
		}
		r.Spec = spec
	}
	if r.By != "" && !slices.Contains(Ways(), r.By) {
		return nil, fmt.Errorf("dedup: by %q, expected one of %q", r.By, Ways())
	}
	if bits := records.Set.Bits; r.K < 0 || r.K >= bits {
		return nil, fmt.Errorf("dedup: k = %d, expected 0 to %d: fingerprints have %d bits", r.K, bits-1, bits)
	}
	if r.Verify != nil && r.Similarity == 0 {
		return nil, errors.New("dedup: Verify requires a similarity")
	}
	if r.Old < 0 || r.Old > records.Len() {
		return nil, fmt.Errorf("dedup: %d old records, expected 0 to %d, the number of all", r.Old, records.Len())
	}
	return r, nil
}

// join returns the join that finds the candidates.
func (r *Result) join() *join.Join {
	j := &join.Join{Set: &r.Records.Set, K: r.K, Differ: r.Differ, Workers: r.Workers, Progress: r.Progress}
	if r.Differ > 0 {
		j.Recall = r.Spec.Recall
	}
	return j
}

// explain notes the recall of the plan, and tells how the candidates will be found.
func (r *Result) explain(plan join.Plan) {
	if r.Similarity > 0 {
		r.Recall = plan.Recall()
	}
	if r.Explain != nil {
		r.Explain(plan)
	}
}

// measure measures the recall of a join by a sample of the records. It calls found with all pairs
// that the sample has, by the numbers of the records.
type measure func(found func(a, b uint64) bool) (*join.Measured, error)

// sample returns the candidate pairs of a sample of the records. Of more than mostSampled, each is
// returned with equal probability.
func (r *Result) sample(measure measure) ([]join.Pair, error) {
	var pairs []join.Pair
	seen, random := 0, rand.New(rand.NewPCG(0, mostSampled))
	measured, err := measure(func(a, b uint64) bool {
		pair := join.Pair{A: a, B: b}
		if seen++; len(pairs) < mostSampled {
			pairs = append(pairs, pair)
		} else if i := random.IntN(seen); i < mostSampled { // reservoir sampling
			pairs[i] = pair
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	r.Sample = &Sample{Drawn: measured.Drawn}
	return pairs, nil
}

// keep decides which members of the groups are kept. If the plan may miss pairs, it measures on a
// sample how many.
func (r *Result) keep(ctx context.Context, groups *join.Groups, plan join.Plan, measure measure) (_ *Result, err error) {
	var sampled []join.Pair
	if plan.Tables > 0 {
		if sampled, err = r.sample(measure); err != nil {
			return nil, err
		}
	}
	set := &r.Records.Set
	root := ownCanonical(set.Len()) // the first member of the group of candidates
	for _, g := range groups.All() {
		for _, m := range g.Members {
			root[m] = g.Members[0]
		}
	}
	order, err := r.order(ctx, root)
	if err != nil {
		return r, err
	}
	canonical, similarity := root, []float32(nil)
	switch {
	case r.Verify != nil:
		if err = r.load(ctx, groups, sampled); err == nil {
			canonical, similarity, err = r.selectVerified(ctx, groups, order)
		}
	case r.By == First:
		canonical, err = groups.First(ctx, order, r.oldPositions())
	default:
		r.keepComponents(groups, canonical, order)
	}
	if err == nil && r.Sample != nil {
		err = r.countSample(sampled, root)
	}
	if err == nil {
		r.Groups = newGroups(set, canonical, similarity)
	}
	return r, err
}

// oldPositions returns how many fingerprints of the set are of old records.
func (r *Result) oldPositions() int {
	position, _ := r.Records.position(uint64(r.Old))
	return int(position)
}

// keepComponents sets of whom each record is a duplicate: of the first member of its group. Old
// records are kept.
func (r *Result) keepComponents(groups *join.Groups, canonical []uint32, order func(a, b uint32) int) {
	old := uint32(r.oldPositions())
	for _, g := range groups.All() {
		first := g.Members[0]
		if order != nil {
			first = slices.MinFunc(g.Members, order)
		}
		for _, m := range g.Members {
			canonical[m] = first
			if m < old {
				canonical[m] = m
			}
		}
	}
}

// countSample counts the similar pairs of the sample, and those in one group of candidates.
func (r *Result) countSample(sampled []join.Pair, root []uint32) error {
	for _, p := range sampled {
		similar := true
		if r.Verify != nil {
			var err error
			if _, similar, err = r.Verify.Compare(p.A, p.B); err != nil {
				return err
			}
		}
		if !similar {
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

// Canonical returns the position of the record that the one at a position is a duplicate of: its
// own if it is kept.
func (r *Result) Canonical(position int) int { return int(r.Groups.canonical[position]) }

// Dropped returns how many records are to be dropped.
func (r *Result) Dropped() int {
	n := 0
	for i := range r.Records.Set.Len() {
		if r.IsDropped(i) {
			n++
		}
	}
	return n
}

// DroppedForOld returns how many of these are duplicates of an old record.
func (r *Result) DroppedForOld() int {
	n, old := 0, uint32(r.oldPositions())
	for i := range r.Records.Set.Len() {
		if r.IsDropped(i) && r.Groups.canonical[i] < old {
			n++
		}
	}
	return n
}
