package bench

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"strconv"
	"sync"

	"simhashkit/asm/cpu"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/libraries"
	"simhashkit/bench/quality"
	"simhashkit/bench/terms"
	"simhashkit/fphash"
)

func (g *grid) addHashes(p part) {
	for _, family := range p.families {
		for _, encoding := range p.encodings {
			if family.Integer && encoding != fphash.LE64 {
				continue
			}
			var table []cpu.Kernel
			if encoding != fphash.Dec { // keys of differing lengths have no batch kernels
				table = hashTable(family.Name)
			}
			var others []string
			if _, ok := libraries.Of(family); ok || len(table) == 0 {
				others = []string{terms.Library}
			}
			for _, v := range g.variants(p, table, others...) {
				for _, n := range p.sizes {
					g.put(Case{
						Name: benchname.New(terms.Hash, "hash", family.Name, "encoding", encoding.String(), "kernel", v.kernel, "n", strconv.Itoa(n)),
						Unit: terms.NanosecondsPerKey,
						tier: v.tier,
						prepare: func(*Inputs) (*trial, error) {
							return hashTrial(family, encoding, v.kernel == terms.Library, n)
						},
					})
				}
			}
		}
	}
}

// plainKey is seed 0 or the key of zero bytes.
func plainKey(f fphash.Family) fphash.Key {
	if f.KeyBytes == 0 {
		return fphash.Key{}
	}
	return fphash.Key{Bytes: make([]byte, f.KeyBytes)}
}

// libraryOf returns the family's function by the plain calls of its library, or as it is where it
// has none.
func libraryOf(f fphash.Family) (fphash.Hash, error) {
	library, _ := libraries.Of(f)
	return library.New(plainKey(f))
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
		per: n,
		loop: func(times int) {
			for range times {
				codes(dst, keys)
			}
			sink ^= dst[0]
		},
		verify: func() error {
			if err := verifyFamily(family); err != nil {
				return err
			}
			return sameCodes(family, encoding, keys, dst, codes)
		},
	}, nil
}

// verified remembers the outcome of verifyFamily, which costs too much to be repeated for every
// case.
var verified sync.Map

// verifyFamily compares the family's verification code, computed at the tier that is active and by
// the library's calls, with the frozen one. It does so once for each.
func verifyFamily(f fphash.Family) error {
	// another function may have the name of a hash
	name := fmt.Sprint(f.Name, " ", reflect.ValueOf(f.New).Pointer(), " ", cpu.Active())
	if err, done := verified.Load(name); done {
		return err.(outcome).err
	}
	err := f.Verify()
	if library, ok := libraries.Of(f); ok && err == nil {
		if err = library.Verify(); err != nil {
			err = fmt.Errorf("by the library's calls: %w", err)
		}
	}
	verified.Store(name, outcome{err})
	return err
}

// outcome makes an error, which may be nil, into something that can be kept.
type outcome struct{ err error }

// sameCodes compares the codes of the keys with those of the library, computed one key at a time.
func sameCodes(family fphash.Family, encoding fphash.Encoding, keys, dst []uint64, codes func(dst, keys []uint64)) error {
	plain, err := libraryOf(family)
	if err != nil {
		return err
	}
	codes(dst, keys)
	n, want := len(keys), make([]uint64, family.Words())
	for i, k := range keys {
		if text, ok := plain.(fphash.ByteHash); ok && !family.Integer {
			key := encoding.AppendIndex(nil, k)
			text.HashBytes(want, key, []int{len(key)})
		} else if encoding == fphash.LE64 {
			plain.HashUint64s(want, []uint64{k})
		} else {
			plain.HashUint64s(want, []uint64{binary.LittleEndian.Uint64(encoding.AppendIndex(nil, k))})
		}
		for t, w := range want {
			if got := dst[t*n+i]; got != w {
				return wrongAnswer{fmt.Sprintf("key %d word %d", i, t), got, w}
			}
		}
	}
	return nil
}
