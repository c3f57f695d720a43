package dedup

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"simhashkit/fphash"
	"simhashkit/fphash/index/join"
)

// The ways to deduplicate.
const (
	// Components joins records by chains of near pairs; the first of each group is kept, or the
	// preferred one.
	Components = "components"
	// First keeps a record unless one before it that is kept is near.
	First = "first"
)

// Ways lists the ways to deduplicate.
func Ways() []string { return []string{Components, First} }

// DefaultK returns the threshold for fingerprints of that many bits: 3 of 64, and in proportion for
// other widths, rounded down, which finds about as much. By MinHash it is 10 of 64, a sixth: sets
// of Jaccard similarity 0.7 differ in 0.15 of the bits and mostly pass; strangers differ in half.
func DefaultK(sketch fphash.Sketch, bits int) int {
	if sketch == fphash.MinHash {
		return bits / 6
	}
	return bits * 3 / 64
}

// Options says what near-duplicates are, and which of them to keep.
type Options struct {
	K  int    // near are fingerprints that differ in at most K bits
	By string // Components or First; not asked with Against, unless Among

	// Against, if it is there, is what records are compared with in place of each other: those near
	// one of it are dropped.
	Against *Records
	// Among has those with each other compared, too, that are near none of Against: of each group
	// one is kept. It goes with no Verify.
	Among bool

	// Recall, if above 0, is which share of the pairs that differ in K bits is enough, where a
	// search that finds all costs more.
	Recall float64

	// Verify, if it is there, says of near records whether they are alike, too: those that are not
	// count for nothing. What is dropped was verified beside what is kept for it, so By is First.
	Verify Verifier

	// Prefer says which record of a group is kept; nil: the first. With First, records come in that
	// order of preference. It goes with no Against.
	Prefer *Preference

	Workers  int                // goroutines; 0 is their default
	Progress func(done float64) // told from 0 to 1 how much is done; may be nil
	Explain  func(join.Plan)    // told before the work how it will be done; may be nil
}

// Result is which records are near-duplicates.
type Result struct {
	Options
	Records *Records
	Groups  *Groups // nil with Against
	Check   Check
	Sampled *Sampled // nil: no pair is missed

	external *join.External // of FindExternal

	near  []bool // with Against: by position in the set
	among int    // of these, near others of the set alone

	matches map[uint32]Match // by position, after FindAgainst
}

// Find finds the near-duplicates among the records.
func Find(ctx context.Context, records *Records, options Options) (*Result, error) {
	r := &Result{Options: options, Records: records}
	if err := r.refuse(); err != nil {
		return nil, err
	}
	if err := r.explain(ctx); err != nil {
		return nil, err
	}
	var err error
	switch {
	case options.Against != nil:
		err = r.findAgainst(ctx)
	default:
		err = r.find(ctx)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// explain tells how the pairs will be found.
func (r *Result) explain(ctx context.Context) error {
	if r.Explain == nil {
		return nil
	}
	plan, err := r.plan(ctx)
	if err == nil {
		r.Explain(plan)
	}
	return err
}

// refuse returns why the options do not go with the records, if they do not.
func (r *Result) refuse() error {
	if r.By != "" && !slices.Contains(Ways(), r.By) {
		return fmt.Errorf("dedup: by %q, expected one of %q", r.By, Ways())
	}
	if r.Records.Set.Bits < 1 {
		return fmt.Errorf("%s: there are no fingerprints", r.Records.Name)
	}
	if bits := r.Records.Set.Bits; r.K < 0 || r.K >= bits {
		return fmt.Errorf("dedup: k = %d, expected 0 to %d: fingerprints have %d bits", r.K, bits-1, bits)
	}
	if r.Among && (r.Against == nil || r.Verify != nil) {
		return errors.New("dedup: records compared among themselves, too, expected Against with it, and nothing to verify")
	}
	if r.Verify != nil && r.By == Components {
		return fmt.Errorf("dedup: by %s, expected %s: what is dropped is verified beside what is kept, and not by a chain", r.By, First)
	}
	if r.Prefer != nil && r.Against != nil {
		return errors.New("dedup: a preference is expected only without Against, where no record is kept for another")
	}
	if r.Against != nil {
		if err := r.Records.Set.Comparable(&r.Against.Set); err != nil {
			return fmt.Errorf("%s and %s: %w", r.Records.Name, r.Against.Name, err)
		}
	}
	return nil
}

// join returns the join that finds the pairs.
func (r *Result) join() *join.Join {
	j := &join.Join{Set: &r.Records.Set, K: r.K, Recall: r.Recall, Workers: r.Workers, Progress: r.Progress}
	if r.Against != nil {
		j.Against = &r.Against.Set
	}
	return j
}

func (r *Result) plan(ctx context.Context) (join.Plan, error) {
	if r.external != nil {
		return r.external.Plan(ctx)
	}
	return r.join().Plan()
}

func (r *Result) find(ctx context.Context) error {
	components, err := r.join().Groups(ctx)
	if err != nil {
		return err
	}
	return r.keep(ctx, components)
}

// keep says which members of the groups are to be kept.
func (r *Result) keep(ctx context.Context, components *join.Groups) error {
	set := &r.Records.Set
	canonical := ownCanonical(set.Len())
	for _, g := range components.All() {
		for _, m := range g.Members {
			canonical[m] = g.Members[0]
		}
	}
	if err := r.measure(ctx, func(a, b int) bool { return canonical[a] == canonical[b] }); err != nil {
		return err
	}
	order, err := r.order(ctx, canonical)
	switch {
	case err != nil:
	case r.Verify != nil:
		canonical, err = r.firstVerified(ctx, components, order)
	case r.By == First:
		canonical, err = components.First(ctx, order)
	}
	if err != nil {
		return err
	}
	r.Groups = newGroups(set, canonical, order)
	return nil
}

func (r *Result) findAgainst(ctx context.Context) error {
	r.near = make([]bool, r.Records.Set.Len())
	if r.Verify != nil {
		return r.findAgainstVerified(ctx)
	}
	for p, err := range r.Pairs(ctx) {
		if err != nil {
			return err
		}
		position, _ := r.Records.position(p.A)
		r.near[position] = true
	}
	if err := r.measure(ctx, func(a, _ int) bool { return r.near[a] }); err != nil {
		return err
	}
	if r.Among {
		return r.findAmong(ctx)
	}
	return nil
}

// dropped reports whether the record at a position of the set is to be dropped.
func (r *Result) dropped(position uint32) bool {
	if r.near != nil {
		return r.near[position]
	}
	return r.Groups.canonical[position] != position
}

// IsDropped reports whether the record at a position of the set is to be dropped.
func (r *Result) IsDropped(position int) bool { return r.dropped(uint32(position)) }

// Dropped returns how many records are to be dropped.
func (r *Result) Dropped() int {
	n := 0
	for i := range r.Records.Set.Len() {
		if r.dropped(uint32(i)) {
			n++
		}
	}
	return n
}
