package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"simhashkit/bench"
)

// group is what a benchmark is about: benchmarks are drawn from all groups alike, however many each
// has.
type group struct{ kind, kernel string }

// pick draws n benchmarks of the kit, such that every few of them in a row are of different kinds
// and kernels.
func pick(n int, seed uint64) ([]string, error) {
	groups, err := candidates()
	if err != nil {
		return nil, err
	}
	var order []group
	total := 0
	for g, names := range groups {
		order = append(order, g)
		total += len(names)
	}
	if total < n {
		return nil, fmt.Errorf("%d benchmarks are wanted, and there are %d", n, total)
	}
	slices.SortFunc(order, func(a, b group) int { return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.kernel, b.kernel)) })
	random := rand.New(rand.NewPCG(seed, 0x7069636b))
	random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for _, g := range order {
		names := groups[g]
		random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	}
	var chosen []string
	for i := 0; len(chosen) < n; i++ {
		for _, g := range order {
			if i < len(groups[g]) && len(chosen) < n {
				chosen = append(chosen, groups[g][i])
			}
		}
	}
	return chosen, nil
}

// candidates lists the benchmarks of which an operation takes at most a few milliseconds, but for
// batches of workers, and for those on a data set: a process takes longer to load it than all
// others take to prepare and measure.
func candidates() (map[group][]string, error) {
	groups := map[group][]string{}
	seen := map[string]bool{}
	for _, suite := range bench.Suites() {
		plan, err := bench.NewPlan(bench.Options{Suite: suite})
		if err != nil {
			return nil, err
		}
		for _, c := range plan.Cases {
			name := c.Name.String()
			long := c.Name.Get("cpus") != "" || c.Name.Get("queries") != "" && c.Name.Get("n") == "1000000"
			if seen[name] || long {
				continue
			}
			seen[name] = true
			g := group{c.Name.Base, c.Name.Get("kernel")}
			groups[g] = append(groups[g], "Benchmark"+name)
		}
	}
	return groups, nil
}
