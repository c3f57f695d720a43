package bench

import (
	"fmt"

	"simhashkit/fphash"
)

// batchTrial sketches all vectors in one call, by as many workers as the case says. It is for
// weighted vectors. The words that are expected begin again where they end.
func batchTrial[W weight](s sketchCase, v *vectors[W], want []uint64) (*trial, error) {
	f, err := fphash.New(fphash.WithFamily(s.family), fphash.WithEncoding(s.encoding), fphash.WithBits(s.bits), fphash.WithWorkers(s.cpus))
	if err != nil {
		return nil, err
	}
	var fingerprints []uint64
	var status []fphash.Status
	sketch := func() (err error) {
		fingerprints, status, err = fphash.AppendBatch(f, fingerprints[:0], status[:0], v.offsets, v.indices, v.weights)
		return err
	}
	return &trial{
		per:      len(v.indices),
		parallel: true,
		loop: func(times int) {
			for range times {
				_ = sketch() // verify has looked at the error
				sink ^= fingerprints[0]
			}
		},
		verify: func() error {
			if err := verifyFamily(s.family); err != nil {
				return err
			}
			if err := sketch(); err != nil {
				return err
			}
			for i, got := range fingerprints {
				if w := want[i%len(want)]; got != w {
					return wrongAnswer{fmt.Sprintf("word %d of the batch", i), got, w}
				}
			}
			return nil
		},
	}, nil
}
