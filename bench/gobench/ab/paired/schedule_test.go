package paired

import (
	"math"
	"testing"
)

func TestLooksSpendAlpha(t *testing.T) {
	for _, alpha := range []float64{0.5, 0.05, 0.02, 0.02 / 51, 1e-9} {
		s := newSchedule(alpha)
		sum, looks, levels := s.last(), 0, 0
		for rounds := 1; rounds <= 1_000_000; rounds++ {
			level, ok := s.look(rounds)
			if !ok {
				continue
			}
			looks++
			sum += level
			if level > 0 {
				levels++
				if leastP(rounds) > level {
					t.Errorf("alpha %v: %d rounds cannot reach the level %v", alpha, rounds, level)
				}
			}
		}
		if sum > alpha*(1+1e-12) || sum < 0.9*alpha {
			t.Errorf("alpha %v: %v is spent in %d looks", alpha, sum, levels)
		}
		if looks < 50 || looks > 60 {
			t.Errorf("alpha %v: %d looks in a million rounds", alpha, looks)
		}
	}
}

// A look that nobody took is lost: the next one has the same level as if it had been taken.
func TestSkippedLooks(t *testing.T) {
	all, some := newSchedule(0.02), newSchedule(0.02)
	for rounds := 1; rounds <= 100; rounds++ {
		a, okA := all.look(rounds)
		if rounds < 30 {
			continue
		}
		if b, okB := some.look(rounds); a != b || okA != okB {
			t.Errorf("%d rounds: %v %v, want %v %v", rounds, b, okB, a, okA)
		}
	}
}

// The k-th look that can reach its level has 1/(k(k+1)) of a half of alpha, the last one the other
// half.
func TestLevels(t *testing.T) {
	s := newSchedule(0.5)
	for i, share := range []float64{2, 6, 12, 20, 30} {
		if got, want := s.next(), 0.25/share; math.Abs(got-want) > 1e-15 {
			t.Errorf("look %d: %v, want %v", i+1, got, want)
		}
	}
	if got := s.last(); got != 0.25 {
		t.Errorf("the last look: %v", got)
	}
}
