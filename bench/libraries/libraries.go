// Package libraries hashes one key per call with the upstream libraries, as their users do. It is
// the baseline for our kernels.
package libraries

import (
	"encoding/binary"
	"fmt"

	"simhashkit/fphash"
)

// constructors make the function that a key selects, by the name of its family. The first argument
// is the same function as fphash has it, whose hash of byte strings they may keep: it is the
// library's call already, or no more than its loop.
var constructors = map[string]func(own fphash.ByteHash, k fphash.Key) fphash.Hash{
	"crc32c":      newCRC32C,
	"fnv1-64":     newFNV1,
	"fnv1a128":    newFNV1a128,
	"fnv1a64":     newFNV1a,
	"highway64":   newHighway64,
	"highway128":  newHighway128,
	"highway256":  newHighway256,
	"md5":         newMD5,
	"murmur3-128": newMurmur3,
	"sha1":        newSHA1,
	"sha256":      newSHA256,
	"siphash":     newSipHash,
	"xxh3":        newXXH3,
	"xxh64":       newXXH64,
}

// Of returns the family by the calls of its library. If there is no library, or if fphash does no
// more than call it, it returns the family itself and false.
func Of(f fphash.Family) (fphash.Family, bool) {
	construct, ok := constructors[f.Name]
	if !ok {
		return f, false
	}
	build := f.New
	f.New = func(k fphash.Key) (fphash.Hash, error) {
		own, err := build(k)
		if err != nil {
			return nil, err
		}
		bytes, ok := own.(fphash.ByteHash)
		if !ok {
			return nil, fmt.Errorf("libraries: hash %s takes no byte strings, but its library does", f.Name)
		}
		return construct(bytes, k), nil
	}
	return f, true
}

// putDigest stores the digest, a whole number of words, as the code of key i of n.
func putDigest(dst []uint64, n, i int, digest []byte) {
	for ; len(digest) > 0; digest = digest[8:] {
		dst[i] = binary.LittleEndian.Uint64(digest)
		i += n
	}
}
