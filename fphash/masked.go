package fphash

import (
	"cmp"
	"fmt"
)

// AppendMasked appends the fingerprint to dst, as Append does, and to mask the mask of its t least
// sure bits: s.Words() words each.
//
// How sure bit j is, its sum V[j] says, which a fingerprint forgets: the smaller |V[j]|, the sooner
// another bit stands in the fingerprint of a vector that is nearly the same. The mask has a 1 for
// each of the t bits of smallest |V[j]|, of equal ones those of lower j; so masks of smaller t lie
// inside those of greater t, and a vector without information has the mask of its t lowest bits.
// One whose sums are not finite has the mask 0. Two fingerprints match within k if
// Distance(a, b, mask) <= k. That finds more than a greater k which lets as many strangers
// pass; METHODOLOGY.md has figures, and says where it does not.
//
// The status is Append's. The error is for misuse, with nothing appended: what Append refuses, and
// t that is not 0 to s.Bits(). AppendMasked allocates as Append does, and for the first mask. Cost:
// Append's, and up to half a microsecond for each 64 bits; by AppendMaskedUnit a tenth of that.
func AppendMasked[F Feature, W Weight](s *Sketcher, dst, mask []uint64, t int, features []F, weights []W) ([]uint64, []uint64, Status, error) {
	if len(features) != len(weights) {
		return dst, mask, NoInformation, errLengths(len(features), len(weights))
	}
	b := borrow(s)
	return appendMaskedAny(s, b, dst, mask, t, columnOf(features), columnOf(weights))
}

// AppendMaskedUnit is AppendMasked with weight 1 for every feature. Such sums are often equal, so
// that a mask says less than one by weights.
func AppendMaskedUnit[F Feature](s *Sketcher, dst, mask []uint64, t int, features []F) ([]uint64, []uint64, Status, error) {
	b := borrow(s)
	return appendMaskedAny(s, b, dst, mask, t, columnOf(features), units(len(features)))
}

func appendMaskedAny(s *Sketcher, b *buffers, dst, mask []uint64, t int, features, weights column) (_, _ []uint64, status Status, err error) {
	status = NoInformation
	if err = cmp.Or(b.checkVector(features, weights), b.checkUnsure(t)); err == nil {
		at, maskAt := len(dst), len(mask)
		dst, mask = b.extend(dst), b.extend(mask)
		status = b.sketchMasked(dst[at:], mask[maskAt:], t, features, weights)
	}
	giveBack(s, b)
	return dst, mask, status, err
}

// AppendMasked appends the fingerprint of all features so far, as Append does, and the mask of its
// t least sure bits, as the function of that name does. It fails, with nothing appended, if t is
// not 0 to Bits() of the Sketcher.
func (a *Accumulator[W]) AppendMasked(dst, mask []uint64, t int) ([]uint64, []uint64, Status, error) {
	s := a.read()
	if err := s.checkUnsure(t); err != nil {
		return dst, mask, NoInformation, err
	}
	b := borrow(s)
	at, maskAt, sums := len(dst), len(mask), a.closed(b)
	dst, mask = b.extend(dst), b.extend(mask)
	status := b.readMasked(dst[at:], mask[maskAt:], t, sums)
	giveBack(s, b)
	return dst, mask, status, nil
}

// AppendMaskedBatch is AppendBatch with masks: what it appends to dst, it appends to masks as well,
// for each vector what AppendMasked would give.
func AppendMaskedBatch[F Feature, W Weight, O ~int | ~int32 | ~int64](s *Sketcher, dst, masks []uint64, t int, status []Status, offsets []O, features []F, weights []W) ([]uint64, []uint64, []Status, error) {
	if len(features) != len(weights) {
		return dst, masks, status, errLengths(len(features), len(weights))
	}
	if err := s.made().checkUnsure(t); err != nil {
		return dst, masks, status, err
	}
	return appendBatch(s, dst, masks, t, status, offsets, columnOf(features), columnOf(weights))
}

// AppendMaskedBatchUnit is AppendMaskedBatch with weight 1 for every feature.
func AppendMaskedBatchUnit[F Feature, O ~int | ~int32 | ~int64](s *Sketcher, dst, masks []uint64, t int, status []Status, offsets []O, features []F) ([]uint64, []uint64, []Status, error) {
	if err := s.made().checkUnsure(t); err != nil {
		return dst, masks, status, err
	}
	return appendBatch(s, dst, masks, t, status, offsets, columnOf(features), units(len(features)))
}

// checkUnsure reports a number of unsure bits that a fingerprint does not have.
func (d *definition) checkUnsure(t int) error {
	if d.minhash {
		return fmt.Errorf("fphash: mask of %d bits: MinHash keeps no sums that would say how sure a bit is", t)
	}
	if t < 0 || t > d.bits {
		return fmt.Errorf("fphash: mask of %d bits, expected 0 to %d", t, d.bits)
	}
	return nil
}

// sketchMasked stores the fingerprint of one vector, and its mask.
func (b *buffers) sketchMasked(fingerprint, mask []uint64, t int, features, weights column) Status {
	return b.readMasked(fingerprint, mask, t, b.sums(features, weights))
}

// readMasked stores the fingerprint of the lanes, and its mask.
func (b *buffers) readMasked(fingerprint, mask []uint64, t int, sums lanes) Status {
	status := b.readSums(fingerprint, sums)
	clear(mask)
	if t > 0 && status != NotFinite {
		b.leastSure(mask, t, sums)
	}
	return status
}
