package table

import (
	"fmt"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
)

// A run that is worth nothing says so below its tables; one that is as it should be says nothing.
func TestDoubts(t *testing.T) {
	steady := func(n int) (list []resultfile.Row) {
		for i := range n {
			list = append(list, row(fmt.Sprintf("Hash/hash=a/encoding=le64/kernel=generic/n=%d", i), "ns/key", 2))
		}
		return list
	}
	jumpy := row("Hash/hash=b/encoding=le64/kernel=generic/n=8", "ns/key", 2)
	for i := range jumpy.Samples {
		jumpy.Samples[i].Value *= 1 + float64(i%4)
	}
	for _, tc := range []struct {
		name string
		rows []resultfile.Row
		want string
	}{
		{"steady", steady(30), ""},
		{"one of thirty", append(steady(30), jumpy), ""},
		{"one of ten", append(steady(9), jumpy), "Noisy: 1 of 10 medians are uncertain by more than 25%, Hash/hash=b/encoding=le64/kernel=generic/n=8 by 6"},
		{"two samples", []resultfile.Row{{Name: "Hash/hash=a/n=8", Unit: "ns/key", Samples: []resultfile.Sample{{Value: 1}, {Value: 9}}}}, ""},
	} {
		got := strings.ReplaceAll(doubts(resultfile.Summarize(tc.rows)), "\n", " ")
		if tc.want == "" && got != "" || !strings.HasPrefix(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
		for line := range strings.SplitSeq(doubts(resultfile.Summarize(tc.rows)), "\n") {
			if len(line) > verdictWidth {
				t.Errorf("%s: longer than %d: %s", tc.name, verdictWidth, line)
			}
		}
	}
}
