package fphash

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
)

// widths lists fingerprint widths, each with a hash that is wide enough. Some do not fill their
// last word, cross word boundaries, or use fewer words than the hash.
var widths = []struct {
	bits int
	hash Family
}{
	{1, registered("xxh64")}, {2, registered("splitmix64")}, {6, registered("fnv1a64")}, {63, registered("fnv1-64")}, {64, registered("xxh64")}, {64, registered("highway64")},
	{65, registered("md5")}, {128, registered("highway128")}, {64, registered("highway256")}, {192, registered("highway256")}, {256, wideHash(256)},
	{100, wideHash(100)},
}

func TestAppendAtEveryLength(t *testing.T) {
	atEachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		for _, w := range widths {
			for _, order := range []Order{Grouped, Sequential} {
				var byTie []*Sketcher
				for tie := range TieAlternate + 1 {
					byTie = append(byTie, mustNew(t, Definition{Bits: w.bits, Tie: tie, Order: order}, WithFamily(w.hash)))
				}
				for n := range 71 {
					testAppend(t, byTie[r.IntN(len(byTie))], r, n)
				}
			}
		}
		s := mustNew(t, Definition{})
		for n := 71; n <= 520; n++ {
			indices := randomIndices(r, n)
			testWeights(t, s, indices, randomWeights[float32](r, kind(r.IntN(int(kinds))), n))
			got, err := appendUnitErr(s, nil, indices)
			wantSketch(t, s, indices, make([]one, n), got, err)
		}
	})
}

func TestAppendAroundTheChunk(t *testing.T) {
	atEachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		for _, order := range []Order{Grouped, Sequential} {
			for _, w := range []struct {
				bits int
				hash Family
			}{{64, registered("xxh64")}, {128, registered("md5")}, {70, registered("highway256")}, {4096, wideHash(4096)}} {
				s := mustNew(t, Definition{Bits: w.bits, Tie: TieAlternate, Order: order}, WithFamily(w.hash))
				chunk, codes := s.Local().own.chunk, len(s.Local().own.codes)
				if chunk%4 != 0 || codes > max(512, 128*s.words) {
					t.Errorf("%d bits: chunks of %d codes, %d words", w.bits, chunk, codes)
				}
				for _, n := range []int{chunk - 1, chunk, chunk + 1, 2*chunk - 1, 2 * chunk, 2*chunk + 5} {
					testAppend(t, s, r, n)
				}
			}
		}
	})
}

// testAppend compares Append of a random vector of n features with the oracle, for each kind of
// weight.
func testAppend(t *testing.T, s *Sketcher, r *rand.Rand, n int) {
	t.Helper()
	indices := randomIndices(r, n)
	k := kind(r.IntN(int(kinds)))
	testWeights(t, s, indices, randomWeights[int32](r, k, n))
	testWeights(t, s, indices, randomWeights[int64](r, k, n))
	testWeights(t, s, indices, randomWeights[float32](r, k, n))
	testWeights(t, s, indices, randomWeights[float64](r, k, n))
	got, err := appendUnitErr(s, nil, indices)
	wantSketch(t, s, indices, make([]one, n), got, err)
}

func testWeights[W Weight](t *testing.T, s *Sketcher, indices []uint64, weights []W) {
	s = lanesFor[W](s)
	t.Helper()
	got, err := appendErr(s, nil, indices, weights)
	wantSketch(t, s, indices, weights, got, err)
}

func TestEveryEncodingAndIndexType(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, f := range Families() {
		for e := range Dec + 1 {
			if e != LE64 && f.Integer {
				continue
			}
			s := mustNew(t, Definition{Hash: f.Name, Encoding: e, Bits: min(f.Bits, 100), Float32: true})
			for _, n := range []int{0, 1, 5, chunkOf(s.definition), chunkOf(s.definition) + 3, 3 * chunkOf(s.definition)} {
				indices := randomIndices(r, n)
				weights := randomWeights[float32](r, ordinary, n)
				testWeights(t, s, indices, weights)
				short, wide := narrow(indices)
				got, err := appendErr(s, nil, short, weights)
				wantSketch(t, s, wide, weights, got, err)
				got, err = appendUnitErr(s, nil, short)
				wantSketch(t, s, wide, make([]one, n), got, err)
			}
		}
	}
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	s := mustNew(t, Definition{Hash: "md5", Bits: 128})
	room := make([]uint64, 1, 8)
	room[0] = 42
	for _, dst := range [][]uint64{{42}, room} {
		got, err := appendErr(s, dst, []uint64{1}, []int32{1})
		if want := []uint64{42, 0x3280bececceccd33, 0xcb74587feedb1f9f}; err != nil || !slices.Equal(got, want) {
			t.Errorf("%x, %v, want %x", got, err, want)
		}
	}
}

func TestNoInformation(t *testing.T) {
	for tie, want := range map[Tie]uint64{TieZero: 0, TieOne: 1<<63 - 1, TieAlternate: 0x2AAAAAAAAAAAAAAA} {
		s := mustNew(t, Definition{Bits: 63, Tie: tie})
		for name, v := range map[string]struct {
			indices []uint64
			weights []int32
		}{"empty": {}, "zero": {[]uint64{1, 2}, []int32{0, 0}}, "cancelled": {[]uint64{7, 8, 7, 8}, []int32{3, -5, -3, 5}}} {
			got, err := appendErr(s, nil, v.indices, v.weights)
			if !errors.Is(err, errNoInformation) || len(got) != 1 || got[0] != want {
				t.Errorf("%s vector, ties give %v: %x, %v; want %x, %v", name, tie, got, err, want, errNoInformation)
			}
		}
	}
	// One nonzero lane is enough. Lanes above the width do not count.
	two := tableHash(2, 0b01, 0b10)
	if _, err := appendErr(mustNew(t, Definition{Bits: 2}, two), nil, []uint64{0, 1}, []int32{1, 1}); !errors.Is(err, errNoInformation) {
		t.Errorf("both lanes tied: %v", err)
	}
	three := tableHash(3, 0b101, 0b110)
	if got, err := appendErr(mustNew(t, Definition{Bits: 3}, three), nil, []uint64{0, 1}, []int32{1, 1}); err != nil || got[0] != 0b100 {
		t.Errorf("one lane counts: %b, %v", got, err)
	}
	if _, err := appendErr(mustNew(t, Definition{Bits: 2}, three), nil, []uint64{0, 1}, []int32{1, 1}); !errors.Is(err, errNoInformation) {
		t.Errorf("the lane that counts is above the width: %v", err)
	}
}

func TestNotFinite(t *testing.T) {
	s := mustNew(t, Definition{Bits: 3, Tie: TieOne, Float32: true}, tableHash(3, 0b111, 0b011))
	narrow := mustNew(t, Definition{Bits: 2, Tie: TieOne, Float32: true}, tableHash(3, 0b111, 0b011))
	const huge = math.MaxFloat32
	for _, c := range []struct {
		s       *Sketcher
		weights []float32
		want    error
	}{
		{s, []float32{1, float32(math.NaN())}, errNotFinite},
		{s, []float32{float32(math.Inf(-1)), 1}, errNotFinite},
		{s, []float32{huge, huge}, errNotFinite},           // overflows in lanes 0 and 1
		{s, []float32{huge, -huge}, errNotFinite},          // overflows in lane 2 only
		{narrow, []float32{huge, -huge}, errNoInformation}, // overflows in lanes above the width
	} {
		got, err := appendErr(c.s, []uint64{9}, []uint64{0, 1}, c.weights)
		if !errors.Is(err, c.want) || len(got) != 2 || c.want == errNotFinite && got[1] != 0 {
			t.Errorf("weights %v at %d bits: %x, %v; want %v", c.weights, c.s.Bits(), got, err, c.want)
		}
	}
}

func TestLengthsDiffer(t *testing.T) {
	s := mustNew(t, Definition{})
	for name, call := range map[string]func() (int, error){
		"Append": func() (int, error) { d, err := appendErr(s, nil, []uint64{1, 2}, []float32{1}); return len(d), err },
		"Sketch64": func() (int, error) {
			f, err := sketch64Err([]uint32{1, 2}, []float32{1})
			return int(f), err
		},
		"AppendBatch": func() (int, error) {
			d, st, err := AppendBatch(s, nil, nil, []int{0, 1}, []uint64{1, 2}, []float32{1})
			return len(d) + len(st), err
		},
		"AddVector":   func() (int, error) { return 0, AddVector(NewAccumulator[float32](s), []uint64{1, 2}, []float32{1}) },
		"AddVector32": func() (int, error) { return 0, AddVector(NewAccumulator[float32](s), []uint32{1, 2}, []float32{1}) },
	} {
		n, err := call()
		if err == nil || !strings.Contains(err.Error(), "fphash: len(features) is 2 but len(weights) is 1") || n != 0 {
			t.Errorf("%s: %d words, %v", name, n, err)
		}
	}
}

func TestSketch64IsTheDefault(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	s := mustNew(t, Definition{})
	for n := range 20 {
		indices, weights := randomIndices(r, n*n), randomWeights[float64](r, ordinary, n*n)
		want, wantErr := appendErr(s, nil, indices, weights)
		if got, err := sketch64Err(indices, weights); got != want[0] || err != wantErr {
			t.Errorf("Sketch64 of %d features: %x, %v; want %x, %v", n*n, got, err, want[0], wantErr)
		}
		want, wantErr = appendUnitErr(s, nil, indices)
		if got, err := sketchUnit64Err(indices); got != want[0] || err != wantErr {
			t.Errorf("Unit64 of %d features: %x, %v; want %x, %v", n*n, got, err, want[0], wantErr)
		}
	}
}

// TestGoroutinesShareASketcher: many goroutines can share one Sketcher, and the Local of each
// goroutine gives the same fingerprints.
func TestGoroutinesShareASketcher(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, hash := range []string{"xxh64", "md5", "highway128"} {
		for _, encoding := range []Encoding{LE64, Dec} {
			s := mustNew(t, Definition{Hash: hash, Encoding: encoding, Tie: TieOne, Order: Sequential, Float32: true}, WithWorkers(2))
			var wg sync.WaitGroup
			for range 8 {
				indices, weights := randomIndices(r, 700), randomWeights[float32](r, ordinary, 700)
				want, _ := appendErr(s, nil, indices, weights)
				unit, _ := appendUnitErr(s, nil, indices)
				wg.Go(func() {
					local := s.Local()
					for range 20 {
						for _, form := range []*Sketcher{s, local} {
							got, err := appendErr(form, nil, indices, weights)
							counted, err2 := appendUnitErr(form, nil, indices)
							batch, _, err3 := AppendBatch(form, nil, nil, []int{0, 700, 700, 700}, indices, weights)
							if errors.Join(err, err2, err3) != nil || !slices.Equal(got, want) || !slices.Equal(counted, unit) || !slices.Equal(batch[:len(want)], want) {
								t.Errorf("%s: %x, %x and %x, want %x and %x", hash, got, counted, batch, want, unit)
							}
						}
					}
				})
			}
			wg.Wait()
		}
	}
}

// A Sketcher that was not made by New panics with the message notMade.
func TestNotMade(t *testing.T) {
	for name, s := range map[string]*Sketcher{"nil": nil, "zero": new(Sketcher)} {
		for form, call := range map[string]func(){
			"Append": func() { appendErr(s, nil, []uint64{1}, []int32{1}) }, "AppendUnit": func() { appendUnitErr(s, nil, []uint64{1}) },
			"AppendBatchUnit": func() { AppendBatchUnit(s, nil, nil, []int{0, 1}, []uint64{1}) }, "NewAccumulator": func() { NewAccumulator[int32](s) },
		} {
			func() {
				defer func() {
					if reason := recover(); reason != notMade {
						t.Errorf("%s of %s: panic %v, expected %q", form, name, reason, notMade)
					}
				}()
				call()
			}()
		}
	}
}
