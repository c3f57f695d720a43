package fphash

import "fmt"

// Merge adds the features of b, which does not change.
//
// With integer weights the result is that of one pass over the features of both. With
// floating-point weights it closes the open groups of both and adds the lanes, which rounds
// differently from one pass: bits whose lane is close to zero may differ. By MinHash the result is
// that of the union. It fails with
// ErrMismatch, and changes nothing, if the two differ in hash, widening, encoding, width, order,
// seed or key; a hash of the user's own is known by its name. a and b may be the same.
func (a *Accumulator[W]) Merge(b *Accumulator[W]) error {
	if err := a.match(b); err != nil {
		return err
	}
	own := borrow(a.sketcher)
	a.flush(own)
	a.sums.add(b.closed(own))
	giveBack(a.sketcher, own)
	return nil
}

// Subtract takes back the features of b, which does not change. It is exact with integer weights,
// so it undoes Merge; with floating-point weights it rounds. By MinHash it
// fails: minima forget what they were lowered from. Otherwise it works like Merge.
func (a *Accumulator[W]) Subtract(b *Accumulator[W]) error {
	if err := a.match(b); err != nil {
		return err
	}
	if a.sketcher.minhash {
		return errSubtract
	}
	own := borrow(a.sketcher)
	a.flush(own)
	a.sums.subtract(b.closed(own))
	giveBack(a.sketcher, own)
	return nil
}

func (a *Accumulator[W]) match(b *Accumulator[W]) error {
	s, other := a.use(), b.read()
	if what := s.differs(other.definition); what != "" {
		return fmt.Errorf("%w: %v and %v: not the same %s", ErrMismatch, s, other, what)
	}
	return nil
}
