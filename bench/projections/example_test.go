package projections_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"regexp"
	"time"

	"simhashkit/bench/projections"
)

// Cases are data: list them, run them, look at the rows. What does not fit into memory says so.
func Example() {
	cases, err := projections.Grid(projections.Options{Dimensions: []uint64{1_000_000}, NNZ: []int{100}, Match: regexp.MustCompile("D=1000000/nnz=")})
	if err != nil {
		log.Fatal(err)
	}
	rows, err := projections.Run(context.Background(), cases, projections.RunOptions{
		Config:  projections.Config{MemoryLimit: 100e6},
		Samples: 6, SampleTime: 10 * time.Microsecond, Pairs: 100, Keyings: 2,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range rows {
		fmt.Printf("%s: %d bytes, %d samples\n", r.Method, r.TableBytes, len(r.Samples))
		if r.Skipped != "" {
			fmt.Println(r.Skipped)
		}
	}
	// Output:
	// gaussian: 256000000 bytes, 0 samples
	// projections: beyond the memory limit: 64 bits × 1000000 dimensions take 256 MB, 100 MB are allowed
	// rademacher: 8000000 bytes, 6 samples
	// hash-per-bit: 512 bytes, 6 samples
	// hash-per-index: 8 bytes, 6 samples
}

// One method by itself.
func ExampleNew() {
	m, err := projections.New(projections.Gaussian, 64, projections.Config{})
	if err != nil {
		log.Fatal(err)
	}
	if err := m.Prepare(10_000, 1); err != nil {
		log.Fatal(err)
	}
	a := m.Append(nil, []uint64{7, 42, 9_999}, []float32{1, 0.5, 2})
	b := m.Append(nil, []uint64{7, 42, 9_999}, []float32{10, 5, 20})
	fmt.Println("the length of a vector does not matter:", a[0] == b[0])
	fmt.Println(errors.Is(m.Prepare(100_000_000, 1), projections.ErrMemory))
	// Output:
	// the length of a vector does not matter: true
	// true
}
