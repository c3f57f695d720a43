package main

import (
	"fmt"

	"simhashkit/fphash"
)

// hashPerBit has f functions of one family, under unrelated seeds, and takes the lowest bit of
// each.
//
// It is written as well as it can be: each function hashes all indices at once, by the family's
// kernel, and the bits become codes, which are summed as all codes are. The evaluations remain, f a
// feature.
type hashPerBit struct {
	family    fphash.Family
	bits      int
	functions []fphash.Hash
	hashes    []uint64 // of the indices of a vector, under one function
	codes     []uint64 // of the same, all words 0 first
}

func (h *hashPerBit) Name() string { return HashPerBit }

// TableBytes is that of one seed a function.
func (h *hashPerBit) TableBytes(uint64) uint64 { return 8 * uint64(h.bits) }

func (h *hashPerBit) Prepare(_, keying uint64) error {
	seeds := keyed(HashPerBit, keying)
	h.functions = h.functions[:0]
	for range h.bits {
		function, err := h.family.New(fphash.Key{Seed: seeds.Uint64()})
		if err != nil {
			return fmt.Errorf("projections: %s: %w", h.family.Name, err)
		}
		h.functions = append(h.functions, function)
	}
	return nil
}

func (h *hashPerBit) Append(dst, indices []uint64, weights []float32) []uint64 {
	lengths(indices, weights)
	n := len(indices)
	h.hashes = grown(h.hashes, n*h.family.Words())
	h.codes = grown(h.codes, n*words(h.bits))
	for t := range words(h.bits) {
		codes := h.codes[t*n : (t+1)*n]
		clear(codes)
		for j := min(64*t+64, h.bits) - 1; j >= 64*t; j-- {
			h.functions[j].HashUint64s(h.hashes, indices)
			for i, hash := range h.hashes[:n] {
				codes[i] = codes[i]<<1 | hash&1
			}
		}
	}
	return appendSigns(dst, h.codes, weights, h.bits)
}

func (h *hashPerBit) AppendRow(dst []float32, index uint64) []float32 {
	code := make([]uint64, words(h.bits))
	hash := make([]uint64, h.family.Words())
	for j, function := range h.functions {
		function.HashUint64s(hash, []uint64{index})
		code[j/64] |= hash[0] & 1 << (j % 64)
	}
	return appendEntries(dst, code, h.bits)
}
