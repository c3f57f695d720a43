package bench

import (
	"strconv"

	"simhashkit/asm/cpu"
	"simhashkit/asm/hamming"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/terms"
)

func (g *grid) addReads(p part) {
	if len(g.Kernels) > 0 {
		return // it has none to choose
	}
	for _, n := range p.sizes {
		g.put(Case{
			Name: benchname.New(terms.MemoryRead, "n", strconv.Itoa(n)),
			Unit: terms.MegabytesPerSecond,
			tier: cpu.Active(),
			prepare: func(in *Inputs) (*trial, error) {
				c, err := collectionOf(in, n)
				if err != nil {
					return nil, err
				}
				return readTrial(c), nil
			},
		})
	}
}

func readTrial(c *collection) *trial {
	return &trial{
		per: bytesOfOne * len(c.fingerprints),
		loop: func(times int) {
			for range times {
				sink ^= hamming.Read(c.fingerprints)
			}
		},
		verify: func() error {
			var want uint64
			for _, f := range c.fingerprints {
				want ^= f
			}
			if got := hamming.Read(c.fingerprints); got != want {
				return wrongAnswer{"exclusive or of all", got, want}
			}
			return nil
		},
	}
}
