package projections

import (
	"fmt"

	"simhashkit/fphash"
)

// hashPerIndex is the method of package fphash.
type hashPerIndex struct {
	family   fphash.Family // as wide as the fingerprint, or wider
	bits     int
	sketcher *fphash.Sketcher
	function fphash.Hash // the same hash, for AppendRow
}

func (h *hashPerIndex) Name() string { return HashPerIndex }

// TableBytes is that of the seed.
func (h *hashPerIndex) TableBytes(uint64) uint64 { return 8 }

func (h *hashPerIndex) Prepare(_, keying uint64) error {
	seed := keyed(HashPerIndex, keying).Uint64()
	var err error
	if h.function, err = h.family.New(fphash.Key{Seed: seed}); err != nil {
		return fmt.Errorf("projections: %s: %w", h.family.Name, err)
	}
	sketcher, err := fphash.New(fphash.WithFamily(h.family), fphash.WithBits(h.bits), fphash.WithSeed(seed))
	if err != nil {
		return fmt.Errorf("projections: %w", err)
	}
	h.sketcher = sketcher.Local()
	return nil
}

func (h *hashPerIndex) Append(dst, indices []uint64, weights []float32) []uint64 {
	dst, status, err := fphash.Append(h.sketcher, dst, indices, weights)
	if status == fphash.NotFinite {
		err = status.Err()
	}
	if err != nil {
		// lengths that differ, or weights that are not finite: what the interface forbids
		panic(err)
	}
	return dst
}

func (h *hashPerIndex) AppendRow(dst []float32, index uint64) []float32 {
	code := make([]uint64, h.family.Words())
	h.function.HashUint64s(code, []uint64{index})
	return appendEntries(dst, code, h.bits)
}
