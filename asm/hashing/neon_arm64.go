//go:build !purego

package hashing

import "math/bits"

// lookup3FoursNEON hashes the keys, whose number is a multiple of 4. It works like lookup3Generic.
//
//go:noescape
func lookup3FoursNEON(dst, keys []uint64, start, third uint32)

// md5SixteensNEON hashes the keys, whose number must be a multiple of 16. numbers contains what
// follows each key. Word t of the digest of keys[i] goes to dst[t*stride+i]. It works like
// md5Generic.
//
//go:noescape
func md5SixteensNEON(dst, keys []uint64, stride int, numbers *[64]uint32)

// highwayNEON stores in ends the states that start becomes after each of the two keys and that many
// rounds without input. It works like highwayState.finish.
//
//go:noescape
func highwayNEON(ends *[2]highwayState, keys *[2]uint64, start *highwayState, rounds int)

// sha1EightsNEON hashes the keys, whose number must be a multiple of 8. word2 and word15 are the
// words of the message after each key that are not 0. Word t of the digest of keys[i] goes to
// dst[t*stride+i]. It works like sha1Generic, and overwrites words.
//
//go:noescape
func sha1EightsNEON(dst, keys []uint64, stride int, word2, word15 uint32, words *[64]uint64)

// Fewer keys than these are hashed faster one by one. That also applies to the keys left over from
// groups of 8 and 16.
const (
	leastSHA1NEON = 5
	leastMD5NEON  = 3
)

func sha1NEON(dst, keys []uint64, counter byte) {
	done := sha1InEights(dst, keys, counter)
	sha1Each(dst[done:], keys[done:], len(keys), counter)
}

// sha1InEights hashes all keys except left-over ones that are faster one by one, and returns how
// many it has hashed.
func sha1InEights(dst, keys []uint64, counter byte) (done int) {
	n := len(keys)
	if n < leastSHA1NEON {
		return 0
	}
	word2, length := suffix(counter)
	word2 = bits.ReverseBytes32(word2)
	var words [64]uint64
	done = n &^ 7
	sha1EightsNEON(dst, keys[:done], n, word2, length, &words)
	rest := keys[done:]
	if len(rest) < leastSHA1NEON {
		return done
	}
	var padded [8]uint64
	var codes [3 * 8]uint64
	copy(padded[:], rest)
	sha1EightsNEON(codes[:], padded[:], 8, word2, length, &words)
	takeOf(8, dst[done:], n, codes[:], len(rest))
	return n
}

func md5NEON(dst, keys []uint64, counter byte) {
	done := md5InSixteens(dst, keys, counter)
	md5Each(dst[done:], keys[done:], len(keys), counter)
}

// md5InSixteens hashes all keys except left-over ones that are faster one by one, and returns how
// many it has hashed.
func md5InSixteens(dst, keys []uint64, counter byte) (done int) {
	n := len(keys)
	if n < leastMD5NEON {
		return 0
	}
	numbers := md5Plain
	if counter != 0 {
		numbers = md5Numbers(counter)
	}
	done = n &^ 15
	md5SixteensNEON(dst, keys[:done], n, &numbers)
	rest := keys[done:]
	if len(rest) < leastMD5NEON {
		return done
	}
	var padded [16]uint64
	var codes [2 * 16]uint64
	copy(padded[:], rest)
	md5SixteensNEON(codes[:], padded[:], 16, &numbers)
	takeOf(16, dst[done:], n, codes[:], len(rest))
	return n
}

var md5Plain = md5Numbers(0)

func highway64NEON(dst, keys []uint64, key *[4]uint64) {
	var pairs highwayPairs
	pairs.start.init(key)
	for i := 0; i < len(keys); i += 2 {
		for j := range pairs.hash(keys[i:], highwayRounds64) {
			dst[i+j] = pairs.ends[j].code64()
		}
	}
}

func highway128NEON(dst, keys []uint64, key *[4]uint64) {
	n := len(keys)
	var pairs highwayPairs
	pairs.start.init(key)
	for i := 0; i < n; i += 2 {
		for j := range pairs.hash(keys[i:], highwayRounds128) {
			dst[i+j], dst[n+i+j] = pairs.ends[j].code128()
		}
	}
}

func highway256NEON(dst, keys []uint64, key *[4]uint64) {
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

func lookup3NEON(dst, keys []uint64, seed uint64) {
	start, third := lookup3Start(seed)
	whole := len(keys) &^ 3
	lookup3FoursNEON(dst[:whole], keys[:whole], start, third)
	lookup3Generic(dst[whole:], keys[whole:], seed)
}
