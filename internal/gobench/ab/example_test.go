package ab_test

import (
	"context"
	"fmt"

	"simhashkit/internal/gobench/ab"
)

// Any function that runs a process can be a side. These functions only simulate a process.
func ExampleRun() {
	side := func(ns int) ab.Runner {
		return func(context.Context) ([]byte, error) {
			return fmt.Appendf(nil, "BenchmarkParse 1000 %d ns/op\n", ns), nil
		}
	}
	result, err := ab.Run(context.Background(), []ab.Task{{Name: "BenchmarkParse", Sides: [2]ab.Runner{side(100), side(120)}}}, ab.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	row := result.Report.Tables[0].Rows[0]
	fmt.Printf("%s: %+.0f%%, %s\n", row.Name, 100*row.Effect.Change, row.Verdict)
	// Output: Parse: +20%, REGRESSION
}
