package textsketch

import (
	"slices"

	"github.com/cespare/xxhash/v2"

	"simhashkit/fphash"
)

// codesOf returns a Sketcher with the fingerprints of s that takes the XXH64 of a byte string in
// place of it, so that words are hashed where they are cut. It is nil if the hash of s is another
// one, which 64 fingerprints of one word each tell: a name does not, of a seed, a way to widen or a
// family of the user's own.
func codesOf(s *fphash.Sketcher) *fphash.Sketcher {
	d := s.Definition()
	if d.Hash != fphash.DefaultHash {
		return nil
	}
	d.Hash, d.Encoding, d.Seed = "identity", fphash.LE64, 0
	codes, err := fphash.New(fphash.WithDefinition(d))
	if err != nil {
		return nil
	}
	for b := range byte(64) {
		word := []byte{b}
		want, _, errWant := fphash.AppendUnit(s, nil, [][]byte{word})
		got, _, errGot := fphash.AppendUnit(codes, nil, []uint64{xxhash.Sum64(word)})
		if errWant != nil || errGot != nil || !slices.Equal(got, want) {
			return nil
		}
	}
	return codes
}
