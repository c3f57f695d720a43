package summary

import (
	"testing"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
)

func row(name string, values ...float64) resultfile.Row {
	r := resultfile.Row{Name: name, Unit: "ns/nnz"}
	for _, v := range values {
		r.Samples = append(r.Samples, resultfile.Sample{Iterations: 1, Value: v})
	}
	return r
}

func TestRows(t *testing.T) {
	rows := Rows([]resultfile.Row{
		row("A/kernel=avx2/n=1", 5, 1, 3, 2, 4, 6, 7, 8, 9),
		row("A/kernel=avx2/n=2"),
		{Name: "A/kernel=avx2/n=3", Err: "wrong answer"},
		row("somebody's", 1),
		{Name: "A/n=4", Skipped: "too large"},
	})
	if r := rows[0]; r.Summary.Center != 5 || r.Summary.Lo > 3 || r.Summary.Hi < 7 || r.Err != "" || r.Name.Get("kernel") != "avx2" {
		t.Errorf("%+v", r)
	}
	if rows[1].Err != "no samples" || rows[2].Err != "wrong answer" || rows[3].Name.String() != "somebody's" {
		t.Errorf("%+v", rows[1:])
	}
	if !rows[4].Skipped || rows[4].Err != "too large" || rows[2].Skipped {
		t.Errorf("%+v, want one that was skipped", rows[4])
	}
	if got := rows[3].Interval(); got != "∞" {
		t.Errorf("interval of one sample: %q", got)
	}
}

// An op without a kernel at a tier uses the one below, never one above, and never a loop that is no
// tier.
func TestAtTier(t *testing.T) {
	rows := NewIndex(Rows([]resultfile.Row{
		row("A/kernel=naive/n=1", 9), row("A/kernel=generic/n=1", 3), row("A/kernel=avx512/n=1", 1),
		row("B/kernel=avx512/n=1", 1), row("C/n=1", 4),
	}))
	for name, want := range map[string]string{
		"A/kernel=avx512gfni/n=1": "A/kernel=avx512/n=1",
		"A/kernel=avx512/n=1":     "A/kernel=avx512/n=1",
		"A/kernel=avx2/n=1":       "A/kernel=generic/n=1",
		"A/kernel=generic/n=1":    "A/kernel=generic/n=1",
		"A/kernel=naive/n=1":      "A/kernel=naive/n=1",
		"A/kernel=library/n=1":    "",
		"A/kernel=avx2/n=2":       "",
		"B/kernel=avx2/n=1":       "",
		"C/n=1":                   "C/n=1",
	} {
		parsed, err := benchname.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		r, ok := rows.AtTier(parsed, "ns/nnz")
		if ok != (want != "") || ok && r.Name.String() != want {
			t.Errorf("%s: %s, want %s", name, r.Name, want)
		}
	}
}

// One name has figures of several units, and a failure is one of all of them.
func TestIndexKnowsUnits(t *testing.T) {
	bytes := row("A/n=1", 64)
	bytes.Unit = "table-bytes"
	rows := NewIndex(Rows([]resultfile.Row{row("A/n=1", 3), bytes, {Name: "A/n=2", Err: "wrong"}}))
	name := func(s string) benchname.Name { return benchname.New("A", "n", s) }
	if r, ok := rows.Get(name("1"), "ns/nnz"); !ok || r.Summary.Center != 3 {
		t.Errorf("time %+v", r)
	}
	if r, ok := rows.Get(name("1"), "table-bytes"); !ok || r.Summary.Center != 64 {
		t.Errorf("bytes %+v", r)
	}
	if r, ok := rows.Get(name("2"), "ns/nnz"); !ok || r.Err != "wrong" {
		t.Errorf("failure %+v", r)
	}
	if _, ok := rows.Get(name("1"), "MB/s"); ok {
		t.Error("there is a row of a unit that there is not")
	}
}
