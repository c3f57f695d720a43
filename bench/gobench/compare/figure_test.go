package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// What the columns show says the same as the change beside them, and as the verdict: sign and size.
func TestColumnsAgreeWithChange(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	compared := 0
	for i := range 400 {
		var texts [2]string
		shift := []float64{0, 0.01, -0.02, 0.3, -0.5}[i%5]
		for side := range texts {
			for range 1 + random.IntN(4) {
				texts[side] += "goos: linux\n"
				for range 6 + random.IntN(6) {
					value := 1000 * (1 + shift*float64(side)) * math.Exp(0.05*random.NormFloat64())
					if random.IntN(5) == 0 {
						value *= 1 + random.Float64() // a tail on one side
					}
					if i%7 == 0 {
						value -= 1000 // on both sides of zero
					}
					texts[side] += fmt.Sprintf("BenchmarkA 10 %v ns/op\n", value)
				}
			}
		}
		r, err := Compare([]Input{{"0", "0", strings.NewReader(texts[0])}, {"1", "1", strings.NewReader(texts[1])}}, Options{Rules: Rules{Accept: []GapKind{GapRuns}}})
		if err != nil {
			t.Fatal(err)
		}
		row := r.Tables[0].Rows[0]
		if !row.Verdict.Compared() {
			t.Fatalf("%+v", row)
		}
		compared++
		if got := Relative(row.Old.Median, row.New.Median); math.Abs(got-row.Effect.Change) > 1e-9*max(1, math.Abs(got)) {
			t.Errorf("case %d: %v to %v is a change of %v, and it says %v", i, row.Old.Median, row.New.Median, got, row.Effect.Change)
		}
		if worse := row.New.Median > row.Old.Median; row.Verdict == Regression && !worse || row.Verdict == Improvement && worse {
			t.Errorf("case %d: %v to %v is called %s", i, row.Old.Median, row.New.Median, row.Verdict)
		}
	}
	if compared != 400 {
		t.Errorf("%d cases compared", compared)
	}
}
