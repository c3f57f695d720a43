package hamming

import (
	"fmt"
	"slices"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/random"
	"simhashkit/asm/internal/registers"
)

type planesScan = func(dst []Match, p *Planes, query []uint64, k int) []Match

var (
	planesScans    = kernels.List(PlanesKernels(), func(k PlanesKernel) (cpu.Kernel, planesScan) { return k.Kernel, k.AppendWithin })
	planesDispatch = func(dst []Match, p *Planes, query []uint64, k int) []Match { return p.AppendWithin(dst, query, k) }
)

// onPlanes runs body on every kernel that can run here, and on the dispatch at every tier.
func onPlanes(t *testing.T, body func(t *testing.T, appendWithin planesScan)) {
	kernels.OnEach(t, "", planesScans, planesDispatch, body)
}

// planesOf returns fingerprints of that many words as planes.
func planesOf(words int, fingerprints []uint64) *Planes {
	p := NewPlanes(64 * words)
	p.Append(fingerprints...)
	return p
}

func TestPlanesKeepFingerprints(t *testing.T) {
	for words := 1; words <= 4; words++ {
		fingerprints := randomWords(seeded(t), 1100*words)
		p := NewPlanes(64 * words)
		p.Append(fingerprints[:words]...)
		p.Append()
		p.Append(fingerprints[words:]...)
		if p.Len() != 1100 {
			t.Fatalf("%d fingerprints, want 1100", p.Len())
		}
		for i := range p.Len() {
			want := append([]uint64{7}, fingerprints[i*words:(i+1)*words]...)
			if got := p.At([]uint64{7}, i); !slices.Equal(got, want) {
				t.Fatalf("%d words: fingerprint %d is %#x, want %#x", words, i, got, want)
			}
		}
	}
}

// Every length from 0 to 512 and some of several blocks, flush against inaccessible pages on both
// sides.
func TestPlanesBetweenGuardPages(t *testing.T) {
	const longest = 1100
	for words := 1; words <= 4; words++ {
		size := 64 * words * wordsOfPlane
		atStart, atEnd := guard.Slices[uint64](t, 3*size)
		r := seeded(t)
		query, fingerprints := randomWords(r, words), make([]uint64, longest*words)
		fill(r, fingerprints, query, 30)
		all := withinOracle(fingerprints, query, 64*words)
		onPlanes(t, func(t *testing.T, appendWithin planesScan) {
			p := NewPlanes(64 * words)
			for n := range longest + 1 {
				if n > 0 {
					p.Append(fingerprints[(n-1)*words : n*words]...)
				}
				if n > 515 && n%97 != 0 && n%lanesOfBlock > 2 {
					continue
				}
				for _, memory := range [][]uint64{atStart[:len(p.planes)], atEnd[3*size-len(p.planes):]} {
					copy(memory, p.planes)
					held := &Planes{p.bits, p.n, memory}
					for _, k := range []int{3, 8*words + 7} {
						if got, want := appendWithin(nil, held, query, k), among(all, 0, n, k); !slices.Equal(got, want) {
							t.Fatalf("words=%d n=%d k=%d: %v, want %v", words, n, k, got, want)
						}
					}
				}
			}
		})
	}
}

// Every k from -1 to more than there are bits, with distances of all sizes in either half of a
// block and bits anywhere; what the list holds already stays.
func TestPlanesAtEveryLimit(t *testing.T) {
	for words := 1; words <= 4; words++ {
		r := seeded(t)
		query := randomWords(r, words)
		var fingerprints []uint64
		for i := range lanesOfBlock {
			f := slices.Clone(query)
			for _, b := range r.Perm(64 * words)[:i%(64*words+1)] {
				f[b/64] ^= 1 << (b % 64)
			}
			fingerprints = append(fingerprints, f...)
		}
		p := planesOf(words, fingerprints)
		all := withinOracle(fingerprints, query, 64*words)
		onPlanes(t, func(t *testing.T, appendWithin planesScan) {
			limits := []int{-1 << 31, 1<<31 - 1}
			for k := -1; k <= 64*words+1; k++ {
				limits = append(limits, k)
			}
			for _, k := range limits {
				got, err := appended(func(dst []Match) []Match { return appendWithin(dst, p, query, k) })
				if want := among(all, 0, p.Len(), k); err != nil || !slices.Equal(got, want) {
					t.Fatalf("words=%d k=%d: %d matches, want %d, or others (%v)", words, k, len(got), len(want), err)
				}
			}
		})
	}
}

// A single match, at its greatest distance, at every place of a block among fingerprints that are
// far off: nothing else keeps the block, and every plane counts.
func TestPlanesFindEveryPosition(t *testing.T) {
	r := seeded(t)
	query := r.Uint64()
	far := slices.Repeat([]uint64{^query}, 2*lanesOfBlock+5)
	onPlanes(t, func(t *testing.T, appendWithin planesScan) {
		for i := range far {
			for _, k := range []int{0, 3, 4, 16} {
				if (i+k)%3 != 0 {
					continue
				}
				p := &Planes{64, len(far), planesOfFar(len(far), query)}
				for plane := range 64 {
					p.planes[i/lanesOfBlock*64*wordsOfPlane+plane*wordsOfPlane+i%lanesOfBlock/64] ^= 1 << (i % 64)
				}
				for _, b := range r.Perm(64)[:k] {
					p.planes[i/lanesOfBlock*64*wordsOfPlane+b*wordsOfPlane+i%lanesOfBlock/64] ^= 1 << (i % 64)
				}
				if got, want := appendWithin(nil, p, []uint64{query}, k), []Match{{i, k}}; !slices.Equal(got, want) {
					t.Fatalf("k=%d: %v, want %v", k, got, want)
				}
			}
		}
	})
}

// planesOfFar returns the planes of whole blocks of the query's complement.
func planesOfFar(n int, query uint64) []uint64 {
	planes := make([]uint64, (n+lanesOfBlock-1)/lanesOfBlock*64*wordsOfPlane)
	for i := range planes {
		planes[i] = query>>(i/wordsOfPlane%64)&1 - 1
	}
	return planes
}

// comparePlanes holds all kernels, and the dispatch at the tier, to the oracle's deputy.
func comparePlanes(tier cpu.Tier, fingerprints, query []uint64, k int) error {
	p, want := planesOf(len(query), fingerprints), withinCounted(nil, fingerprints, query, k)
	check := func(name string, appendWithin planesScan) error {
		if got := appendWithin(nil, p, query, k); !slices.Equal(got, want) {
			return fmt.Errorf("%s: %v, want %v\nquery %#x\nk=%d\nfingerprints %#x", name, got, want, query, k, fingerprints)
		}
		return nil
	}
	for i, kernel := range planesScans {
		if !kernel.Available() {
			continue
		}
		registers.Spoil(i%2 == 0)
		if err := check(kernel.Name, kernel.Call); err != nil {
			return err
		}
	}
	return kernels.At(tier, func() error { return check("dispatch at "+tier.String(), planesDispatch) })
}

func TestPlanesOnRandomInput(t *testing.T) {
	r := seeded(t)
	tiers := cpu.Supported()
	for range random.Rounds(t, 100, 1000) {
		words := 1 + r.IntN(4)
		query, fingerprints := randomWords(r, words), make([]uint64, r.IntN(100)*words)
		if r.IntN(20) == 0 {
			fingerprints = make([]uint64, r.IntN(1500)*words)
		}
		fill(r, fingerprints, query, 1+r.IntN(60))
		k := r.IntN(10 * words)
		if r.IntN(8) == 0 {
			k = r.IntN(65*words) - 1
		}
		if err := comparePlanes(tiers[r.IntN(len(tiers))], fingerprints, query, k); err != nil {
			t.Fatal(err)
		}
	}
}
