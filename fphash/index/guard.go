package index

import "simhashkit/fphash/index/internal/layout"

// use returns an error unless the fingerprints at these positions may be read.
func (s *Set) use(from, to int) error {
	if s.guard == nil {
		return nil
	}
	w := s.Stride()
	if err := layout.Use(s.guard, s.Words[from*w:to*w]); err != nil {
		return err
	}
	if s.IDs != nil {
		return layout.Use(s.guard, s.IDs[from:to])
	}
	return nil
}
