package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"simhashkit/fphash"
)

// Names of the methods.
const (
	Gaussian     = "gaussian"       // stored normal entries
	Rademacher   = "rademacher"     // stored signs
	HashPerBit   = "hash-per-bit"   // f hash functions
	HashPerIndex = "hash-per-index" // one hash of f bits
)

// Methods returns the names of the methods, those that store first.
func Methods() []string { return []string{Gaussian, Rademacher, HashPerBit, HashPerIndex} }

// Method is one way to project vectors. It is not safe for concurrent use.
type Method interface {
	// Name returns one of Methods.
	Name() string
	// Prepare draws the random entries for vectors of that many dimensions; another keying draws
	// others, independent of them. The error wraps ErrMemory if they do not fit. It can be called
	// again, and uses again the memory that it has.
	Prepare(dimensions, keying uint64) error
	// TableBytes returns the bytes of the random entries for that many dimensions, or of the seeds
	// that stand for them.
	TableBytes(dimensions uint64) uint64
	// Append appends the fingerprint, ceil(f/64) words, of the vector whose value in dimension
	// indices[i] is weights[i]; weights are finite, and sums too. It panics if Prepare has not been
	// called, if the lengths differ, or if an entry is stored and its index is not below the
	// dimensions. It allocates only if dst has no room or the vector is longer than all before.
	Append(dst, indices []uint64, weights []float32) []uint64
	// AppendRow appends the f entries of one dimension: what Append multiplies its weight with. It
	// is slow, for checks.
	AppendRow(dst []float32, index uint64) []float32
}

// ErrMemory says that a matrix would be larger than the memory limit; test for it by errors.Is.
var ErrMemory = errors.New("projections: beyond the memory limit")

// Limits of memory for the entries of one method.
const (
	DefaultMemoryLimit   = 1 << 30 // 1 GiB, which machines have to spare
	defaultMemoryLimit32 = 1 << 28 // where addresses have 32 bits
)

// Config says how methods are made. The zero value stands for the defaults.
type Config struct {
	// a registered seeded or keyed family, of HashPerBit and HashPerIndex; "": xxh64
	Hash string
	// in bytes, of a stored matrix; 0: DefaultMemoryLimit, a quarter of it on 32-bit machines
	MemoryLimit uint64
}

// New returns the method of that name for fingerprints of that many bits, 1 to fphash.MaxBits.
// Where HashPerIndex needs more bits than the hash has, they come from fphash.WidenMix. The error
// says what is unknown or out of range; a hash without seeds or a key is refused, since there is
// but one of it.
func New(name string, bits int, c Config) (Method, error) {
	if bits < 1 || bits > fphash.MaxBits {
		return nil, fmt.Errorf("projections: width of %d bits, expected 1 to %d", bits, fphash.MaxBits)
	}
	if c.MemoryLimit == 0 {
		c.MemoryLimit = DefaultMemoryLimit
		if math.MaxInt == math.MaxInt32 {
			c.MemoryLimit = defaultMemoryLimit32
		}
	}
	if c.Hash == "" {
		c.Hash = fphash.DefaultHash
	}
	switch name {
	case Gaussian:
		return &gaussian{stored: stored{bits: bits, limit: c.MemoryLimit}}, nil
	case Rademacher:
		return &rademacher{stored: stored{bits: bits, limit: c.MemoryLimit}}, nil
	case HashPerBit, HashPerIndex:
		family, err := fphash.Lookup(c.Hash)
		if err != nil {
			return nil, fmt.Errorf("projections: %w", err)
		}
		if !family.Seeded && family.KeyBytes == 0 {
			return nil, fmt.Errorf("projections: hash %s takes no seed, and %s needs many functions: choose a seeded or keyed one, such as xxh64", c.Hash, name)
		}
		if name == HashPerBit {
			return &hashPerBit{family: family, bits: bits}, nil
		}
		if family.Bits < bits {
			if family, err = family.Widen(fphash.WidenMix, bits); err != nil {
				return nil, fmt.Errorf("projections: %w", err)
			}
		}
		return &hashPerIndex{family: family, bits: bits}, nil
	}
	return nil, fmt.Errorf("projections: unknown method %q; the methods are %s", name, strings.Join(Methods(), ", "))
}

// keyed returns the source of random bits of a keying: ChaCha8, so that no pattern of a lesser
// generator meets one of a hash. Methods take different streams, since the same bits in two of them
// would make their errors alike.
func keyed(stream string, keying uint64) *rand.ChaCha8 {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], keying)
	copy(key[8:], stream)
	return rand.NewChaCha8(key)
}

// stored is what methods with a matrix share.
type stored struct {
	bits  int
	limit uint64
}

// words is the number of words of a fingerprint.
func words(bits int) int { return (bits + 63) / 64 }

// lengths panics unless there is a weight for each index.
func lengths(indices []uint64, weights []float32) {
	if len(indices) != len(weights) {
		panic(fmt.Sprintf("projections: %d indices but %d weights", len(indices), len(weights)))
	}
}

// outside panics: some index is not that of a row.
func outside(dimensions int) {
	panic(fmt.Sprintf("projections: an index is not below %d, the number of dimensions that were prepared", dimensions))
}

// fits returns the dimensions as an int, or an error if the matrix of that many bytes is larger
// than what is allowed or can be addressed.
func (s stored) fits(dimensions, bytes uint64) (int, error) {
	if dimensions == 0 {
		return 0, errors.New("projections: 0 dimensions")
	}
	if limit := min(s.limit, math.MaxInt); bytes > limit || dimensions > math.MaxInt {
		return 0, fmt.Errorf("%w: %d bits × %d dimensions take %s, %s are allowed", ErrMemory, s.bits, dimensions, size(bytes), size(limit))
	}
	return int(dimensions), nil
}

// size writes a number of bytes for people.
func size(bytes uint64) string {
	units, value := []string{"bytes", "kB", "MB", "GB", "TB", "PB", "EB"}, float64(bytes)
	for value >= 1000 && len(units) > 1 {
		value, units = value/1000, units[1:]
	}
	return fmt.Sprintf("%.4g %s", value, units[0])
}

// product returns a·b, or the greatest number if that is less.
func product(a, b uint64) uint64 {
	if a > 0 && b > math.MaxUint64/a {
		return math.MaxUint64
	}
	return a * b
}
