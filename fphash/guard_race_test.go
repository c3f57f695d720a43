//go:build race

package fphash

import "testing"

// Every use of a Sketcher returned by Local must write a variable that the race detector watches.
func TestUsesThatTheRaceDetectorSees(t *testing.T) {
	s := mustNew(t, Definition{Hash: "xxh64"}).Local()
	integersOnly := mustNew(t, Definition{Hash: "splitmix64"}).Local()
	for name, use := range map[string]func(s *Sketcher){
		"Append":                func(s *Sketcher) { Append(s, nil, []uint64{1}, []float64{1}) },
		"Append of int":         func(s *Sketcher) { Append(s, nil, []uint64{1}, []int{1}) },
		"Append of words":       func(s *Sketcher) { Append(s, nil, []string{"x"}, []float64{1}) },
		"AppendUnit":            func(s *Sketcher) { AppendUnit(s, nil, []uint64{1}) },
		"AppendUnit of words":   func(s *Sketcher) { AppendUnit(s, nil, []string{"x"}) },
		"AppendBatch":           func(s *Sketcher) { AppendBatch(s, nil, nil, []int{0}, []uint64{}, []int64{}) },
		"AppendBatchUnit":       func(s *Sketcher) { AppendBatchUnit(s, nil, nil, []int{0}, []uint64{}) },
		"AppendBatch, in error": func(s *Sketcher) { AppendBatchUnit(s, nil, nil, []int{1}, []uint64{}) },
	} {
		for _, s := range []*Sketcher{s, integersOnly} {
			before := s.own.uses
			if use(s); s.own.uses == before {
				t.Errorf("%s, %s: the use was not recorded", s.family.Name, name)
			}
		}
	}
}
