package page

import (
	"testing"

	"simhashkit/bench/gobench/resultfile"
)

func TestTable(t *testing.T) {
	row := func(name string, value float64) resultfile.Row {
		return resultfile.Row{Name: name, Unit: "cycles/nnz", Samples: []resultfile.Sample{{Iterations: 1, Value: value}}}
	}
	file := resultfile.File{Rows: []resultfile.Row{
		row("Cycles/op=md5/kernel=generic/processor=a/n=loop", 1001), row("Cycles/op=md5/kernel=neon/processor=a/n=loop", 500.5),
		row("Cycles/op=f32/kernel=generic/processor=a/n=loop", 12), row("Cycles/op=f32/kernel=neon/processor=a/n=loop", 4),
		row("Cycles/op=unit/kernel=generic/processor=a/n=loop", 1), row("Cycles/op=f32/kernel=neon/processor=a/nnz=100", 7),
	}}
	got, err := loops.table(file)
	want := "| cycles | a |\n| --- | ---: |\n| unit `generic` | 1 |\n| f32 `generic` | 12 |\n| f32 `neon` | 4 (3.0×) |\n| md5 `generic` | 1001 |\n| md5 `neon` | 500 (2.0×) |\n"
	if err != nil || got != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	if _, err := loops.table(resultfile.File{}); err == nil {
		t.Error("a table of nothing")
	}
}
