// Command billion measures a join of more fingerprints than memory holds: made-up ones, of which
// each hundredth is within 3 bits of another.
//
//	go -C results run ./measure/billion -n 1000000000 -folder /var/tmp
package main

import (
	"context"
	"flag"
	"fmt"
	"iter"
	"os"
	"os/signal"
	"time"

	"simhashkit/asm/cpu"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/join"
	"simhashkit/results/measure/memory"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "billion:", err)
		os.Exit(1)
	}
}

func run() error {
	n := flag.Int("n", 1e9, "`fingerprints`")
	bound := flag.Int64("memory", 1<<30, "`bytes` that the join may take; 0 joins in memory")
	folder := flag.String("folder", "", "`folder` for 16 bytes a fingerprint")
	workers := flag.Int("workers", 0, "goroutines; 0 means one a processor")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	begin := time.Now()
	progress := func(done float64) {
		if int(done*1024)%64 == 0 {
			fmt.Fprintf(os.Stderr, "%.0f%% in %v\n", done*100, time.Since(begin).Round(time.Second))
		}
	}
	var pairs iter.Seq2[join.Pair, error]
	if *bound > 0 {
		x := join.External{Bits: 64, K: 3, Source: source(*n), Folder: *folder, Memory: *bound, Workers: *workers, Progress: progress}
		pairs = x.Pairs(ctx)
	} else {
		set := &index.Set{Bits: 64, Words: make([]uint64, *n)}
		for i := range set.Words {
			set.Words[i] = fingerprint(i, *n)
		}
		j := join.Join{Set: set, K: 3, Workers: *workers, Progress: progress}
		plan, err := j.Plan()
		if err != nil {
			return err
		}
		fmt.Print(plan)
		begin = time.Now()
		pairs = j.Pairs(ctx)
	}
	found := 0
	for _, err := range pairs {
		if err != nil {
			return err
		}
		found++
	}
	peak, _ := memory.Peak() // 0 where the system does not tell
	fmt.Printf("%d fingerprints, k = 3, kernel %s: %d pairs in %v; peak memory %d MB\n", *n, cpu.Active(), found, time.Since(begin).Round(time.Millisecond), peak>>20)
	return nil
}

// source has the fingerprints one after the other, with their numbers as ids.
func source(n int) func() iter.Seq2[join.Record, error] {
	return func() iter.Seq2[join.Record, error] {
		return func(yield func(join.Record, error) bool) {
			var words [1]uint64
			for i := range n {
				words[0] = fingerprint(i, n)
				if !yield(join.Record{ID: uint64(i), Words: words[:]}, nil) {
					return
				}
			}
		}
	}
}

// fingerprint returns number i of n: the last hundredth are 2 or 3 bits away from those at the
// beginning, or less if the same bit is drawn twice.
func fingerprint(i, n int) uint64 {
	of := n - 1 - i
	if of >= n/100 {
		return splitMix64(uint64(i))
	}
	r := splitMix64(uint64(of + n))
	x := splitMix64(uint64(of)) ^ 1<<(r&63) ^ 1<<(r>>8&63)
	if r>>30&1 == 1 {
		x ^= 1 << (r >> 16 & 63)
	}
	return x
}

// splitMix64 is the finaliser of SplitMix64.
func splitMix64(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
