package conventions

import (
	"errors"
	"fmt"

	"simhashkit/fphash"
)

// PythonItem is an item of a list as Simhash of 1e0ng/simhash takes it: a string, or a tuple of a
// string and a weight.
type PythonItem struct {
	Feature string
	// Weight is an int64 (a Python int), a float64 (a Python float), or nil for a string by
	// itself, which has the weight of the last tuple before it, or 1.
	Weight any
}

// AppendPythonList appends the fingerprint of a list in which strings, tuples with ints and tuples
// with floats may be mixed. The Sketcher's weights are to be Python. It fails where Append does,
// and for a string by itself behind a tuple with a float, which Python refuses too.
func AppendPythonList(s *Sketcher, dst []uint64, list []PythonItem) ([]uint64, fphash.Status, error) {
	fail := func(err error) ([]uint64, fphash.Status, error) { return dst, fphash.NoInformation, s.wrap(err) }
	if s.convention.Weights != Python {
		return fail(errors.New("it takes no lists of Python"))
	}
	b := s.borrow()
	defer s.buffers.Put(b)
	b.items, b.text, b.ends = b.items[:0], b.text[:0], b.ends[:0]
	last := any(int64(1))
	for i, element := range list {
		one, err := element.item(last)
		if err != nil {
			return fail(fmt.Errorf("item %d: %w", i+1, err))
		}
		if element.Weight != nil {
			last = element.Weight
		}
		b.items = append(b.items, one)
		b.text = append(b.text, element.Feature...)
		b.ends = append(b.ends, len(b.text))
	}
	return s.appendItems(dst, b)
}

// item returns how the element counts; last is the weight of the last tuple before it.
func (p PythonItem) item(last any) (item, error) {
	switch w := p.Weight.(type) {
	case nil:
		carried, ok := last.(int64)
		if !ok {
			return item{}, fmt.Errorf("a string behind a tuple with the float %v, expected a tuple: Python refuses it", last)
		}
		one := itemOf(carried, false)
		one.batched = true
		return one, nil
	case int64:
		return itemOf(w, false), nil
	case float64:
		return itemOf(w, true), nil
	}
	return item{}, fmt.Errorf("a weight of type %T, expected int64 or float64", p.Weight)
}
