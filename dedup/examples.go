package dedup

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"simhashkit/internal/english"
)

// Example is a record that is dropped, and the one that is kept for it, by their numbers.
type Example struct {
	Dropped, Kept int
	Distance      int     // in bits
	Similarity    float64 // 0 where nothing was verified
}

// Apart says how near both are.
func (e Example) Apart() string {
	if e.Similarity > 0 {
		return fmt.Sprintf("similarity %.2f", math.Floor(100*e.Similarity)/100)
	}
	return english.Count(e.Distance, "bit") + " apart"
}

// Examples returns up to n of the records that are dropped, with those that are kept for them, the
// most similar first. They are spread over the similarities that occur, or over the distances where
// nothing was verified, the largest and the least among them.
func (r *Result) Examples(n int) []Example {
	if n <= 0 {
		return nil
	}
	byRank := map[int][]Example{} // the first n of each hundredth of similarity, or of each distance
	for i := range r.Groups.canonical {
		position := uint32(i)
		if !r.dropped(position) {
			continue
		}
		e := Example{Dropped: r.Records.record(position), Kept: r.Records.record(r.Groups.canonical[position]), Distance: r.Groups.distance(position)}
		rank := e.Distance
		if r.Groups.similarity != nil {
			e.Similarity = float64(r.Groups.similarity[position])
			rank = 100 - int(100*e.Similarity)
		}
		if len(byRank[rank]) < n {
			byRank[rank] = append(byRank[rank], e)
		}
	}
	ranks := slices.Sorted(maps.Keys(byRank))
	if len(ranks) > n {
		ranks = spread(ranks, n)
	}
	slices.Reverse(ranks) // where not all have the same share, the less similar have more
	var examples []Example
	for round := 0; round < n && len(examples) < n; round++ {
		for _, rank := range ranks {
			if list := byRank[rank]; round < len(list) && len(examples) < n {
				examples = append(examples, list[round])
			}
		}
	}
	slices.SortStableFunc(examples, func(a, b Example) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), a.Distance-b.Distance, a.Dropped-b.Dropped)
	})
	return examples
}

// spread returns n of more numbers, the last among them and, of two and more, the first.
func spread(all []int, n int) []int {
	if n == 1 {
		return all[len(all)-1:]
	}
	var list []int
	for i := range n {
		list = append(list, all[i*(len(all)-1)/(n-1)])
	}
	return list
}
