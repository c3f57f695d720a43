package main

import (
	"fmt"
	"slices"
	"strings"
)

// hashFile describes the assembly files of one hash, or of several hashes that share them. Each is
// registered next to the function that emits it.
type hashFile struct {
	name string // prefix of the names of its files
	emit func(hashLanes)
	only string // the only tier with kernels, if the other one would not be faster
	neon bool   // there are also kernels for arm64, written by hand
	ops  []hashOp
}

// hashOp is a function of package asm/hashing.
type hashOp struct {
	name  string
	hash  string // its name in package fphash
	words int    // of a code
	param string // parameter besides the keys, such as "seed uint64"
	// how amd64 calls the kernels; nil if the dispatch is written by hand
	dispatch *dispatch
}

// dispatch describes calls of kernels whose arguments are the keys and values computed from the
// parameter.
type dispatch struct {
	prepare string // a statement before the call
	args    string // arguments of the kernels after the keys
	// Fewer keys than these are hashed faster one by one; 0 stands for any number.
	leastAVX512, leastAVX2 int
	anyNumber              bool // the AVX2 kernel accepts any number of keys, not only multiples of 4
	scratch                int  // number of scratch words that the AVX2 kernel needs
}

const (
	unseeded    = ""
	seeded      = "seed uint64"
	withCounter = "counter byte"
)

// hashFiles lists all registered files, in no particular order.
var hashFiles []hashFile

// hashes registers files. The files that emit hashes call it to initialise a variable.
func hashes(list ...hashFile) struct{} {
	hashFiles = append(hashFiles, list...)
	return struct{}{}
}

const hashFolder = "asm/hashing"

// listHashes returns the assembly files of all hashes, sorted by name.
func listHashes() (list []kernelFile) {
	slices.SortFunc(hashFiles, func(a, b hashFile) int { return strings.Compare(a.name, b.name) })
	for _, f := range hashFiles {
		emit := func(v vectors) { f.emit(newHashLanes(v)) }
		k := kernelFile{folder: hashFolder, name: f.name, neon: f.neon, avx2: emit, avx512: emit}
		switch f.only {
		case "avx2":
			k.avx512 = nil
		case "avx512":
			k.avx2 = nil
		}
		for _, h := range f.ops {
			o := op{name: h.name, params: "dst, keys []uint64", check: "sameLength(len(dst), len(keys))", hash: &h}
			if h.param != "" {
				o.params += ", " + h.param
			}
			if h.words > 1 {
				o.check = fmt.Sprintf("roomFor(%d, len(dst), len(keys))", h.words)
			}
			if h.dispatch == nil {
				o.byHand = "amd64"
			}
			k.ops = append(k.ops, o)
		}
		list = append(list, k)
	}
	return list
}

// least returns the smallest number of keys for the kernels of a tier, and the name of a constant
// for it.
func (h hashOp) least(tier string) (least int, name string) {
	name = "least" + strings.ToUpper(h.name[:1]) + h.name[1:] + tier
	if tier == "AVX2" {
		return h.dispatch.leastAVX2, name
	}
	return h.dispatch.leastAVX512, name
}

// cutoffs returns the constants for the smallest numbers of keys.
func (h hashOp) cutoffs(tiers []string) string {
	var list text
	for _, tier := range tiers {
		if least, name := h.least(tier); least > 0 {
			list.add("%s = %d\n", name, least)
		}
	}
	if list.Len() == 0 {
		return ""
	}
	return "\n// Fewer keys than these are hashed faster one by one.\nconst (\n" + list.String() + ")\n"
}

// kernel returns the condition for calling the kernel of a tier, and the call.
func (h hashOp) kernel(tier string) (where, call string) {
	if least, name := h.least(tier); least > 0 {
		where = "len(keys) >= " + name
	}
	d := h.dispatch
	var t text
	t.add("%s\n", d.prepare)
	args := d.args
	if d.scratch > 0 && tier == "AVX2" {
		t.add("var scratch [%d]uint64\n", d.scratch)
		args += ", &scratch"
	}
	if args != "" {
		args = ", " + args
	}
	param := names(", " + h.param)
	switch {
	case tier == "AVX512" || d.anyNumber:
		t.add("%s%s(dst, keys%s)\n", h.name, tier, args)
	case h.words > 1:
		t.add("whole := len(keys) &^ 3\n%s%s(dst, keys[:whole]%s)\n", h.name, tier, args)
		t.add("%sEach(dst[whole:], keys[whole:], len(keys)%s)\n", h.name, param)
	default:
		t.add("whole := len(keys) &^ 3\n%s%s(dst[:whole], keys[:whole]%s)\n", h.name, tier, args)
		t.add("%sGeneric(dst[whole:], keys[whole:]%s)\n", h.name, strings.TrimSuffix(param, ", "))
	}
	return where, strings.TrimPrefix(t.String(), "\n")
}
