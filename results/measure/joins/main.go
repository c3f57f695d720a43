// Command joins measures a join of made-up fingerprints, in memory or on disk. Each hundredth is
// near another: k bits away, or 2 where k is 3.
//
//	go -C results run ./measure/joins -n 1e9 -folder /var/tmp
//	go -C results run ./measure/joins -n 1e7 -bits 128 -k 21 -recall 0.95
package main

import (
	"context"
	"flag"
	"fmt"
	"iter"
	"os"
	"os/signal"
	"syscall"
	"time"

	"simhashkit/asm/cpu"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/join"
	"simhashkit/results/measure/memory"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "joins:", err)
		os.Exit(1)
	}
}

func run() error {
	f := flags{}
	n := flag.Float64("n", 1e9, "`fingerprints`")
	flag.IntVar(&f.bits, "bits", 64, "of each")
	flag.IntVar(&f.k, "k", 3, "bits in which pairs differ, at most")
	flag.IntVar(&f.near, "near", 0, "bits in which planted pairs differ; 0 is k, or 2 and 3 where k is 3")
	flag.Float64Var(&f.recall, "recall", 0, "share of the pairs that is enough; 0 is all")
	flag.Int64Var(&f.memory, "memory", 1<<30, "`bytes` that the join may take; 0 joins in memory")
	flag.StringVar(&f.folder, "folder", "", "`folder` for 8 bytes more than a fingerprint has, for each")
	flag.IntVar(&f.workers, "workers", 0, "goroutines; 0 means one a processor")
	write := flag.String("write", "", "`file` for the fingerprints as words of 64 bits, little endian, for other programs; then no join")
	flag.Parse()
	f.n = int(*n)
	if *write != "" {
		return f.write(*write)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	plan, pairs, err := f.join(ctx)
	if err != nil {
		return err
	}
	fmt.Print(plan)
	begin, used := time.Now(), userTime()
	found, planted := 0, 0
	for p, err := range pairs {
		if err != nil {
			return err
		}
		if found++; p.A+p.B == uint64(f.n-1) {
			planted++
		}
	}
	peak, _ := memory.Peak() // 0 where the system does not tell
	fmt.Printf("%d fingerprints of %d bits, k = %d, %s, kernel %s: %d pairs, %d of %d planted ones, in %v, user time %v; peak memory %d MB\n", f.n, f.bits, f.k, f.wanted(), cpu.Active(),
		found, planted, f.n/100, time.Since(begin).Round(time.Millisecond), (userTime() - used).Round(time.Millisecond), peak>>20)
	return nil
}

type flags struct {
	n, bits, k, near, workers int
	recall                    float64
	memory                    int64
	folder                    string
}

// wanted says which pairs are asked for.
func (f *flags) wanted() string {
	if f.recall == 0 {
		return "all pairs"
	}
	return fmt.Sprintf("recall %g", f.recall)
}

// join returns the pairs, and how they will be found.
func (f *flags) join(ctx context.Context) (plan join.Plan, pairs iter.Seq2[join.Pair, error], err error) {
	begin := time.Now()
	progress := func(done float64) {
		if int(done*1024)%64 == 0 {
			fmt.Fprintf(os.Stderr, "%.0f%% in %v\n", done*100, time.Since(begin).Round(time.Second))
		}
	}
	if f.memory > 0 {
		x := &join.External{Bits: f.bits, K: f.k, Recall: f.recall, Source: f.source(), Folder: f.folder, Memory: f.memory, Workers: f.workers, Progress: progress}
		plan, err = x.Plan(ctx)
		return plan, x.Pairs(ctx), err
	}
	set := &index.Set{Bits: f.bits}
	set.Words = make([]uint64, 0, f.n*set.Stride())
	for r := range f.source()() {
		set.Words = append(set.Words, r.Words...)
	}
	j := &join.Join{Set: set, K: f.k, Recall: f.recall, Workers: f.workers, Progress: progress}
	plan, err = j.Plan()
	begin = time.Now()
	return plan, j.Pairs(ctx), err
}

// userTime returns how long the processors have worked for this process so far.
func userTime() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano())
}
