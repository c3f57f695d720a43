package conventions

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"simhashkit/fphash"
)

// featuresFor draws features that the Convention accepts. Some are repeated, so that there are
// ties. Hashes are 8 big-endian bytes.
func featuresFor(t *rapid.T, c Convention) []string {
	feature := rapid.OneOf(rapid.StringN(0, 12, 40), rapid.SampledFrom([]string{"", "a", "b", "c", "é", "e\u0301", "感冒", "\x00", "word"}))
	switch {
	case isStream(c.Hash) || c.Hash == "identity":
		feature = rapid.Custom(func(t *rapid.T) string {
			n := rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, 1, 1 << 63, math.MaxUint64})).Draw(t, "hash")
			return string(binary.BigEndian.AppendUint64(nil, n))
		})
	case c.Hash == digest:
		feature = rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "digest")) })
	case c.Name != "blog-python": // its features are characters
		feature = rapid.OneOf(feature, rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOfN(rapid.Byte(), 0, 70).Draw(t, "bytes")) }))
	}
	some := rapid.SliceOfN(feature, 0, 6).Draw(t, "features")
	if len(some) == 0 {
		return nil
	}
	repeat := rapid.SampledFrom([]int{1, 2, 3, 150}).Draw(t, "repeat")
	return slices.Repeat(some, repeat)
}

// appendAs passes the features in the type that the Convention accepts: hashes, strings or bytes.
func appendAs(s *Sketcher, features []string, weights any) (words []uint64, status fphash.Status, err error) {
	if s.convention.Hash == "identity" || isStream(s.convention.Hash) {
		hashes := []uint64{}
		for _, f := range features {
			hashes = append(hashes, binary.BigEndian.Uint64([]byte(f)))
		}
		return appendWeighted(s, hashes, weights)
	}
	return appendWeighted(s, features, weights)
}

func appendWeighted[F fphash.Feature](s *Sketcher, features []F, weights any) ([]uint64, fphash.Status, error) {
	before := []uint64{7, 9} // must not change
	var words []uint64
	var status fphash.Status
	var err error
	switch w := weights.(type) {
	case nil:
		words, status, err = AppendUnit(s, before, features)
	case []int64:
		words, status, err = Append(s, before, features, w)
	case []int8:
		words, status, err = Append(s, before, features, w)
	case []float32:
		words, status, err = Append(s, before, features, w)
	case []float64:
		words, status, err = Append(s, before, features, w)
	}
	if !slices.Equal(words[:2], before) {
		err = fmt.Errorf("the words before were changed to %d", words[:2])
	}
	return words[2:], status, err
}

func codesOf(name string, features []string) (codes []binaryDigits) {
	for _, f := range features {
		codes = append(codes, models[name](f))
	}
	return codes
}

// Conventions without weights give the same fingerprints as the models.
func TestUnweightedModels(t *testing.T) {
	for _, c := range All() {
		t.Run(c.Name, func(t *testing.T) {
			s, err := New(c)
			if err != nil {
				t.Fatal(err)
			}
			rapid.Check(t, func(t *rapid.T) {
				features := featuresFor(t, c)
				words, status, err := appendAs(s, features, nil)
				if len(features) == 0 && c.Empty == emptyRefused {
					if err == nil || len(words) != 0 {
						t.Fatalf("no features give %x, expected an error", words)
					}
					return
				}
				codes := codesOf(c.Name, features)
				if want := hexOf(modelOfCounts(c.Name, codes)); err != nil || s.Hex(words) != want {
					t.Fatalf("%q: %s, %v, expected %s", features, s.Hex(words), err, want)
				}
				if len(words) != s.Words() || len(features) == 0 && status != fphash.NoInformation || len(features)%2 == 1 && status != fphash.Informative {
					t.Fatalf("%q: %d words, %v", features, len(words), status)
				}
			})
		})
	}
}

// Conventions with weights give the same fingerprints as the models, for all types of weights.
func TestWeightedModels(t *testing.T) {
	whole := rapid.OneOf(rapid.Int64Range(-60, 60), rapid.Int64Range(-1<<40, 1<<40), rapid.SampledFrom([]int64{0, 1, -1, 50, 51}))
	positive := rapid.Int64Range(1, 300)
	fraction := rapid.OneOf(rapid.Float64Range(-3, 3), rapid.SampledFrom([]float64{0.1, 0.2, 0.3, -0.3, -0.6, 1e-9, 1e16, -1e16, 0, 2}))
	for _, c := range All() {
		if c.Weights == unweighted {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			s, err := New(c)
			if err != nil {
				t.Fatal(err)
			}
			rapid.Check(t, func(t *rapid.T) {
				features := featuresFor(t, c)
				kind := rapid.SampledFrom([]string{"int64", "positive", "int8", "float64", "float32"}).Draw(t, "type")
				if c.Weights == wholeNumbers && strings.HasPrefix(kind, "float") {
					kind = "int64"
				}
				var weights any
				var numbers []float64
				n := len(features)
				switch kind {
				case "int64":
					weights, numbers = drawn(t, whole, n, func(w int64) int64 { return w })
				case "positive":
					weights, numbers = drawn(t, positive, n, func(w int64) int64 { return w })
				case "int8":
					weights, numbers = drawn(t, rapid.Int8(), n, func(w int8) int8 { return w })
				case "float64":
					weights, numbers = drawn(t, fraction, n, func(w float64) float64 { return w })
				case "float32":
					weights, numbers = drawn(t, fraction, n, func(w float64) float32 { return float32(w) })
				}
				words, _, err := appendAs(s, features, weights)
				want := hexOf(modelOfWeights(c.Name, codesOf(c.Name, features), numbers, !strings.HasPrefix(kind, "float")))
				if err != nil || s.Hex(words) != want {
					t.Fatalf("%q with weights %v: %s, %v, expected %s", features, weights, s.Hex(words), err, want)
				}
			})
		})
	}
}

// drawn draws n weights, and returns them in their type and as numbers.
func drawn[V int64 | int8 | float64, W fphash.Weight](t *rapid.T, from *rapid.Generator[V], n int, as func(V) W) (list []W, numbers []float64) {
	list = []W{}
	few := rapid.SliceOfN(from, 1, 12).Draw(t, "weights")
	for i := range n {
		w := as(few[i%len(few)])
		list, numbers = append(list, w), append(numbers, float64(w))
	}
	return list, numbers
}

// Generators work with any width. Bits above the width are 0.
func TestGeneratorWidths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fast := rapid.Bool().Draw(t, "fast")
		c, err := Lookup(map[bool]string{false: "hash4j-simhash-v1", true: "hash4j-fastsimhash-v1"}[fast])
		if err != nil {
			t.Fatal(err)
		}
		c.Bits = rapid.IntRange(1, 300).Draw(t, "components")
		s, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		features := featuresFor(t, c)
		if len(features) == 0 {
			return
		}
		var codes []binaryDigits
		for _, f := range features {
			codes = append(codes, generatorModel(f, c.Bits, fast))
		}
		want := []byte(modelOfCounts(c.Name, codes))
		for i := range want {
			if component := i/8*8 + 7 - i%8; component >= c.Bits {
				want[i] = '0'
			}
		}
		words, _, err := appendAs(s, features, nil)
		if err != nil || s.Hex(words) != hexOf(string(want)) {
			t.Fatalf("%d components of %q: %s, %v, expected %s", c.Bits, features, s.Hex(words), err, hexOf(string(want)))
		}
	})
}
