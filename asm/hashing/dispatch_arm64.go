//go:build !purego

package hashing

import (
	"simhashkit/asm/cpu"
)

var sha1Kernels = table("sha1", cpu.KernelAt(cpu.NEON, cpu.ExtASIMD))

// Fewer keys than these are hashed faster one by one. That also applies to the keys left over from
// groups of 8.
const leastSHA1NEON = 5

func sha1At(tier cpu.Tier, dst, keys []uint64) {
	roomFor(3, len(dst), len(keys))
	if tier != cpu.NEON {
		sha1Generic(dst, keys)
		return
	}
	done := sha1InEights(dst, keys, 0x80<<24, 64)
	var message [8]byte
	sha1Each(dst[done:], keys[done:], len(keys), message[:])
}

func sha1CounterAt(tier cpu.Tier, dst, keys []uint64, counter byte) {
	roomFor(3, len(dst), len(keys))
	if tier != cpu.NEON {
		sha1CounterGeneric(dst, keys, counter)
		return
	}
	done := sha1InEights(dst, keys, uint32(counter)<<24|0x80<<16, 72)
	message := [9]byte{8: counter}
	sha1Each(dst[done:], keys[done:], len(keys), message[:])
}

// sha1InEights hashes all keys except left-over ones that are faster one by one, and returns how
// many it has hashed. word2 and word15 are the words of the message after the key that are not 0.
func sha1InEights(dst, keys []uint64, word2, word15 uint32) (done int) {
	n := len(keys)
	if n < leastSHA1NEON {
		return 0
	}
	var words [64]uint64
	done = n &^ 7
	sha1NEON(dst, keys[:done], n, word2, word15, &words)
	rest := keys[done:]
	if len(rest) < leastSHA1NEON {
		return done
	}
	var padded [8]uint64
	var codes [3 * 8]uint64
	copy(padded[:], rest)
	sha1NEON(codes[:], padded[:], 8, word2, word15, &words)
	takeOf(8, dst[done:], n, codes[:], len(rest))
	return n
}

var md5Kernels = table("md5", cpu.KernelAt(cpu.NEON, cpu.ExtASIMD))

const (
	// Fewer keys than these are hashed faster without vectors. That also applies to the keys left
	// over from groups of 16. With a counter, the numbers have to be computed first.
	leastMD5NEON        = 5
	leastMD5CounterNEON = 3
)

func md5At(tier cpu.Tier, dst, keys []uint64) {
	roomFor(2, len(dst), len(keys))
	n := len(keys)
	switch {
	case tier == cpu.NEON && n >= leastMD5NEON:
		done := md5InSixteens(dst, keys, &md5Plain, leastMD5NEON)
		md5Each(dst[done:], keys[done:], n)
	default:
		md5Generic(dst, keys)
	}
}

func md5CounterAt(tier cpu.Tier, dst, keys []uint64, counter byte) {
	roomFor(2, len(dst), len(keys))
	n := len(keys)
	done := 0
	if tier == cpu.NEON && n >= leastMD5CounterNEON {
		numbers := md5Numbers(uint32(counter)|0x80<<8, 72)
		done = md5InSixteens(dst, keys, &numbers, leastMD5CounterNEON)
	}
	md5CounterEach(dst[done:], keys[done:], n, counter)
}

// md5InSixteens hashes all keys except left-over ones if these are fewer than least, and returns
// how many it has hashed.
func md5InSixteens(dst, keys []uint64, numbers *[64]uint32, least int) (done int) {
	n := len(keys)
	done = n &^ 15
	md5NEON(dst, keys[:done], n, numbers)
	rest := keys[done:]
	if len(rest) < least {
		return done
	}
	var padded [16]uint64
	var codes [2 * 16]uint64
	copy(padded[:], rest)
	md5NEON(codes[:], padded[:], 16, numbers)
	takeOf(16, dst[done:], n, codes[:], len(rest))
	return n
}

var md5Plain = md5Numbers(md5Word2, md5Word14)

var (
	highway64Kernels  = table("highway64", cpu.KernelAt(cpu.NEON, cpu.ExtASIMD))
	highway128Kernels = table("highway128", cpu.KernelAt(cpu.NEON, cpu.ExtASIMD))
	highway256Kernels = table("highway256", cpu.KernelAt(cpu.NEON, cpu.ExtASIMD))
)

func highway64At(tier cpu.Tier, dst, keys []uint64, key *[4]uint64) {
	sameLength(len(dst), len(keys))
	if tier != cpu.NEON {
		highway64Generic(dst, keys, key)
		return
	}
	var pairs highwayPairs
	pairs.start.init(key)
	for i := 0; i < len(keys); i += 2 {
		for j := range pairs.hash(keys[i:], highwayRounds64) {
			dst[i+j] = pairs.ends[j].code64()
		}
	}
}

func highway128At(tier cpu.Tier, dst, keys []uint64, key *[4]uint64) {
	roomFor(2, len(dst), len(keys))
	if tier != cpu.NEON {
		highway128Generic(dst, keys, key)
		return
	}
	n := len(keys)
	var pairs highwayPairs
	pairs.start.init(key)
	for i := 0; i < n; i += 2 {
		for j := range pairs.hash(keys[i:], highwayRounds128) {
			dst[i+j], dst[n+i+j] = pairs.ends[j].code128()
		}
	}
}

func highway256At(tier cpu.Tier, dst, keys []uint64, key *[4]uint64) {
	roomFor(4, len(dst), len(keys))
	if tier != cpu.NEON {
		highway256Generic(dst, keys, key)
		return
	}
	n := len(keys)
	var pairs highwayPairs
	pairs.start.init(key)
	for i := 0; i < n; i += 2 {
		for j := range pairs.hash(keys[i:], highwayRounds256) {
			for t := 0; t < 4; t += 2 {
				dst[t*n+i+j], dst[(t+1)*n+i+j] = pairs.ends[j].code256(t)
			}
		}
	}
}

// highwayPairs hashes two keys at a time.
type highwayPairs struct {
	start highwayState
	ends  [2]highwayState
}

// hash stores the states of the first two keys, or of the only key left, in ends, and returns the
// number of these keys.
func (p *highwayPairs) hash(keys []uint64, rounds int) int {
	n := min(2, len(keys))
	pair := [2]uint64{keys[0], keys[n-1]}
	highwayNEON(&p.ends, &pair, &p.start, rounds)
	return n
}

var lookup3Kernels = table("lookup3", cpu.KernelAt(cpu.NEON, cpu.ExtASIMD))

func lookup3At(tier cpu.Tier, dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	switch tier {
	case cpu.NEON:
		start, third := lookup3Start(seed)
		whole := len(keys) &^ 3
		lookup3NEON(dst[:whole], keys[:whole], start, third)
		lookup3Generic(dst[whole:], keys[whole:], seed)
	default:
		lookup3Generic(dst, keys, seed)
	}
}
