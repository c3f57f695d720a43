package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/terms"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/blocks"
	"simhashkit/results/measure/evidence"
)

// keys are as many as tables of 4 blocks have: 2^16, so that blocks of random fingerprints have the
// sizes that searches measures where there are 10^6 to 8*10^9 of them.
const keys = 1 << 16

// searches measures how long one core searches blocks of the sizes that ever more fingerprints
// give, among random ones, a million at a time or one block.
func (w *work) searches(ctx context.Context) error {
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	tables, err := blocks.New(64, 3, index.Design{})
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int64{1e6, 1e7, 1e8, 1e9, 8e9} {
		size := int(n / keys)
		list := make([][]uint64, max(1, 1_000_000/size))
		for i := range list {
			list[i] = make([]uint64, size)
			for j := range list[i] {
				list[i][j] = r.Uint64()&^0xffff | uint64(i)
			}
		}
		fmt.Fprintf(w.progress, "blocks of %d fingerprints\n", size)
		var times []float64
		for range rounds {
			begin := time.Now()
			for _, words := range list {
				for _, err := range tables.Pairs(ctx, 0, words) {
					if err != nil {
						return err
					}
				}
			}
			times = append(times, float64(time.Since(begin).Nanoseconds())/float64(len(list)))
		}
		slices.Sort(times)
		w.results.add(benchname.New(evidence.BlockSearch, "n", fmt.Sprint(size)).String(), terms.NanosecondsPerOperation, times...)
	}
	return w.write()
}
