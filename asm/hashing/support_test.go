package hashing

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math/bits"
	"math/rand/v2"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/kernels"
)

// hashCall is a kernel or the dispatch of any op. An op with a seed uses the first word of the
// secret as the seed, and an op without a seed ignores the secret.
type hashCall = func(dst, keys []uint64, secret *[4]uint64)

type op struct {
	name     string
	file     string // prefix of the names of its assembly files
	words    int    // of a code
	kernels  []kernels.Implementation[hashCall]
	dispatch hashCall
	oracle   func(key uint64, secret *[4]uint64) []uint64 // an independent implementation for one key
	// recorded hashes of its outputs
	verification []uint64
}

func (o op) frozen(verification ...uint64) op {
	o.verification = verification
	return o
}

func seededOp(name string, table []cpu.Tier, at func(tier cpu.Tier, dst, keys []uint64, seed uint64), dispatch func(dst, keys []uint64, seed uint64), oracle func(key, seed uint64) uint64) op {
	return seededWordsOp(name, name, 1, table, at, dispatch, func(key, seed uint64) []uint64 { return []uint64{oracle(key, seed)} })
}

func seededWordsOp(name, file string, words int, table []cpu.Tier, at func(tier cpu.Tier, dst, keys []uint64, seed uint64), dispatch func(dst, keys []uint64, seed uint64), oracle func(key, seed uint64) []uint64) op {
	o := op{name: name, file: file, words: words, oracle: func(key uint64, secret *[4]uint64) []uint64 { return oracle(key, secret[0]) }}
	adapt := func(f func(dst, keys []uint64, seed uint64)) func(dst, keys []uint64, secret *[4]uint64) {
		return func(dst, keys []uint64, secret *[4]uint64) { f(dst, keys, secret[0]) }
	}
	o.dispatch = adapt(dispatch)
	o.kernels = kernels.List(table, func(tier cpu.Tier) hashCall {
		return adapt(func(dst, keys []uint64, seed uint64) { at(tier, dst, keys, seed) })
	})
	return o
}

func unseededOp(name, file string, words int, table []cpu.Tier, at func(tier cpu.Tier, dst, keys []uint64), dispatch func(dst, keys []uint64), oracle func(key uint64) []uint64) op {
	o := op{name: name, file: file, words: words, oracle: func(key uint64, _ *[4]uint64) []uint64 { return oracle(key) }}
	adapt := func(f func(dst, keys []uint64)) func(dst, keys []uint64, secret *[4]uint64) {
		return func(dst, keys []uint64, _ *[4]uint64) { f(dst, keys) }
	}
	o.dispatch = adapt(dispatch)
	o.kernels = kernels.List(table, func(tier cpu.Tier) hashCall {
		return adapt(func(dst, keys []uint64) { at(tier, dst, keys) })
	})
	return o
}

// digestOp returns an op that hashes keys alone.
func digestOp(file string, words int, table []cpu.Tier, at func(tier cpu.Tier, dst, keys []uint64, counter byte), dispatch func(dst, keys []uint64, counter byte), oracle func(message []byte) []byte) op {
	o := counterOp(file, words, table, func(tier cpu.Tier, dst, keys []uint64, _ byte) { at(tier, dst, keys, 0) }, func(dst, keys []uint64, _ byte) { dispatch(dst, keys, 0) }, oracle)
	alone := o.oracle
	o.name, o.oracle = file, func(key uint64, _ *[4]uint64) []uint64 { return alone(key, new([4]uint64)) }
	return o
}

// counterOp returns an op that hashes keys followed by a ninth byte, unless that is 0. It is the
// lowest byte of the secret.
func counterOp(file string, words int, table []cpu.Tier, at func(tier cpu.Tier, dst, keys []uint64, counter byte), dispatch func(dst, keys []uint64, counter byte), oracle func(message []byte) []byte) op {
	o := op{name: file + "-counter", file: file, words: words, oracle: func(key uint64, secret *[4]uint64) []uint64 {
		message := append(binary.LittleEndian.AppendUint64(nil, key), byte(secret[0]))
		if message[8] == 0 {
			message = message[:8]
		}
		return digestWords(oracle(message))
	}}
	adapt := func(f func(dst, keys []uint64, counter byte)) func(dst, keys []uint64, secret *[4]uint64) {
		return func(dst, keys []uint64, secret *[4]uint64) { f(dst, keys, byte(secret[0])) }
	}
	o.dispatch = adapt(dispatch)
	o.kernels = kernels.List(table, func(tier cpu.Tier) hashCall {
		return adapt(func(dst, keys []uint64, counter byte) { at(tier, dst, keys, counter) })
	})
	return o
}

func keyedOp(name string, words int, table []cpu.Tier, at func(tier cpu.Tier, dst, keys []uint64, key *[4]uint64), dispatch func(dst, keys []uint64, key *[4]uint64)) op {
	o := op{name: name, file: "highway", words: words, dispatch: dispatch}
	o.kernels = kernels.List(table, func(tier cpu.Tier) hashCall {
		return func(dst, keys []uint64, key *[4]uint64) { at(tier, dst, keys, key) }
	})
	// TestHighwayAgainstTheLibrary compares this generic code with the library
	o.oracle = func(key uint64, secret *[4]uint64) []uint64 {
		code := make([]uint64, words)
		at(cpu.Generic, code, []uint64{key}, secret)
		return code
	}
	return o
}

// sipHashOp takes the first two words of the secret.
func sipHashOp() op {
	o := op{name: "siphash", file: "siphash", words: 1, oracle: func(key uint64, secret *[4]uint64) []uint64 {
		return []uint64{sipHashOracle(key, secret[0], secret[1])}
	}}
	adapt := func(f func(dst, keys []uint64, key *[2]uint64)) hashCall {
		return func(dst, keys []uint64, secret *[4]uint64) { f(dst, keys, (*[2]uint64)(secret[:])) }
	}
	o.dispatch = adapt(SipHash)
	o.kernels = kernels.List(sipHashKernels, func(tier cpu.Tier) hashCall {
		return adapt(func(dst, keys []uint64, key *[2]uint64) { sipHashAt(tier, dst, keys, key) })
	})
	return o
}

func fnvOracle(library func() hash.Hash64) func(key uint64) []uint64 {
	return func(key uint64) []uint64 {
		h := library()
		h.Write(binary.LittleEndian.AppendUint64(nil, key))
		return []uint64{h.Sum64()}
	}
}

func md5Digest(message []byte) []byte    { d := md5.Sum(message); return d[:] }
func sha1Digest(message []byte) []byte   { d := sha1.Sum(message); return d[:] }
func sha256Digest(message []byte) []byte { d := sha256.Sum256(message); return d[:] }

// digestWords reads the digest as little-endian words, the last one padded with zeros.
func digestWords(digest []byte) (words []uint64) {
	for ; len(digest) >= 8; digest = digest[8:] {
		words = append(words, binary.LittleEndian.Uint64(digest))
	}
	if len(digest) > 0 {
		words = append(words, uint64(binary.LittleEndian.Uint32(digest)))
	}
	return words
}

// xxh64Oracle follows the specification of XXH64 for 8 bytes: the remaining lane, then the
// avalanche. Do not change it.
func xxh64Oracle(key, seed uint64) uint64 {
	acc := seed + 2870177450012600261 + 8
	lane := key * 14029467366897019727
	lane = bits.RotateLeft64(lane, 31)
	acc ^= lane * 11400714785074694791
	acc = bits.RotateLeft64(acc, 27)
	acc = acc*11400714785074694791 + 9650029242287828579
	acc ^= acc >> 33
	acc *= 14029467366897019727
	acc ^= acc >> 29
	acc *= 1609587929392839161
	acc ^= acc >> 32
	return acc
}

// onImplementations runs body for every op on every kernel that can run here, and on the dispatch
// at every tier.
func onImplementations(t *testing.T, body func(t *testing.T, o op, hash func(dst, keys []uint64, secret *[4]uint64))) {
	for _, o := range ops {
		kernels.OnEach(t, o.name+"/", o.kernels, o.dispatch, func(t *testing.T, call hashCall) { body(t, o, call) })
	}
}

// randomKeys returns keys of all magnitudes. Some have bytes of all zeros or all ones.
func randomKeys(r *rand.Rand, n int) []uint64 {
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = r.Uint64() >> r.IntN(64)
		if r.IntN(4) == 0 {
			keys[i] |= 0xFF << (8 * r.IntN(8))
			keys[i] &^= 0xFF << (8 * r.IntN(8))
		}
	}
	return keys
}

func randomSecret(r *rand.Rand) *[4]uint64 {
	return &[4]uint64{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
}

// codes returns the oracle's hashes of the keys: word 0 of all keys, then word 1, and so on.
func (o op) codes(keys []uint64, secret *[4]uint64) []uint64 {
	all := make([]uint64, o.words*len(keys))
	for i, key := range keys {
		for t, word := range o.oracle(key, secret) {
			all[t*len(keys)+i] = word
		}
	}
	return all
}
