package bench

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
)

// Files say of each unit of their rows what there is to say.
func TestDescribe(t *testing.T) {
	rows := []resultfile.Row{{Name: "A", Unit: terms.NanosecondsPerKey}, {Name: "B", Unit: terms.Verdict}, {Name: "C", Unit: terms.NanosecondsPerKey}, {Name: "B", Unit: terms.Pairs}}
	want := []resultfile.Unit{{Name: terms.NanosecondsPerKey, Better: -1}, {Name: terms.Verdict, Exact: true, Better: +1}, {Name: terms.Pairs, Exact: true}}
	if diff := cmp.Diff(want, describe(rows, []string{terms.Verdict, terms.Pairs})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
