package indexfile

// slots says where an entry stands among those inserted since, by its id: numbers or texts, in maps
// of their own since these are faster.
type slots struct {
	numbers map[uint64]uint32
	texts   map[string]uint32 // nil where ids are numbers
}

func newSlots(texts bool) slots {
	if texts {
		return slots{texts: map[string]uint32{}}
	}
	return slots{numbers: map[uint64]uint32{}}
}

func (s slots) len() int { return len(s.numbers) + len(s.texts) }

func (s slots) get(id ID) (slot uint32, ok bool) {
	if s.texts != nil {
		slot, ok = s.texts[id.Text]
	} else {
		slot, ok = s.numbers[id.Number]
	}
	return slot, ok
}

// add sets the slot of an id, and reports whether the id is new.
func (s slots) add(id ID, slot uint32) bool {
	n := s.len()
	if s.texts != nil {
		s.texts[id.Text] = slot
	} else {
		s.numbers[id.Number] = slot
	}
	return s.len() > n
}

func (s slots) delete(id ID) {
	if s.texts != nil {
		delete(s.texts, id.Text)
	} else {
		delete(s.numbers, id.Number)
	}
}

// all returns all slots, in no order.
func (s slots) all() []uint32 {
	all := make([]uint32, 0, s.len())
	for _, slot := range s.numbers {
		all = append(all, slot)
	}
	for _, slot := range s.texts {
		all = append(all, slot)
	}
	return all
}
