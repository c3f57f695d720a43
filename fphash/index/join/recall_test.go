package join

import (
	"testing"
)

// A measurement between two sets counts pairs at the same position of both, and one within a set
// does not count a fingerprint as near itself.
func TestMeasureRecallCountsPositions(t *testing.T) {
	s := randomSet(64, 100, newRandom(1))
	for _, c := range []struct {
		j    *Join
		want int
	}{{&Join{Set: s, Against: s, K: 3}, 100}, {&Join{Set: s, K: 3}, 0}} {
		m, err := c.j.MeasureRecall(t.Context(), func(a, b int) bool { return a == b })
		if err != nil {
			t.Fatal(err)
		}
		if pairs, found := m.Of(); pairs != c.want || found != c.want {
			t.Errorf("%d pairs of which %d are found, expected %d", pairs, found, c.want)
		}
	}
}
