//go:build !purego

package hashing

// lookup3NEON hashes the keys, whose number is a multiple of 4. It works like lookup3Generic.
//
//go:noescape
func lookup3NEON(dst, keys []uint64, start, third uint32)

// md5NEON hashes the keys, whose number must be a multiple of 16. numbers contains what follows
// each key. Word t of the digest of keys[i] goes to dst[t*stride+i]. It works like md5Generic.
//
//go:noescape
func md5NEON(dst, keys []uint64, stride int, numbers *[64]uint32)

// highwayNEON stores in ends the states that start becomes after each of the two keys and that many
// rounds without input. It works like highwayState.finish.
//
//go:noescape
func highwayNEON(ends *[2]highwayState, keys *[2]uint64, start *highwayState, rounds int)

// sha1NEON hashes the keys, whose number must be a multiple of 8. word2 and word15 are the words of
// the message after each key that are not 0. Word t of the digest of keys[i] goes to
// dst[t*stride+i]. It works like sha1Generic, and overwrites words.
//
//go:noescape
func sha1NEON(dst, keys []uint64, stride int, word2, word15 uint32, words *[64]uint64)
