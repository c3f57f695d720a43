package table

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/resultfile"
)

// What go test -bench -benchmem prints has a column for each unit, also where a name is one of this
// kit's or a unit is.
func TestOrdinaryBenchmarks(t *testing.T) {
	rows := []resultfile.Row{
		row("Parse/size=1k-2", "ns/op", 812), row("Parse/size=1k-2", "B/op", 256), row("Parse/size=1k-2", "allocs/op", 4),
		row("Parse/size=1M-2", "ns/op", 969700), row("Parse/size=1M-2", "MB/s", 1200), row("Parse/size=1M-2", "B/op", 262144), row("Parse/size=1M-2", "allocs/op", 19),
		row("Hash/n=1-2", "ns/op", 3), row("Hash/n=1-2", "B/op", 0),
		row("Hash/hash=xxh64/encoding=le64/kernel=generic/n=1024", "ns/key", 1.04),
		{Name: "Broken", Err: "exit status 1"},
	}
	want := `Hash  hash=xxh64  encoding=le64  n=1024

  kernel   ns/key   ±  keys/s
─────────────────────────────
  generic   1.039  1%  962.7M

  benchmark        sec/op   ±     B/op   ±  allocs/op   ±      B/s   ±
──────────────────────────────────────────────────────────────────────
  Parse/size=1k-2  811.0n  1%    255.7  1%      3.995  1%
  Parse/size=1M-2  968.5µ  1%  255.7Ki  1%      18.98  1%  1.116Gi  1%
  Hash/n=1-2       2.996n  1%    0.000  0%

ERROR  Broken: exit status 1
`
	got := written(t, rows, 120)
	if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
