package advice

import (
	"fmt"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
)

// Noise warns of a run with many uncertain medians, but not of a steady run.
func TestNoise(t *testing.T) {
	steady := func(n int) (r results) {
		for i := range n {
			r.times(fmt.Sprintf("Hash/hash=a/encoding=le64/kernel=generic/n=%d", i), "ns/key", 2)
		}
		return r
	}
	jumpy := func(r results) results {
		r.samples("Hash/hash=b/encoding=le64/kernel=generic/n=8", "ns/key", 2, 8, 0.9)
		return r
	}
	for _, tc := range []struct {
		name string
		rows results
		want string
	}{
		{"steady", steady(30), ""},
		{"one of thirty", jumpy(steady(30)), ""},
		{"one of ten", jumpy(steady(9)), "Noisy: 1 of 10 medians are uncertain by more than 25%, Hash/hash=b/encoding=le64/kernel=generic/n=8 by "},
		{"two samples", results{{Name: "Hash/hash=a/n=8", Unit: "ns/key", Samples: []resultfile.Sample{{Value: 1}, {Value: 9}}}}, ""},
	} {
		got := Noise(resultfile.Summarize(tc.rows))
		if tc.want == "" && got != "" || !strings.HasPrefix(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}
