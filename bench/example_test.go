package bench_test

import (
	"context"
	"fmt"
	"log"
	"regexp"
	"time"

	"simhashkit/bench"
	"simhashkit/internal/bench/terms"
)

// This example selects two cases and runs them.
func Example() {
	plan, err := bench.NewPlan(bench.Options{
		Kernels: []string{terms.Naive, "generic"},
		Match:   regexp.MustCompile("^Accumulate/weights=f32/f=64/.*nnz=100$"),
	})
	if err != nil {
		log.Fatal(err)
	}
	rows, err := plan.Run(context.Background(), nil, bench.RunOptions{Samples: 3, SampleTime: time.Millisecond})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range rows {
		fmt.Println(r.Name, len(r.Samples), "samples in", r.Unit)
	}
	// Output:
	// Accumulate/weights=f32/f=64/kernel=naive/nnz=100 3 samples in ns/nnz
	// Accumulate/weights=f32/f=64/kernel=generic/nnz=100 3 samples in ns/nnz
}
