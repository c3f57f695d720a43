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
		w.ids = ids
	}
	w.search(t, func(n near) bool { return emit(near{ids(n.a), ids(n.b), n.distance}) })
	return nil
}
