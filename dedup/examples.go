package dedup

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// Example is a record that is dropped, and the one that is kept for it, by their numbers.
type Example struct {
	Dropped, Kept int
	Distance      int // in bits
}

// Examples returns up to n of the records that are dropped, with those that are kept for them, by
// rising distance: as evenly spread over the distances that occur as these allow, the nearest and
// the farthest among them, and of each distance drawn at random, the same in each run. There are
// none with Against.
func (r *Result) Examples(n int) []Example {
	if r.Groups == nil || n <= 0 {
		return nil
	}
	drawn := map[int][]Example{} // by distance, in random order
	seen := map[int]int{}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range r.Groups.canonical {
		position := uint32(i)
		if !r.dropped(position) {
			continue
		}
		e := Example{r.Records.record(position), r.Records.record(r.Groups.canonical[position]), r.Groups.distance(position)}
		list := drawn[e.Distance]
		seen[e.Distance]++
		switch at := random.IntN(seen[e.Distance]); { // a reservoir (Vitter 1985)
		case len(list) < n:
			drawn[e.Distance] = append(list, e)
		case at < n:
			list[at] = e
		}
	}
	distances := make([]int, 0, len(drawn))
	for d := range drawn {
		distances = append(distances, d)
	}
	slices.Sort(distances)
	if len(distances) > n {
		distances = spread(distances, n)
	}
	slices.Reverse(distances) // where not all have the same share, the farther have more
	var examples []Example
	for round := 0; round < n && len(examples) < n; round++ {
		for _, d := range distances {
			if list := drawn[d]; round < len(list) && len(examples) < n {
				examples = append(examples, list[round])
			}
		}
	}
	slices.SortStableFunc(examples, func(a, b Example) int {
		return cmp.Or(a.Distance-b.Distance, a.Dropped-b.Dropped)
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
