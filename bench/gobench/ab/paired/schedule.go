package paired

import "math"

// The looks. With the noise of recorded benchmarks as it is and four times that, other numbers
// changed the rounds to a decision by a fifth, and what is found hardly at all.
const (
	firstLook = 7 // rounds
	// of the number of rounds from look to look: 7, 9, 12, 15, 19, 24, 30, 38, 48, 60, 75, 94 ...
	growth    = 1.25
	lastShare = 0.5 // of alpha: what is kept for the last look, however many there were
)

// schedule says when to look, and what part of alpha each look may spend. It depends on alpha
// alone, never on the data: so the probability of any false alarm is at most the sum of what is
// spent, whatever the looks have to do with each other.
type schedule struct {
	alpha  float64
	rounds int // of the next look
	spent  int // how many looks had a level
}

func newSchedule(alpha float64) schedule { return schedule{alpha: alpha, rounds: firstLook} }

// look returns the level of the look at that number of rounds, 0 if there are too few for any
// level; false if there is no look.
func (s *schedule) look(rounds int) (level float64, ok bool) {
	for s.rounds < rounds { // nobody looked
		s.next()
	}
	if rounds != s.rounds {
		return 0, false
	}
	return s.next(), true
}

// next takes the next look and returns its level. The first one with a level is that at which the
// test can reach it, and the k-th of them has 1/(k(k+1)) of what there is for all but the last: the
// sum of that is 1, however many there will be.
func (s *schedule) next() float64 {
	k := float64(s.spent + 1)
	level := s.alpha * (1 - lastShare) / (k * (k + 1))
	if leastP(s.rounds) > level {
		level = 0
	} else {
		s.spent++
	}
	s.rounds = int(math.Ceil(growth * float64(s.rounds)))
	return level
}

// last returns the level of the last look.
func (s *schedule) last() float64 { return s.alpha * lastShare }
