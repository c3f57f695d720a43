package conventions

import (
	"crypto/sha1"
	"encoding/binary"
	"math"
	"strings"

	"simhashkit/fphash"
)

// Hashed is a feature in a hashed vector: the value of the feature, times Sign, is added to the
// column.
type Hashed struct {
	Column uint32
	Sign   float64 // +1 or -1
}

// AppendFeatureHasher appends the columns and signs that FeatureHasher of scikit-learn gives to the
// features, with n_features columns. FeatureHasher makes the feature "name=value" of a value that
// is a string. With alternate_sign=False it ignores the signs. It panics if columns is not in the
// range 1 to 2^31-1.
func AppendFeatureHasher(dst []Hashed, columns int, features []string) []Hashed {
	if columns < 1 || columns > math.MaxInt32 {
		panic("conventions: FeatureHasher has 1 to 2147483647 columns")
	}
	for _, code := range murmur32(0, features) {
		magnitude, sign := uint32(code), 1.0
		if int32(code) < 0 {
			magnitude, sign = -magnitude, -1
		}
		dst = append(dst, Hashed{magnitude % uint32(columns), sign})
	}
	return dst
}

// AppendVowpalWabbit appends the indices that Vowpal Wabbit gives to the features of a namespace
// with -b bits and its default --hash strings. The default namespace is "". It panics if bits is
// not in the range 1 to 32.
func AppendVowpalWabbit(dst []uint32, bits int, namespace string, features []string) []uint32 {
	if bits < 1 || bits > 32 {
		panic("conventions: Vowpal Wabbit has indices of 1 to 32 bits")
	}
	space, mask := vowpalWabbitHash(0, []string{namespace})[0], ^uint32(0)>>(32-bits)
	for _, h := range vowpalWabbitHash(space, features) {
		dst = append(dst, uint32(h)&mask)
	}
	return dst
}

// vowpalWabbitHash returns 32-bit hashes, which for decimal digits are their number plus the seed.
func vowpalWabbitHash(seed uint64, features []string) []uint64 {
	codes := murmur32(seed, features)
	for i, feature := range features {
		if strings.Trim(feature, "0123456789") == "" {
			number := uint64(0)
			for _, digit := range []byte(feature) {
				number = 10*number + uint64(digit-'0')
			}
			codes[i] = uint64(uint32(number + seed))
		}
	}
	return codes
}

// murmur32 returns the codes of the features by murmur3-32.
func murmur32(seed uint64, features []string) []uint64 {
	family, err := fphash.Lookup("murmur3-32")
	if err != nil {
		panic(err) // the hash is built in
	}
	h, err := family.New(fphash.Key{Seed: seed})
	if err != nil {
		panic(err) // the hash takes every seed
	}
	var data []byte
	ends := make([]int, len(features))
	for i, feature := range features {
		data = append(data, feature...)
		ends[i] = len(data)
	}
	codes := make([]uint64, len(features))
	h.(fphash.ByteHash).HashBytes(codes, data, ends)
	return codes
}

// Datasketch computes the hash values of MinHash of Python's datasketch with the scheme affine32,
// its default since version 2.0, and the default hash function. It is safe for concurrent use.
type Datasketch struct{ factors, terms []uint32 }

// NewDatasketch returns the functions of MinHash(num_perm=functions, seed=seed).
func NewDatasketch(functions int, seed uint32) *Datasketch {
	random := newMersenneTwister(seed)
	d := &Datasketch{make([]uint32, functions), make([]uint32, functions)}
	for i := range d.factors {
		d.factors[i] = random.next()<<1 | 1
	}
	for i := range d.terms {
		d.terms[i] = random.next()
	}
	return d
}

// Append appends the hash values of a set of features, one for each function.
func (d *Datasketch) Append(dst []uint32, features [][]byte) []uint32 {
	start := len(dst)
	for range d.factors {
		dst = append(dst, math.MaxUint32)
	}
	minima := dst[start:]
	for _, feature := range features {
		sum := sha1.Sum(feature)
		h := binary.LittleEndian.Uint32(sum[:])
		h = (h ^ h>>16) * 0x85EBCA6B
		h = (h ^ h>>13) * 0xC2B2AE35
		h ^= h >> 16
		for i, factor := range d.factors {
			minima[i] = min(minima[i], factor*h+d.terms[i])
		}
	}
	return dst
}

// mersenneTwister is MT19937 (Matsumoto and Nishimura 1998), the generator of numpy's RandomState.
type mersenneTwister struct {
	state [624]uint32
	at    int
}

func newMersenneTwister(seed uint32) *mersenneTwister {
	m := new(mersenneTwister)
	m.state[0] = seed
	for i := 1; i < len(m.state); i++ {
		before := m.state[i-1]
		m.state[i] = 1812433253*(before^before>>30) + uint32(i)
	}
	return m
}

func (m *mersenneTwister) next() uint32 {
	const n, ahead = len(m.state), 397
	i := m.at
	m.at = (i + 1) % n
	x := m.state[i]&(1<<31) | m.state[m.at]&(1<<31-1)
	m.state[i] = m.state[(i+ahead)%n] ^ x>>1 ^ -(x&1)&0x9908B0DF
	y := m.state[i]
	y ^= y >> 11
	y ^= y << 7 & 0x9D2C5680
	y ^= y << 15 & 0xEFC60000
	return y ^ y>>18
}
