package compare_test

import (
	"fmt"
	"log"

	"simhashkit/bench/gobench/compare"
)

// Figures without noise are declared exact. Any change for the worse is then a regression.
func Example() {
	old := "Unit recall assume=exact better=higher\nBenchmarkSearch/k=3 1 0.999 recall\nBenchmarkSearch/k=6 1 0.97 recall\n"
	new := "BenchmarkSearch/k=3 1 0.998 recall\n"
	report, err := compare.Compare([]compare.Input{
		{Label: "old", Name: "old.txt", Text: []byte(old)},
		{Label: "new", Name: "new.txt", Text: []byte(new)},
	}, compare.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, table := range report.Tables {
		for _, row := range table.Rows {
			fmt.Println(row.Name, row.Verdict)
		}
	}
	for _, gap := range report.Gaps {
		fmt.Println(gap)
	}
	// Output:
	// Search/k=3 REGRESSION
	// Search/k=6 missing
	// old.txt:3: missing: Search/k=6 is missing in new (recall)
}
