//go:build !purego

package hashing

// lookup3NEON hashes the keys, whose number is a multiple of 4. It works like lookup3Generic.
//
//go:noescape
func lookup3NEON(dst, keys []uint64, start, third uint32)
