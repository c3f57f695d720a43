package dedup

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Where groups may hold strangers, the farthest of the largest and of the widest are shown; a
// largest group that is no wider than k is no reason.
func TestSuspects(t *testing.T) {
	chain := func(fingerprint uint64, step, members int) (list []uint64) {
		for i := range members {
			list = append(list, fingerprint^(1<<(i*step)-1))
		}
		return list
	}
	wide, large := chain(0, 2, 9), chain(0x9e3779b97f4a0000, 2, 6)
	for range 30 {
		large = append(large, large[1])
	}
	var narrow []uint64
	for range 60 {
		narrow = append(narrow, 0xdeadbeef<<30)
	}
	for _, c := range []struct {
		groups [][]uint64
		want   []Example
		shown  string
	}{
		{[][]uint64{wide}, []Example{{8, 0, 16}}, "In the largest group, 16 bits apart:\n    1  text 0\n    9  text 8\n\n"},
		{[][]uint64{wide, narrow}, []Example{{8, 0, 16}}, "In the widest group, 16 bits apart:\n    1  text 0\n    9  text 8\n\n"},
		{[][]uint64{large, wide}, []Example{{5, 0, 10}, {44, 36, 16}}, "In the largest group, 10 bits apart:\n    1  text 0\n    6  text 5\nIn the widest group, 16 bits apart:\n    37  text 36\n    45  text 44\n\n"},
		{[][]uint64{narrow}, nil, ""},
	} {
		records, texts := &Records{Name: "x"}, map[int]string{}
		records.Set.Bits = 64
		for _, group := range c.groups {
			for _, fingerprint := range group {
				texts[records.Len()] = fmt.Sprint("text ", records.Len())
				records.Add(nil, []uint64{fingerprint}, true)
			}
		}
		r, err := Find(t.Context(), records, Options{K: 2, By: Components})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, r.Suspects()); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
		var out bytes.Buffer
		if err := r.Summary(&out, Notes{Texts: texts}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), c.shown) || c.shown == "" && strings.Contains(out.String(), "apart") {
			t.Errorf("expected\n%s, got\n%s", c.shown, out.String())
		}
	}
}
