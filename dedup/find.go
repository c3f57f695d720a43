package dedup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"slices"

	"simhashkit/datasets"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/similarity"
)

// Options defines near-duplicates and which of them to keep.
type Options struct {
	Spec

	// Old is the number of records of earlier runs. They come first and are always kept. The other
	// records are new.
	Old int
	// OldEmpty is the number of old records without a fingerprint.
	OldEmpty int

	// Unread is the number of old records, the last ones, of which only the fingerprints are known,
	// so the candidates for a new record among them count as similar to it. UnreadName is their
	// name, for the summary.
	Unread     int
	UnreadName string

	// Own has the old record that an earlier run of an update made of a new one, by the number of
	// the new one. A record is not a duplicate of its own old record. Own records must be the last
	// of the old ones.
	Own map[int]int

	// Texts or Vectors reads candidates again. A similarity requires those of its measure, and
	// WriteExamples requires Texts. Folder is for their temporary file; "" is the default of the
	// system.
	Texts   Reread[[]byte]
	Vectors Reread[*datasets.Row[float64]]
	Folder  string

	// Prefer determines which record of a group is kept: the first one with the largest value. It
	// reads the values of new records, numbered from 0, as numbers that big.Rat can parse. An empty
	// value means that the record has none; such records come last. If Prefer is nil, the first
	// record is kept. Old records always come before new ones. PreferName describes the preference
	// in messages, such as "the longest".
	Prefer     Reread[[]byte]
	PreferName string

	// External finds the candidates if the fingerprints do not fit into memory; nil: Records.Set
	// has them. Its Source yields the fingerprints of all informative records, with the record
	// numbers from 0 as ids. Records.Count was called for each record, and Records.Set.Bits is set.
	// Besides the memory of External, Find then needs 5 bytes for each record, and about 60 for
	// each record in a group.
	External *join.External

	Workers int // goroutines; 0: the default of package join

	Progress func(Progress) // called by one goroutine at a time; may be nil

	// For the summary; each may be "", and may be set in the Result.
	Kind    string // what a record is: document or vector; "" is record
	OldName string // the name of the old records
	WhyK    string // for fingerprints alone: the reason for K; "" if it was given
	Lead    string // the first sentence, such as the input that loses most of its records
	Sources string // which inputs lose most
	Lists   string // where the lists of records are; "" refers to --list
}

// Progress is the progress of a step.
type Progress struct {
	Step  string  // such as "reading"
	Done  float64 // finished share of the step, up to 1; 0 if unknown
	Count int     // finished units
	Unit  string  // such as "records"
}

// Result says which records are near-duplicates.
type Result struct {
	Options
	Records *Records

	// Recall is the share of the similar pairs that the search is expected to find at least; 1
	// without a similarity. It is the share of the pairs at exactly the required similarity.
	Recall float64

	groups   *groups
	sample   *sample   // nil if the search compared all pairs within K
	verifier *verifier // nil without a similarity
	limit    limit
}

// sample is the result of comparing some records, drawn at random, with all others. It measures the
// recall.
type sample struct {
	drawn int // records
	pairs int // similar pairs with a drawn record, a few for each record
	found int // pairs of these that the search put into one group
}

// Close removes the temporary file of a search with a similarity.
func (r *Result) Close() error {
	if r.verifier == nil {
		return nil
	}
	return r.verifier.close()
}

// Find finds the near-duplicates among the records. The caller closes the result.
func Find(ctx context.Context, records *Records, options Options) (*Result, error) {
	r, err := newResult(records, options)
	if err != nil {
		return nil, err
	}
	if err := r.find(ctx); err != nil {
		_ = r.Close() // the error of the search comes first
		return nil, err
	}
	return r, nil
}

func (r *Result) find(ctx context.Context) error {
	records := r.Records
	j, x := r.join(), r.External
	var err error
	var plan join.Plan
	if x == nil {
		plan, err = j.Plan()
	} else {
		x.Bits, x.K, x.Differ, x.Recall, x.Workers, x.Progress = records.Set.Bits, j.K, j.Differ, j.Recall, j.Workers, j.Progress
		plan, err = x.Plan(ctx)
	}
	if err != nil {
		return err
	}
	if r.Similarity > 0 {
		r.Recall = plan.Recall()
	}
	if x == nil {
		groups, err := j.Groups(ctx)
		if err != nil {
			return err
		}
		return r.keep(ctx, groups, plan, func(found func(a, b uint64)) (int, error) {
			return j.SamplePairs(ctx, func(a, b int) { found(records.Set.ID(a), records.Set.ID(b)) })
		})
	}
	groups, set, err := x.Groups(ctx)
	if err != nil {
		return err
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
	if r.limit, err = r.Spec.limit(records.Sketch(), records.Set.Bits); err != nil {
		return nil, err
	}
	ofTexts := r.Similarity > 0 && r.Measure != Cosine
	if (r.KeepNumbers || r.KeepNegations) && (!ofTexts || r.Unread > 0) {
		return nil, errors.New("dedup: KeepNumbers and KeepNegations require texts, also of old records")
	}
	if ofTexts && r.Texts == nil || r.Similarity > 0 && !ofTexts && r.Vectors == nil {
		return nil, errors.New("dedup: a similarity requires Texts or Vectors")
	}
	if r.Old < 0 || r.Old > records.Len() {
		return nil, fmt.Errorf("dedup: %d old records, expected 0 to %d, the number of records", r.Old, records.Len())
	}
	if r.Unread < 0 || r.Unread > r.Old {
		return nil, fmt.Errorf("dedup: Unread = %d, want 0 to %d, the number of old records", r.Unread, r.Old)
	}
	if r.Similarity > 0 {
		r.verifier = newVerifier(r.Spec, r.Folder)
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
		j.Progress = func(done float64) { r.tell("comparing fingerprints", done) }
	}
	return j
}

func (r *Result) tell(step string, done float64) {
	if r.Progress != nil {
		r.Progress(Progress{step, done, int(done * float64(r.Records.Len())), "records"})
	}
}

// measure draws a sample of the records, and calls found with some candidate pairs of each sampled
// record. The arguments are record numbers. It returns the number of sampled records.
type measure func(found func(a, b uint64)) (drawn int, err error)

// keep decides which members of the groups are kept. If the plan may miss pairs, keep also measures
// the recall on a sample.
func (r *Result) keep(ctx context.Context, groups *join.Groups, plan join.Plan, measure measure) error {
	var sampled []join.Pair
	if plan.Tables > 0 {
		drawn, err := measure(func(a, b uint64) { sampled = append(sampled, join.Pair{A: a, B: b}) })
		if err != nil {
			return err
		}
		r.sample = &sample{drawn: drawn}
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
		return err
	}
	kept := choices{canonical: ownCanonical(set.Len())}
	switch {
	case r.verifier != nil:
		if err = r.load(ctx, groups, sampled); err == nil {
			err = r.selectVerified(ctx, groups, order, &kept)
		}
		if err == nil && r.sample != nil {
			err = r.countSample(sampled, root)
		}
	case r.limit.first:
		kept.canonical, err = groups.First(ctx, order, r.oldPositions())
	default:
		r.keepComponents(groups, kept.canonical, order)
	}
	if err != nil {
		return err
	}
	for record, own := range r.Own {
		if p, ok := r.Records.position(uint64(record)); ok && r.Records.record(kept.canonical[p]) == own {
			kept.canonical[p] = p
		}
	}
	r.groups = newGroups(set, kept)
	return nil
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
		r.sample.pairs++
		a, inA := r.Records.position(p.A)
		b, inB := r.Records.position(p.B)
		if inA && inB && root[a] == root[b] {
			r.sample.found++
		}
	}
	return nil
}

// IsDropped reports whether the record at a position of the set is to be dropped.
func (r *Result) IsDropped(position int) bool { return r.Canonical(position) != position }

// Canonical returns the position of the record kept in place of the record at a position. It is the
// same position if that record is kept.
func (r *Result) Canonical(position int) int { return int(r.groups.canonical[position]) }

// SimilarityAt returns the similarity of the record at a position to the record kept in its place;
// 0 if that is unread, or if nothing was verified.
func (r *Result) SimilarityAt(position int) float32 {
	if r.groups.similarity == nil {
		return 0
	}
	return r.groups.similarity[position]
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
		if r.IsDropped(i) && r.groups.canonical[i] < old {
			n++
		}
	}
	return n
}

// groups are groups of near-duplicates. The canonical member of a group is the one that is kept.
type groups struct {
	choices
	set     *index.Set
	starts  []int    // by group: its first index in members; the last element is len(members)
	members []uint32 // positions
}

// choices say which record is kept in place of each one, by position.
type choices struct {
	canonical  []uint32
	similarity []float32                // to the canonical record; nil if nothing was verified
	differs    []similarity.Differences // from the canonical record; nil if nothing was verified
}

// ownCanonical returns a list in which each position is its own canonical position.
func ownCanonical(n int) []uint32 {
	list := make([]uint32, n)
	for i := range list {
		list[i] = uint32(i)
	}
	return list
}

// Groups yields the groups, each with the positions of its members, the kept one first.
func (r *Result) Groups() iter.Seq[[]uint32] {
	return func(yield func([]uint32) bool) {
		for i := range r.groups.number() {
			if !yield(r.groups.at(i)) {
				return
			}
		}
	}
}

// newGroups returns the groups in the order of their canonical members.
func newGroups(set *index.Set, kept choices) *groups {
	g := &groups{choices: kept, set: set, starts: []int{0}}
	sizes := make([]uint32, len(kept.canonical))
	for _, c := range kept.canonical {
		sizes[c]++
	}
	next := make([]int, len(sizes)) // by canonical member: where to put its next duplicate
	for i, size := range sizes {
		if size > 1 {
			next[i] = len(g.members) + 1
			g.members = append(g.members, uint32(i))
			g.members = slices.Grow(g.members, int(size-1))[:len(g.members)+int(size-1)]
			g.starts = append(g.starts, len(g.members))
		}
	}
	for i, c := range kept.canonical {
		if c != uint32(i) {
			g.members[next[c]] = uint32(i)
			next[c]++
		}
	}
	return g
}

// number returns the number of groups. Each has at least two members.
func (g *groups) number() int { return len(g.starts) - 1 }

// at returns the positions of the members of a group, the canonical one first.
func (g *groups) at(i int) []uint32 { return g.members[g.starts[i]:g.starts[i+1]] }

// distance returns the distance of a record to its canonical record.
func (g *groups) distance(position uint32) int {
	return g.set.Distance(int(position), g.set, int(g.canonical[position]))
}

// radius returns the largest distance of a member of a group to the canonical member.
func (g *groups) radius(i int) int {
	radius := 0
	for _, m := range g.at(i) {
		radius = max(radius, g.distance(m))
	}
	return radius
}

// leastSimilarity returns the least similarity of a member of a group to the canonical member; 0 if
// none is known.
func (g *groups) leastSimilarity(i int) float32 {
	least := float32(0)
	for _, m := range g.at(i)[1:] {
		if of := g.similarity[m]; of > 0 && (least == 0 || of < least) {
			least = of
		}
	}
	return least
}

// chains returns the number of groups with a member more than 2k bits from the canonical one. No
// record can be within k bits of both.
func (g *groups) chains(k int) int {
	n := 0
	for i := range g.number() {
		if g.radius(i) > 2*k {
			n++
		}
	}
	return n
}

// largest returns the numbers of the n largest groups, the largest first.
func (g *groups) largest(n int) []int {
	list := make([]int, g.number())
	for i := range list {
		list[i] = i
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Or(len(g.at(b))-len(g.at(a)), a-b) })
	return list[:min(n, len(list))]
}

// order returns a comparison of positions that sorts the members of a group by preference, old
// records first; nil means ascending positions. Records with the same root form a group.
func (r *Result) order(ctx context.Context, roots []uint32) (func(a, b uint32) int, error) {
	if r.Prefer == nil {
		return nil, nil
	}
	member := make([]bool, len(roots))
	for i, root := range roots {
		if root != uint32(i) {
			member[i], member[root] = true, true
		}
	}
	var records []uint64
	var positions []int
	old := r.oldPositions()
	for i := old; i < len(member); i++ {
		if member[i] {
			records = append(records, r.Records.Set.ID(i)-uint64(r.Old))
			positions = append(positions, i)
		}
	}
	of := make([]*big.Rat, len(roots))
	read, none := 0, true
	err := r.Prefer(ctx, records, func(record uint64, text []byte) error {
		if len(text) > 0 {
			value, ok := new(big.Rat).SetString(string(text))
			if !ok {
				return fmt.Errorf("dedup: the value %q of record %d: expected a number", text, record)
			}
			of[positions[read]], none = value, false
		}
		read++
		return nil
	})
	if err == nil && read != len(records) {
		err = fmt.Errorf("dedup: %d values of %d records", read, len(records))
	}
	if err == nil && none && len(records) > 0 {
		err = fmt.Errorf("to keep %s: expected at least one document in a group with a value, got none", r.PreferName)
	}
	if err != nil {
		return nil, err
	}
	return func(a, b uint32) int {
		if int(min(a, b)) < old {
			return cmp.Compare(a, b)
		}
		return cmp.Or(compareValues(of[b], of[a]), cmp.Compare(a, b))
	}, nil
}

// compareValues compares numbers; nil is less than any number.
func compareValues(a, b *big.Rat) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	return a.Cmp(b)
}
