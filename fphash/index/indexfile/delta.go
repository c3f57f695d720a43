package indexfile

import "simhashkit/fphash/index"

// delta finds what was inserted since the file was last written whole. It is made when somebody
// searches, and brought up to date when there is more.
type delta struct {
	index *index.Index // by slots; nil if nobody has searched
	known int          // slots
}

// update takes over what is new in the contents.
func (d *delta) update(c *contents) error {
	if d.index == nil {
		if c.since.Len() == 0 {
			return nil
		}
		var err error
		if d.index, err = index.New(c.bits, c.definition, index.Options{K: c.k}); err != nil {
			return err
		}
	}
	set := c.header.set()
	for slot := d.known; slot < c.since.Len(); slot++ {
		if live, ok := c.slots.get(c.since.id(slot)); !ok || int(live) != slot {
			continue
		}
		set.IDs = append(set.IDs, uint64(slot))
		set.Words = append(set.Words, c.since.At(slot)...)
	}
	if set.Len() > 0 {
		if err := d.index.Insert(&set); err != nil {
			return err
		}
	}
	d.known = c.since.Len()
	dropped := make([]uint64, 0, len(c.dropped))
	for _, slot := range c.dropped {
		dropped = append(dropped, uint64(slot))
	}
	c.dropped = c.dropped[:0]
	_, err := d.index.Delete(dropped...)
	return err
}

// isCurrent reports whether there is nothing new.
func (d *delta) isCurrent(c *contents) bool { return d.known == c.since.Len() && len(c.dropped) == 0 }
