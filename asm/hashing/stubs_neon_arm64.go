//go:build !purego

package hashing

// lookup3NEON hashes the keys, whose number is a multiple of 4. It works like lookup3Generic.
//
//go:noescape
func lookup3NEON(dst, keys []uint64, start, third uint32)

// md5NEON hashes the keys, whose number is a multiple of 16. The numbers say what follows each key;
// word t of the digest of keys[i] goes to dst[t*stride+i]. It works like md5Generic.
//
//go:noescape
func md5NEON(dst, keys []uint64, stride int, numbers *[64]uint32)

// highwayNEON leaves in ends what the state start becomes by each of the two keys and that many
// rounds without input. It works like highwayState.finish.
//
//go:noescape
func highwayNEON(ends *[2]highwayState, keys *[2]uint64, start *highwayState, rounds int)
