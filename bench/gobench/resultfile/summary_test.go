package resultfile

import (
	"testing"
)

func row(name string, values ...float64) Row {
	r := Row{Name: name, Unit: "ns/nnz"}
	for _, v := range values {
		r.Samples = append(r.Samples, Sample{Iterations: 1, Value: v})
	}
	return r
}

func TestSummarize(t *testing.T) {
	rows := Summarize([]Row{
		row("A/kernel=avx2/n=1", 5, 1, 3, 2, 4, 6, 7, 8, 9),
		row("A/kernel=avx2/n=2"),
		{Name: "A/kernel=avx2/n=3", Err: "wrong answer"},
		row("somebody's", 1),
		{Name: "A/n=4", Skipped: "too large"},
	})
	if r := rows[0]; r.Median != 5 || r.Lo > 3 || r.Hi < 7 || r.Err != "" || r.Name.Get("kernel") != "avx2" {
		t.Errorf("%+v", r)
	}
	if rows[1].Err != "no samples" || rows[2].Err != "wrong answer" || rows[3].Name.String() != "somebody's" {
		t.Errorf("%+v", rows[1:])
	}
	if !rows[4].Skipped || rows[4].Err != "too large" || rows[2].Skipped {
		t.Errorf("%+v, want one that was skipped", rows[4])
	}
	if got := rows[3].PlusMinus(); got != "∞" {
		t.Errorf("interval of one sample: %q", got)
	}
}
