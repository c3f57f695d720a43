package bench

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"simhashkit/asm/cpu"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/terms"
	"simhashkit/internal/hugepages"
)

func (g *grid) addLatencies(p part) {
	if len(g.Kernels) > 0 {
		return // it has none to choose
	}
	for _, n := range p.sizes {
		g.put(Case{
			Name:    benchname.New(terms.MemoryLatency, "n", strconv.Itoa(n)),
			Unit:    terms.NanosecondsPerRead,
			tier:    cpu.Active(),
			stage:   searchStage(64, scanDistance, n),
			prepare: func(*Inputs) (*trial, error) { return latencyTrial(ring(n)), nil },
		})
	}
}

// ring returns n places, each with the number of the one to go to next, at random, such that all
// are on one way round. They take as much memory as n fingerprints of 64 bits.
func ring(n int) []uint64 {
	places := hugepages.Make[uint64](n)
	for i := range places {
		places[i] = uint64(i)
	}
	// Sattolo's shuffle, of which every result is one cycle
	random := rand.New(rand.NewPCG(0x73696d68617368, 9))
	for i := n - 1; i > 0; i-- {
		j := random.IntN(i)
		places[i], places[j] = places[j], places[i]
	}
	return places
}

// latencyTrial goes round a ring: a read cannot begin before the one before it has ended.
func latencyTrial(places []uint64) *trial {
	at := uint64(0)
	return &trial{
		per: 1,
		loop: func(times int) {
			for range times {
				at = places[at]
			}
			sink ^= at
		},
		verify: func() error {
			at, steps := places[0], 1
			for ; at != 0 && steps <= len(places); steps++ {
				at = places[at]
			}
			if steps != len(places) {
				return fmt.Errorf("wrong answer: once round takes %d steps, expected %d", steps, len(places))
			}
			return nil
		},
	}
}
