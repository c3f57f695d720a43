package fphash

import (
	"errors"
	"strings"
	"testing"
)

// Fingerprints of float32 and float64 weights have different definitions, so they cannot be
// compared, and a Sketcher takes only one of the two types.
func TestLanesAreInTheDefinition(t *testing.T) {
	single, double := mustNew(t, Definition{Float32: true}), mustNew(t, Definition{})
	indices := []uint64{1, 2, 3, 4}
	a, _, err := Append(single, nil, indices, []float32{0.1, 0.2, 0.3, -0.6})
	b, _, err2 := Append(double, nil, indices, []float64{0.1, 0.2, 0.3, -0.6})
	if err != nil || err2 != nil || a[0] == b[0] {
		t.Fatalf("%x, %v and %x, %v: expected different fingerprints", a, err, b, err2)
	}
	if text := single.String(); text != "xxh64,le64,64,tie=zero,order=grouped,lanes=float32" {
		t.Errorf("definition %s", text)
	}
	if d, err := ParseDefinition(single.String()); err != nil || !d.Float32 {
		t.Errorf("%v, %v", d.Float32, err)
	}
}

// Weights of the other type are an error in every call, and change nothing.
func TestWeightsOfTheOtherType(t *testing.T) {
	indices, words := []uint64{1, 2}, []string{"a", "b"}
	f32, f64 := []float32{1, 2}, []float64{1, 2}
	single, double := mustNew(t, Definition{Float32: true}), mustNew(t, Definition{})
	ofSingle, ofDouble := NewAccumulator[float64](single), NewAccumulator[float32](double)
	calls := map[string]func() (int, error){
		"Append":        func() (int, error) { got, _, err := Append(double, nil, indices, f32); return len(got), err },
		"Append, other": func() (int, error) { got, _, err := Append(single, nil, indices, f64); return len(got), err },
		"words":         func() (int, error) { got, _, err := Append(single.Local(), nil, words, f64); return len(got), err },
		"AppendBatch": func() (int, error) {
			got, status, err := AppendBatch(double, nil, nil, []int{0, 2}, indices, f32)
			return len(got) + len(status), err
		},
		"AddVector":        func() (int, error) { return 0, AddVector(ofSingle, indices, f64) },
		"AddVector, other": func() (int, error) { return 0, AddVector(ofDouble, indices, f32) },
		"Add":              func() (int, error) { return 0, Add(ofDouble, 1, indices...) },
		"Add one":          func() (int, error) { return 0, Add(ofSingle, 1, "a") },
	}
	for name, call := range calls {
		if n, err := call(); !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), "Definition.Float32") || n != 0 {
			t.Errorf("%s: %d elements, %v: expected a mismatch that names Definition.Float32", name, n, err)
		}
	}
	for _, status := range []Status{second(ofSingle.Append(nil)), second(ofDouble.Append(nil))} {
		if status != NoInformation {
			t.Errorf("status %v after errors, expected that nothing was added", status)
		}
	}
}

func second[A, B any](_ A, b B) B { return b }

// Sketch64 takes both types: it is Append with a Sketcher for the type.
func TestSketch64OfBothTypes(t *testing.T) {
	indices := []uint64{1, 2, 3, 4}
	f32, f64 := []float32{0.1, 0.2, 0.3, -0.6}, []float64{0.1, 0.2, 0.3, -0.6}
	want, _, _ := Append(mustNew(t, Definition{Float32: true}), nil, indices, f32)
	if got, _, err := Sketch64(indices, f32); err != nil || got != want[0] {
		t.Errorf("float32: %x, %v, expected %x", got, err, want)
	}
	want, _, _ = Append(mustNew(t, Definition{}), nil, indices, f64)
	if got, _, err := Sketch64(indices, f64); err != nil || got != want[0] {
		t.Errorf("float64: %x, %v, expected %x", got, err, want)
	}
}

// Integer weights and weights of 1 give the same fingerprints with lanes of either type.
func TestIntegersWithLanesOfEitherType(t *testing.T) {
	single, double := mustNew(t, Definition{Float32: true}), mustNew(t, Definition{})
	indices, weights := []uint64{1, 2, 3}, []int64{1 << 40, 3, -1 << 40}
	a, _, err := Append(single, nil, indices, weights)
	b, _, err2 := Append(double, nil, indices, weights)
	if err != nil || err2 != nil || a[0] != b[0] {
		t.Errorf("%x, %v and %x, %v", a, err, b, err2)
	}
}

func TestMinHashHasNoLanes(t *testing.T) {
	if _, err := New(Definition{Kind: MinHash, Float32: true}); err == nil || !strings.Contains(err.Error(), "lanes of float32") {
		t.Errorf("%v", err)
	}
	for _, text := range []string{"xxh64,le64,64,sketch=minhash,lanes=float32", "xxh64,le64,64,lanes=int64", "xxh64,le64,64,lanes=float32,convention=x"} {
		if _, err := ParseDefinition(text); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}
