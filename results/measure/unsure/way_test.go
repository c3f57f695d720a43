package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWays(t *testing.T) {
	for width, want := range map[int][]Way{
		64:  {{K: 3}, {K: 5}, {Ignored: 8, K: 3}, {Ignored: 4, Both: true, K: 3}},
		128: {{K: 6}, {K: 10}, {Ignored: 16, K: 6}, {Ignored: 8, Both: true, K: 6}},
		256: {{K: 12}, {K: 20}, {Ignored: 32, K: 12}, {Ignored: 16, Both: true, K: 12}},
		16:  {{K: 1}, {K: 2}, {Ignored: 2, K: 1}, {Ignored: 1, Both: true, K: 1}},
	} {
		if diff := cmp.Diff(want, Ways(width)); diff != "" {
			t.Errorf("%d bits (-want +got):\n%s", width, diff)
		}
	}
}
