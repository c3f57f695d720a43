package dedup

import (
	"context"
	"iter"
	"slices"

	"simhashkit/fphash/index/join"
)

// Verifier says how alike near records are by what their fingerprints were made of: Vectors or
// Texts.
type Verifier interface {
	Figure() string // the name of what is measured, such as "cosine"
	String() string // of the figure and what is asked of it, for people

	// Load is told of which records Compare may be asked, by their ascending numbers, and of which
	// of Against.
	Load(ctx context.Context, records, against []uint64) error

	// Compare returns the figure of a record beside another one, which is kept and is one of
	// Against if there is one, and whether the figure is what is asked for.
	Compare(record, kept uint64) (figure float64, verified bool, err error)
}

// Check counts the records that are within k of one that is kept, and of these the Verified ones,
// which are dropped.
type Check struct{ Near, Verified int }

// Pair is two near records by their numbers; B is one of Against if there is one.
type Pair struct {
	join.Pair
	Figure float64 // of the Verifier; 0 without one
}

// Pairs returns all pairs of near records, each once; with Verify those alone that it has verified.
func (r *Result) Pairs(ctx context.Context) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		for found, err := range r.join().Pairs(ctx) {
			p, verified := Pair{Pair: found}, true
			switch {
			case err != nil || r.Verify == nil:
			case r.Against != nil:
				p.Figure, verified, err = r.Verify.Compare(p.A, p.B)
			default: // A comes first and is kept, if one of them is
				p.Figure, verified, err = r.Verify.Compare(p.B, p.A)
			}
			if err == nil && !verified {
				continue
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// loadGroups loads the records of groups.
func (r *Result) loadGroups(ctx context.Context, groups *join.Groups) error {
	var records []uint64
	for _, g := range groups.All() {
		for _, m := range g.Members {
			records = append(records, r.Records.Set.ID(int(m)))
		}
	}
	slices.Sort(records)
	return r.Verify.Load(ctx, records, nil)
}

// firstVerified returns of whom each record is a duplicate, by its position: in their order, a
// record is kept unless one of those that were kept is within k and Verify holds both alike. Order,
// if there is one, compares positions, and members of a group come in that order instead.
//
// Each member of a group is compared with those that were kept of its group, until one is alike.
func (r *Result) firstVerified(ctx context.Context, groups *join.Groups, order func(a, b uint32) int) ([]uint32, error) {
	r.By = First
	if err := r.loadGroups(ctx, groups); err != nil {
		return nil, err
	}
	canonical := ownCanonical(r.Records.Set.Len())
	var kept []uint32
	for _, g := range groups.All() {
		kept = kept[:0]
		members := g.Members
		if order != nil {
			members = slices.SortedFunc(slices.Values(members), order)
		}
		for _, m := range members {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			var err error
			if canonical[m], err = r.duplicateOf(m, kept); err != nil {
				return nil, err
			}
			if canonical[m] == m {
				kept = append(kept, m)
			}
		}
	}
	return canonical, nil
}

// duplicateOf returns the first of those that were kept of which a record is a duplicate, or the
// record itself.
func (r *Result) duplicateOf(position uint32, kept []uint32) (uint32, error) {
	set := &r.Records.Set
	near := false
	for _, other := range kept {
		if set.Distance(int(position), set, int(other)) > r.K {
			continue
		}
		if !near {
			near = true
			r.Check.Near++
		}
		_, verified, err := r.Verify.Compare(set.ID(int(position)), set.ID(int(other)))
		if err != nil {
			return 0, err
		}
		if verified {
			r.Check.Verified++
			return other, nil
		}
	}
	return position, nil
}

// findAgainstVerified finds the records that are near one of Against and that Verify holds alike.
func (r *Result) findAgainstVerified(ctx context.Context) error {
	near, against := make([]bool, r.Records.Len()), make([]bool, r.Against.Len())
	for p, err := range r.join().Pairs(ctx) {
		if err != nil {
			return err
		}
		near[p.A], against[p.B] = true, true
	}
	set := &r.Records.Set
	if err := r.measure(ctx, func(a, _ int) bool { return near[set.ID(a)] }); err != nil {
		return err
	}
	records := numbersOf(near)
	r.Check.Near = len(records)
	if err := r.Verify.Load(ctx, records, numbersOf(against)); err != nil {
		return err
	}
	for p, err := range r.join().Pairs(ctx) {
		if err != nil {
			return err
		}
		position, _ := r.Records.position(p.A)
		if r.near[position] {
			continue
		}
		var err error
		if _, r.near[position], err = r.Verify.Compare(p.A, p.B); err != nil {
			return err
		}
		if r.near[position] {
			r.Check.Verified++
		}
	}
	return nil
}

// numbersOf returns the places of what is true.
func numbersOf(list []bool) (numbers []uint64) {
	for i, is := range list {
		if is {
			numbers = append(numbers, uint64(i))
		}
	}
	return numbers
}
