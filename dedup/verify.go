package dedup

import (
	"context"
	"iter"

	"simhashkit/datasets"
	"simhashkit/fphash/index/join"
)

// Check says how many of the pairs within k have the wanted cosine.
type Check struct{ Found, Real int }

// Pair is two near records by their numbers; B is one of Against if there is one.
type Pair struct {
	join.Pair
	Cosine float64 // 0 if it was not asked for
}

// Pairs returns all pairs of near records, each once; with a Cosine those alone that have it, which
// the Check counts.
func (r *Result) Pairs(ctx context.Context) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		r.Check = Check{}
		for found, err := range r.join().Pairs(ctx) {
			p := Pair{Pair: found}
			if err == nil && r.Cosine > 0 {
				r.Check.Found++
				if p.Cosine = r.cosine(p.A, p.B); p.Cosine < r.Cosine {
					continue
				}
				r.Check.Real++
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// cosine returns that of the vectors of two records.
func (r *Result) cosine(a, b uint64) float64 {
	other := r.Records
	if r.Against != nil {
		other = r.Against
	}
	aIndices, aWeights := r.Records.Vectors.Row(int(a))
	bIndices, bWeights := other.Vectors.Row(int(b))
	return datasets.Cosine(aIndices, aWeights, bIndices, bWeights)
}

// findVerified finds the groups by the pairs that have the wanted cosine.
func (r *Result) findVerified(ctx context.Context) error {
	set := &r.Records.Set
	roots := ownCanonical(set.Len()) // a forest, in which parents stand before children
	find := func(i uint32) uint32 {
		for roots[i] != i {
			roots[i] = roots[roots[i]]
			i = roots[i]
		}
		return i
	}
	for p, err := range r.Pairs(ctx) {
		if err != nil {
			return err
		}
		a, _ := r.Records.position(p.A)
		b, _ := r.Records.position(p.B)
		a, b = find(a), find(b)
		roots[max(a, b)] = min(a, b)
	}
	for i := range roots {
		roots[i] = find(uint32(i))
	}
	order, err := r.order(ctx, roots)
	if err != nil {
		return err
	}
	r.Groups = newGroups(set, roots, order)
	if r.By != First {
		return nil
	}
	canonical, err := r.firstOfGroups(ctx)
	if err == nil {
		r.Groups = newGroups(set, canonical, order)
	}
	return err
}

// firstOfGroups keeps, of each group, a record unless one before it that is kept is near and has
// the wanted cosine.
func (r *Result) firstOfGroups(ctx context.Context) ([]uint32, error) {
	set := &r.Records.Set
	canonical := ownCanonical(set.Len())
	var kept []uint32
	for i := range r.Groups.Len() {
		kept = kept[:0]
	members:
		for _, m := range r.Groups.Members(i) {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			for _, first := range kept {
				if set.Distance(int(m), set, int(first)) <= r.K && r.cosine(set.ID(int(m)), set.ID(int(first))) >= r.Cosine {
					canonical[m] = first
					continue members
				}
			}
			kept = append(kept, m)
		}
	}
	return canonical, nil
}
