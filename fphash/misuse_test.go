package fphash

import (
	"testing"
)

// The methods of zero and nil values panic with a clear message.
func TestZeroValuesPanic(t *testing.T) {
	type accumulator = Accumulator[int64]
	sketchers := map[string]func(s *Sketcher){
		"Append":          func(s *Sketcher) { Append(s, nil, []string{"x"}, []int{1}) },
		"AppendUnit":      func(s *Sketcher) { AppendUnit(s, nil, []uint64{1}) },
		"AppendBatch":     func(s *Sketcher) { AppendBatch(s, nil, nil, []int{0}, []string{}, []int{}) },
		"AppendBatchUnit": func(s *Sketcher) { AppendBatchUnit(s, nil, nil, []int{0}, []uint64{}) },
		"NewAccumulator":  func(s *Sketcher) { NewAccumulator[int64](s) },
		"Local":           func(s *Sketcher) { s.Local() },
		"Definition":      func(s *Sketcher) { s.Definition() },
		"Bits":            func(s *Sketcher) { s.Bits() },
		"Words":           func(s *Sketcher) { s.Words() },
	}
	for name, use := range sketchers {
		wantPanic(t, name+" of a zero Sketcher", notMade, func() { use(new(Sketcher)) })
		wantPanic(t, name+" of no Sketcher", notMade, func() { use(nil) })
	}
	good := NewAccumulator[int64](mustNew(t, Definition{}))
	for name, use := range map[string]func(a *accumulator){
		"Add":           func(a *accumulator) { Add(a, 1, "x") },
		"AddVector":     func(a *accumulator) { AddVector(a, []uint64{1}, []int64{1}) },
		"Append":        func(a *accumulator) { a.Append(nil) },
		"Clone":         func(a *accumulator) { a.Clone() },
		"Reset":         func(a *accumulator) { a.Reset() },
		"Merge":         func(a *accumulator) { a.Merge(good) },
		"Merge into":    func(a *accumulator) { good.Merge(a) },
		"Subtract":      func(a *accumulator) { a.Subtract(good) },
		"Subtract from": func(a *accumulator) { good.Subtract(a) },
	} {
		wantPanic(t, name+" of a zero Accumulator", accumulatorNotMade, func() { use(new(accumulator)) })
		wantPanic(t, name+" of no Accumulator", accumulatorNotMade, func() { use(nil) })
	}
}

func wantPanic(t *testing.T, name, want string, do func()) {
	t.Helper()
	defer func() {
		if got := recover(); got != want {
			t.Errorf("%s: %v, want a panic with %q", name, got, want)
		}
	}()
	do()
}

func TestFromFuncWithoutAFunction(t *testing.T) {
	const want = "fphash: hash own: FromFunc was given no function"
	if _, err := New(Definition{}, WithFamily(FromFunc("own", 64, nil))); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
