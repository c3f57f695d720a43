package conventions

import (
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/big"
	"slices"
	"strings"

	"github.com/dchest/siphash"
	"github.com/zeebo/blake3"

	"simhashkit/fphash"
)

// The models were written from the descriptions of the systems alone, bit by bit. Do not optimize
// them, and do not use functions of the package in them.

// binaryDigits has the bits of a code, '0' or '1', in the order in which the system prints them.
type binaryDigits string

func digitsOf(number uint64) binaryDigits { return binaryDigits(fmt.Sprintf("%064b", number)) }

func digitsOfBytes(data []byte) (digits binaryDigits) {
	for _, b := range data {
		digits += binaryDigits(fmt.Sprintf("%08b", b))
	}
	return digits
}

// hexOf writes bits as hexadecimal digits.
func hexOf(bits string) string {
	number, _ := new(big.Int).SetString("0"+bits, 2)
	return fmt.Sprintf("%0*x", (len(bits)+3)/4, number)
}

// models compute the code of a feature. A feature that is a hash has 8 big-endian bytes.
var models = map[string]func(feature string) binaryDigits{
	"mfonda": func(f string) binaryDigits {
		h := fnv.New64()
		h.Write([]byte(f))
		return digitsOf(h.Sum64())
	},
	"gitchander-hashes": numberOf,
	"seomoz":            numberOf,
	"go-simstore":       func(f string) binaryDigits { return digitsOf(siphash.Hash(0, 0, []byte(f))) },
	"yanyiwu":           lookup3Model,
	"1e0ng-64":          func(f string) binaryDigits { sum := md5.Sum([]byte(f)); return digitsOfBytes(sum[8:]) },
	"1e0ng-128":         func(f string) binaryDigits { sum := md5.Sum([]byte(f)); return digitsOfBytes(sum[:]) },
	"gaoya-64":          func(f string) binaryDigits { return digitsOf(siphash.Hash(0, 0, []byte(f+"\xff"))) },
	"gaoya-128":         func(f string) binaryDigits { return sip128Model(f + "\xff") },
	"gaoya-bytes-64": func(f string) binaryDigits {
		return digitsOf(siphash.Hash(0, 0, append(binary.LittleEndian.AppendUint64(nil, uint64(len(f))), f...)))
	},
	"gaoya-bytes-128": func(f string) binaryDigits {
		return sip128Model(string(binary.LittleEndian.AppendUint64(nil, uint64(len(f)))) + f)
	},
	"hash4j-simhash-v1":     func(f string) binaryDigits { return generatorModel(f, 64, false) },
	"hash4j-fastsimhash-v1": func(f string) binaryDigits { return generatorModel(f, 64, true) },
	"iscc":                  func(f string) binaryDigits { sum := blake3.Sum256([]byte(f)); return digitsOfBytes(sum[:]) },
	"iscc-digests":          func(f string) binaryDigits { return digitsOfBytes([]byte(f)) },
	"blog-go": func(f string) binaryDigits {
		h := fnv.New64a()
		h.Write([]byte(f))
		return digitsOf(h.Sum64())
	},
	"blog-python": blogPythonModel,
}

func numberOf(f string) binaryDigits { return digitsOf(binary.BigEndian.Uint64([]byte(f))) }

func sip128Model(f string) binaryDigits {
	low, high := siphash.Hash128(0, 0, []byte(f))
	return digitsOf(high) + digitsOf(low)
}

// lookup3Model uses package fphash, which has frozen values of lookup3. The fingerprint of a single
// feature is its code.
func lookup3Model(f string) binaryDigits {
	s, err := fphash.New(fphash.Definition{Hash: "lookup3"})
	if err != nil {
		panic(err)
	}
	words, _, err := fphash.AppendUnit(s, nil, []string{f})
	if err != nil {
		panic(err)
	}
	return digitsOf(words[0])
}

// generatorModel returns the components from a generator in the order of printed bytes. The first
// component is the least significant bit of the first byte.
func generatorModel(f string, components int, fast bool) (digits binaryDigits) {
	state := binary.BigEndian.Uint64([]byte(f))
	var outputs []uint64
	for range (components + 63) / 64 {
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		outputs = append(outputs, z^z>>31)
	}
	for i := range (components + 7) / 8 {
		for bit := 7; bit >= 0; bit-- {
			component := 8*i + bit
			output, from := component/64, component%64
			if fast {
				j, g := from/8, from%8
				from = 8*g + j
			}
			if component < components && outputs[output]>>from&1 == 1 {
				digits += "1"
			} else {
				digits += "0"
			}
		}
	}
	return digits
}

func blogPythonModel(word string) binaryDigits {
	characters := []rune(word)
	if len(characters) == 0 {
		return digitsOf(0)
	}
	mask := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1))
	x := new(big.Int).Lsh(big.NewInt(int64(characters[0])), 7)
	for _, c := range characters {
		x.Mul(x, big.NewInt(1000003))
		x.Xor(x, big.NewInt(int64(c)))
		x.And(x, mask)
	}
	x.Xor(x, big.NewInt(int64(len(characters))))
	text := fmt.Sprintf("%0128b", x)
	return binaryDigits(text[len(text)-64:])
}

// exact is an exact sum of whole numbers and of multiples of small powers of two.
func exact(weights []float64) *big.Rat {
	sum := new(big.Rat)
	for _, w := range weights {
		sum.Add(sum, new(big.Rat).SetFloat64(w))
	}
	return sum
}

// votesFor returns the weights of the features whose digit is 1.
func votesFor(codes []binaryDigits, weights []float64, digit int) (votes []float64) {
	for i, code := range codes {
		if code[digit] == '1' {
			votes = append(votes, weights[i])
		}
	}
	return votes
}

// modelOfCounts computes fingerprints of systems without weights, from the number of features with
// a bit.
func modelOfCounts(name string, codes []binaryDigits) (bits string) {
	n := len(codes)
	if n == 0 && strings.HasPrefix(name, "iscc") {
		return strings.Repeat("0", 256)
	}
	width := 64
	if n > 0 {
		width = len(codes[0])
	} else if strings.HasSuffix(name, "128") {
		width = 128
	}
	ones := slices.Repeat([]float64{1}, n)
	for digit := range width {
		count := len(votesFor(codes, ones, digit))
		one := 2*count > n
		switch {
		case name == "go-simstore" || strings.HasPrefix(name, "gaoya"):
			one = 2*count < n
		case strings.HasPrefix(name, "iscc"), name == "mfonda", name == "gitchander-hashes":
			one = 2*count >= n
		case strings.HasPrefix(name, "hash4j") && 2*count == n:
			one = (7-digit%8)%2 == 1 // the number of the component is odd
		}
		if one {
			bits += "1"
		} else {
			bits += "0"
		}
	}
	return bits
}

// modelOfWeights computes fingerprints of systems with weights.
func modelOfWeights(name string, codes []binaryDigits, weights []float64, wholeNumbers bool) (bits string) {
	width := 64
	if name == "1e0ng-128" {
		width = 128
	}
	for digit := range width {
		one := false
		switch name {
		case "mfonda", "gitchander-hashes":
			sum := int64(0)
			for i, code := range codes {
				if code[digit] == '1' {
					sum += int64(weights[i])
				} else {
					sum -= int64(weights[i])
				}
			}
			one = sum >= 0
		case "yanyiwu", "blog-go":
			sum := 0.0
			for i, code := range codes {
				if code[digit] == '1' {
					sum += weights[i]
				} else {
					sum -= weights[i]
				}
			}
			one = sum > 0
		case "blog-python":
			sum := int64(0)
			for i, code := range codes {
				up := int64(weights[i])
				if float64(up) < weights[i] {
					up++
				}
				if code[digit] == '1' {
					sum += up
				} else {
					sum -= up
				}
			}
			one = sum > 0
		case "1e0ng-64", "1e0ng-128":
			one = modelOfHalf(votesFor(codes, weights, digit), weights, wholeNumbers)
		}
		if one {
			bits += "1"
		} else {
			bits += "0"
		}
	}
	return bits
}

// modelOfHalf reports whether the votes for a bit are more than half of the total. Fractions are
// added in order as float64. Only whole numbers above 0 vote.
func modelOfHalf(votes, weights []float64, wholeNumbers bool) bool {
	if !wholeNumbers {
		sum, total := 0.0, 0.0
		for _, w := range votes {
			sum += w
		}
		for _, w := range weights {
			total += w
		}
		return sum > total/2
	}
	above := slices.DeleteFunc(slices.Clone(votes), func(w float64) bool { return w <= 0 })
	twice := new(big.Rat).Mul(exact(above), big.NewRat(2, 1))
	return twice.Cmp(exact(weights)) > 0
}
