package paired_test

import (
	"fmt"
	"math/rand/v2"

	"simhashkit/internal/gobench/paired"
)

// New is 6% slower, and both vary by 3% from run to run.
func Example() {
	random := rand.New(rand.NewPCG(1, 1))
	run := func(nanoseconds float64) float64 { return nanoseconds * (1 + 0.03*random.NormFloat64()) }

	test := paired.New(paired.Options{Threshold: 0.03, Alpha: 0.02})
	var figures paired.Figures
	for round := range 100 {
		figures.Add(run(100), run(106)) // in random order
		if f, decided := test.Look(figures); decided {
			fmt.Printf("after %d rounds: %+.1f%% (%+.1f%% to %+.1f%%), p=%.3f\n", round+1, 100*f.Change, 100*f.Lo, 100*f.Hi, f.P)
			return
		}
	}
	fmt.Printf("%+v\n", test.Last(figures))

	// Output: after 9 rounds: +5.5% (+2.8% to +10.0%), p=0.016
}
