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
	"simhashkit/fphash/index/join"
	"simhashkit/results/measure/evidence"
)

// chunk is how many stored fingerprints a worker takes at a time: 64 MiB of them, as in the paper.
const chunk = 8 << 20

// rounds is how often what takes no minutes is measured.
const rounds = 5

// batches measures a batch of queries against a chunk of stored fingerprints, on one core and on
// all: every hundredth of the stored ones is within 3 bits of a query.
func (w *work) batches(ctx context.Context, queries int) error {
	r := rand.New(rand.NewPCG(1, 2))
	asked := &index.Set{Bits: 64, Words: make([]uint64, queries)}
	for i := range asked.Words {
		asked.Words[i] = r.Uint64()
	}
	stored := &index.Set{Bits: 64, Words: make([]uint64, chunk)}
	near := 0
	for i := range stored.Words {
		stored.Words[i] = r.Uint64()
		if i%100 == 0 {
			near++
			stored.Words[i] = asked.Words[r.IntN(queries)]
			for range 3 {
				stored.Words[i] ^= 1 << r.IntN(64)
			}
		}
	}
	for _, workers := range []int{1, runtime.GOMAXPROCS(0)} {
		fmt.Fprintf(w.progress, "%d queries against %d fingerprints, %d cores\n", queries, chunk, workers)
		name := benchname.New(evidence.Batch, append([]string{"by", "join", "queries", fmt.Sprint(queries)}, append(cores(workers), "n", fmt.Sprint(chunk))...)...).String()
		var times []float64
		for range rounds {
			found, begin := 0, time.Now()
			for _, err := range (&join.Join{Set: stored, Against: asked, K: 3, Workers: workers}).Pairs(ctx) {
				if err != nil {
					return err
				}
				found++
			}
			times = append(times, float64(time.Since(begin).Nanoseconds()))
			if found < near {
				return fmt.Errorf("%d pairs, expected those of %d fingerprints", found, near)
			}
		}
		slices.Sort(times)
		w.results.add(name, terms.NanosecondsPerOperation, times...)
	}
	return w.write()
}

// cores are the keys that say on how many cores something ran; one is the usual number.
func cores(n int) []string {
	if n == 1 {
		return nil
	}
	return []string{"cpus", fmt.Sprint(n)}
}
