package samples

import (
	"slices"
	"testing"
)

// A value of 0 has the same unit as the others. Lines that do not parse are not results.
func TestResults(t *testing.T) {
	var reader Reader
	var values []float64
	for r := range reader.Results([]byte("Unit ns/op better=lower\nBenchmarkX 1 0 ns/op\nBenchmarkX 1 oops ns/op\nBenchmarkX 1 1 ns/op\n")) {
		if r.Values[0].Unit != "sec/op" || r.Iters != 1 {
			t.Errorf("%+v", r)
		}
		values = append(values, r.Values[0].OrigValue)
	}
	direction, ok := reader.Better("sec/op")
	if !slices.Equal(values, []float64{0, 1}) || direction != -1 || !ok || reader.Exact("sec/op") {
		t.Errorf("%v, direction %v, %v", values, direction, ok)
	}
}

func TestHead(t *testing.T) {
	d, err := NewDocument([]byte("\xef\xbb\xbf# date: today\n# error: X: wrong\n# date: later\nBenchmarkY 1 2 ns/op\nPASS\n"), "a.txt")
	if err != nil || d.Value("date") != "today" || d.Value("absent") != "" || len(d.Failures) != 1 || d.Failures[0] != (Failure{2, "X: wrong"}) {
		t.Errorf("%+v, %v", d, err)
	}
	if d.Runs() != 4 || d.Run(2) != 1 || d.Run(4) != 2 {
		t.Errorf("%d runs; lines 2 and 4 belong to %d and %d", d.Runs(), d.Run(2), d.Run(4))
	}
}
