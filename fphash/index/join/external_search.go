package join

import "simhashkit/fphash/index"

// search emits the pairs of one partition by block i: piece by piece with itself and with those
// after it, if it is more than memory is to hold.
func (d *disk) search(w *worker, i, partition int, emit sink) error {
	from := int64(0)
	if partition > 0 {
		from = d.current[partition-1]
	}
	to := d.current[partition]
	most := int64(d.most)
	if to-from > most {
		most /= 2 // two pieces are in memory
	}
	for a := from; a < to && !w.stopped(); a += most {
		first, err := d.read(a, min(a+most, to))
		if err != nil {
			return err
		}
		if err := d.searchPieces(w, i, partition, &Join{Set: first, K: d.x.K}, emit); err != nil {
			return err
		}
		for b := a + most; b < to && !w.stopped(); b += most {
			second, err := d.read(b, min(b+most, to))
			if err != nil {
				return err
			}
			if err := d.searchPieces(w, i, partition, &Join{Set: first, Against: second, K: d.x.K}, emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// searchPieces emits the pairs of pieces of one partition.
func (d *disk) searchPieces(w *worker, i, partition int, j *Join, emit sink) error {
	if d.x.Masked {
		return d.lookUp(w, i, partition, j, emit)
	}
	t := task{join: j, plan: &d.plan, number: i, second: uint32(j.len())}
	add := func(s *index.Set) {
		for p := range s.Len() {
			t.positions = append(t.positions, uint32(len(t.positions)))
			t.windows = append(t.windows, d.plan.tables[i].window(s.At(p), s.Bits))
		}
	}
	t.windows, t.positions = make([]uint64, 0, j.len()), make([]uint32, 0, j.len())
	if add(j.Set); j.Against != nil {
		t.second = uint32(j.Set.Len())
		add(j.Against)
	}
	ids := j.ids()
	if w.trees != nil {
		t.ids = ids
	}
	w.search(t, func(n near) bool { return emit(near{ids(n.a), ids(n.b), n.distance}) })
	return nil
}

// lookUp is searchPieces where there are masks: every fingerprint of the first piece is looked up
// in the second one. A pair may be in several partitions together: it is emitted by the first.
func (d *disk) lookUp(w *worker, i, partition int, j *Join, emit sink) error {
	options := index.Options{K: min(j.K, j.Set.Bits), Workers: 1, Memory: inStructure * int64(j.columns().Len())}
	s, err := index.Build(j.columns(), options)
	if err != nil {
		return err
	}
	ids := j.ids()
	return w.lookUp(j, s, 0, j.Set.Len(), func(n near) bool {
		return !d.meetFirst(i, partition, j, n) || emit(near{ids(n.a), ids(n.b), n.distance})
	})
}

// meetFirst reports whether a partition by block i is the first that both of a pair are in.
func (d *disk) meetFirst(i, partition int, j *Join, n near) bool {
	a, b := uint32(n.a), uint32(n.b)
	for before := range i {
		earlier := &d.plan.tables[before]
		unsure := d.key(j.maskAt(a), earlier) | d.key(j.maskAt(b), earlier)
		if (d.key(j.at(a), earlier)^d.key(j.at(b), earlier))&^unsure == 0 {
			return false
		}
	}
	here := &d.plan.tables[i]
	return partition&d.key(j.maskAt(a), here)&d.key(j.maskAt(b), here) == 0
}
