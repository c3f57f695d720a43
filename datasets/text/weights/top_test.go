package weights

import (
	"strings"
	"testing"
)

func TestTop(t *testing.T) {
	v := Vector{fields("a b c d"), []float64{1, -3, 3, 2}}
	var got []string
	for _, k := range v.Top(3) {
		got = append(got, string(k.Feature))
	}
	if strings.Join(got, " ") != "b c d" || len(v.Top(9)) != 4 || len(v.Top(0)) != 0 {
		t.Errorf("%q", got)
	}
}
