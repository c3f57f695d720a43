package bench

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"simhashkit/asm/accumulate"
	"simhashkit/asm/cpu"
	"simhashkit/asm/hamming"
	"simhashkit/asm/hashing"
	"simhashkit/asm/minhash"
	"simhashkit/bench/quality"
	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/bench/libraries"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/gobench/benchname"
)

// hashOf hashes keys of one encoding with each hash.
type hashOf struct {
	hashes    []string
	encodings []fphash.Encoding
	sizes     []int // keys in a call
	kernels   pick
}

func (p hashOf) addTo(g *grid) error {
	families, err := g.families(p.hashes)
	for _, family := range families {
		for _, encoding := range choose(g.Encodings, p.encodings) {
			if family.Integer && encoding != fphash.LE64 {
				continue
			}
			var table []cpu.Tier
			if encoding != fphash.Dec { // no kernel hashes keys of different lengths
				table = hashTable(family.Name)
			}
			var others []string
			if _, ok := libraries.Of(family); ok || len(table) == 0 {
				others = []string{terms.Library}
			}
			for _, v := range g.variants(p.kernels, table, others...) {
				for _, n := range p.sizes {
					g.put(timedCase{
						Name: benchname.New(terms.Hash, "hash", family.Name, "encoding", encoding.String(), "kernel", v.kernel, "n", strconv.Itoa(n)),
						Unit: terms.NanosecondsPerKey,
						tier: v.tier,
						prepare: func(*inputs) (*trial, error) {
							return hashTrial(family, encoding, v.kernel == terms.Library, n)
						},
					})
				}
			}
		}
	}
	return err
}

func plainKey(f fphash.Family) fphash.Key {
	if f.KeyBytes == 0 {
		return fphash.Key{}
	}
	return fphash.Key{Bytes: make([]byte, f.KeyBytes)}
}

func hashTrial(family fphash.Family, encoding fphash.Encoding, library bool, n int) (*trial, error) {
	timed := family
	if library {
		timed, _ = libraries.Of(family)
	}
	hash, err := timed.New(plainKey(family))
	if err != nil {
		return nil, err
	}
	codes, err := quality.Encoded(hash, encoding)
	if err != nil {
		return nil, err
	}
	keys, dst := randomWords(1, n), make([]uint64, n*family.Words())
	return &trial{
		family: &family,
		per:    n,
		loop: func(times int) {
			for range times {
				codes(dst, keys)
			}
			sink ^= dst[0]
		},
		verify: func() error { return sameCodes(family, encoding, keys, dst, codes) },
	}, nil
}

// verified caches the results of verifyFamily, which is slow.
var verified sync.Map

// verifyFamily computes the verification code of f at the active tier, and compares it with the
// recorded code.
func verifyFamily(f fphash.Family) error {
	// the name alone is not unique: callers may pass another function under the name of a hash
	name := fmt.Sprint(f.Name, " ", reflect.ValueOf(f.New).Pointer(), " ", cpu.Active())
	if err, done := verified.Load(name); done {
		return *err.(*error)
	}
	err := f.Verify()
	verified.Store(name, &err)
	return err
}

// sameCodes compares codes with those of one key at a time: of the library if it hashes such keys.
func sameCodes(family fphash.Family, encoding fphash.Encoding, keys, dst []uint64, codes func(dst, keys []uint64)) error {
	library, ok := libraries.Of(family)
	plain, err := library.New(plainKey(family))
	if err != nil {
		return err
	}
	codes(dst, keys)
	n, want := len(keys), make([]uint64, family.Words())
	for i, k := range keys {
		if family.Integer || ok && encoding == fphash.LE64 {
			plain.HashUint64s(want, []uint64{k})
		} else {
			key := encoding.AppendIndex(nil, k)
			plain.(fphash.ByteHash).HashBytes(want, key, []int{len(key)})
		}
		for t, w := range want {
			if got := dst[t*n+i]; got != w {
				return wrongAnswer{fmt.Sprintf("key %d word %d", i, t), got, w}
			}
		}
	}
	return nil
}

const mapHashName = "maphash"

// mapHash is the hash of Go maps and of package hash/maphash. It differs in every process, so it is
// only timed: its quality is not computed, and package fphash does not offer it.
var mapHash = fphash.Family{
	Name: mapHashName, Bits: 64,
	New: func(fphash.Key) (fphash.Hash, error) { return goMapHash{}, nil },
}

// mapHashSeed is shared, so that all hashes of this process compute the same codes.
var mapHashSeed = maphash.MakeSeed()

type goMapHash struct{}

func (goMapHash) HashUint64s(dst, keys []uint64) {
	dst = dst[:len(keys)]
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		dst[i] = maphash.Bytes(mapHashSeed, b[:])
	}
}

func (goMapHash) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = maphash.Bytes(mapHashSeed, data[start:end])
		start = end
	}
}

// timedNames lists the hashes to time: familyNames and mapHash.
func timedNames() []string { return append(familyNames(), mapHashName) }

func timedFamily(name string) (fphash.Family, error) {
	if name == mapHashName {
		return mapHash, nil
	}
	return fphash.Lookup(name)
}

// Op is an operation with its kernels, fastest first.
type Op struct {
	Name    string // "hash xxh64", "accumulate f32", "hamming scan"
	Kernels []cpu.Tier
}

// Used returns the kernel that the operation uses if kernels are limited to tier.
func (o Op) Used(tier cpu.Tier) cpu.Tier {
	for _, k := range o.Kernels {
		if k <= tier {
			return k
		}
	}
	return o.Kernels[len(o.Kernels)-1]
}

// Ops returns all operations that have kernels.
func Ops() []Op {
	var ops []Op
	for _, f := range fphash.Families() {
		if table := hashTable(f.Name); len(table) > 0 {
			ops = append(ops, Op{"hash " + f.Name, table})
		}
	}
	for _, w := range datasets.WeightTypes() {
		ops = append(ops, Op{"accumulate " + w, kernelsOf(w)})
	}
	return append(ops, Op{"hamming scan", hamming.Kernels("scan")}, Op{"hamming near pairs", hamming.Kernels("near")},
		Op{"minhash", minhash.Kernels()}, Op{"memory read", hamming.Kernels("read")})
}

// hashTable returns the kernels of a family, or nil for identity and unregistered families.
func hashTable(family string) []cpu.Tier {
	if table := hashing.Kernels(family); table != nil || family == "identity" {
		return table
	}
	if _, err := fphash.Lookup(family); err != nil {
		return nil
	}
	return []cpu.Tier{cpu.Generic}
}

// kernelsOf returns the kernels that accumulate a type of weights.
func kernelsOf(weights string) []cpu.Tier {
	if weights == set {
		return minhash.Kernels()
	}
	return accumulate.Kernels(weights)
}

// tiersOf returns the tiers up to most that have an available kernel, slowest first.
func tiersOf(most cpu.Tier, kernels []cpu.Tier) []cpu.Tier {
	var tiers []cpu.Tier
	for _, k := range kernels {
		if k <= most && k.Available() && !slices.Contains(tiers, k) {
			tiers = append(tiers, k)
		}
	}
	slices.Sort(tiers)
	return tiers
}

// checkKernel returns an error if name is not a kernel, cannot run on this processor, or is above
// the tier most.
func checkKernel(name string, most cpu.Tier) error {
	if name == terms.Naive || name == terms.Library {
		return nil
	}
	t, err := cpu.ParseTier(name)
	if err != nil {
		all := append([]string{terms.Naive, terms.Library}, namesOf(cpu.Tiers(""), cpu.Tier.String)...)
		return fmt.Errorf("bench: unknown kernel %q; the kernels are %s", name, strings.Join(all, ", "))
	}
	if missing := t.Needs() &^ cpu.Detected(); missing != 0 {
		return fmt.Errorf("bench: kernel %s cannot run here: this processor lacks %v", name, missing)
	}
	if t > most {
		return fmt.Errorf("bench: kernel %s is above %v, the limit set by %s", name, most, cpu.Variable)
	}
	return nil
}
