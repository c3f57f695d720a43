package doctor

import (
	"fmt"
	"slices"

	"simhashkit/bench/quality"
)

// answers are the codes that a command gave, by key.
type answers struct {
	keys  []uint64 // ascending
	codes []uint64 // the words of a code together
	words int
}

// wanted returns the keys that measuring the workloads takes, ascending and without repeats. They
// are learnt by measuring a hash that only writes them down.
func wanted(list []*quality.Workload, bits, workers int) ([]uint64, error) {
	var all []uint64
	recorder := quality.OfFunc("recorder", bits, func(dst, keys []uint64) error {
		all = append(all, keys...)
		clear(dst)
		return nil
	})
	for _, w := range list {
		if _, err := w.Measure(recorder, workers); err != nil {
			return nil, err
		}
		slices.Sort(all)
		all = slices.Compact(all)
	}
	return slices.Clip(all), nil
}

// hash returns the answers as a hash. It is safe for concurrent use.
func (a *answers) hash(name string, bits int) quality.Hash {
	return quality.Hash{Name: name, Encoding: quality.OwnEncoding, Bits: bits, New: func(uint64) (quality.Codes, error) { return a.codesOf, nil }}
}

// codesOf is a quality.Codes.
func (a *answers) codesOf(dst, keys []uint64) error {
	for i, key := range keys {
		at, ok := slices.BinarySearch(a.keys, key)
		if !ok {
			return fmt.Errorf("doctor: key %d was not asked", key)
		}
		for t, word := range a.codes[at*a.words : (at+1)*a.words] {
			dst[t*len(keys)+i] = word
		}
	}
	return nil
}
