package textsketch

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"simhashkit/datasets/text"
	"simhashkit/fphash"
)

// keysOf computes keys from the definitions in package minhash and in keyer.end.
func keysOf(k Keys, codes []uint64) (keys []uint64) {
	mix := func(x uint64) uint64 { // SplitMix64 with seed 0
		x += 0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		return x ^ x>>31
	}
	lanes := uint64(64 * ((k.Minima*k.Count + 63) / 64))
	minima := make([]uint32, lanes)
	for lane := range minima {
		factor := uint32(mix(uint64(lane))) | 1
		own, all := uint32(math.MaxUint32), uint32(math.MaxUint32)
		for _, code := range codes {
			key := mix(code)
			if key>>32*lanes>>32 == uint64(lane) {
				own = min(own, uint32(key)>>1)
			}
			all = min(all, factor*uint32(key)>>1|1<<31)
		}
		minima[lane] = min(own, all)
	}
	for i := range k.Count {
		bytes := binary.LittleEndian.AppendUint32(nil, uint32(i))
		for _, m := range minima[i*k.Minima : (i+1)*k.Minima] {
			bytes = binary.LittleEndian.AppendUint32(bytes, m)
		}
		keys = append(keys, xxhash.Sum64(bytes)>>1)
	}
	return keys
}

// The keys of a text are those of its set of features, also if it is long or has no words, and
// fingerprints are the same as without keys.
func TestKeys(t *testing.T) {
	hash, err := fphash.New(fphash.Definition{Bits: 128, Kind: fphash.MinHash})
	if err != nil {
		t.Fatal(err)
	}
	options := text.Options{Fold: true, Plain: true, Numbered: true}
	plain, err := New(Options{Text: options, Hash: hash, Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []Keys{{8, 24}, {1, 1}, {12, 57}, {5, 13}} {
		s, err := New(Options{Text: options, Hash: hash, Whole: true, Keys: &k})
		if err != nil {
			t.Fatal(err)
		}
		local := s.Local()
		for _, each := range append(texts, longDocumentOfWords(), strings.Repeat("0123 4567 ", longText/5), "the one and the other, and the third", "***", "") {
			want, wantStatus, err := plain.Local().Append(nil, []byte(each))
			if err != nil {
				t.Fatal(err)
			}
			got, status, err := local.Append(nil, []byte(each))
			if err != nil || status != wantStatus || !slices.Equal(got, want) {
				t.Errorf("%.30q: %x, %v, %v, want %x, %v", each, got, status, err, want, wantStatus)
			}
			codes := s.analyzer.Clone().AppendIndices(nil, []byte(each))
			if len(codes) == 0 && each != "" {
				codes = []uint64{xxhash.Sum64String(each)}
			}
			var wantKeys []uint64
			if each != "" {
				wantKeys = keysOf(k, codes)
			}
			if !slices.Equal(local.Keys(), wantKeys) {
				t.Errorf("%+v, %.30q: keys %x, want %x", k, each, local.Keys(), wantKeys)
			}
		}
	}
}

func TestKeysRefuse(t *testing.T) {
	minhash, err := fphash.New(fphash.Definition{Kind: fphash.MinHash})
	if err != nil {
		t.Fatal(err)
	}
	simhash, err := fphash.New(fphash.Definition{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{Hash: simhash, Keys: &Keys{8, 24}}, "requires words, MinHash and the default hash"},
		{Options{Hash: minhash, Text: text.Options{Features: text.Bytes, N: 5}, Keys: &Keys{8, 24}}, "requires words"},
		{Options{Hash: minhash, Keys: &Keys{0, 24}}, "24 keys of 0 minima, expected 1 to 4096 minima in all"},
		{Options{Hash: minhash, Keys: &Keys{64, 65}}, "65 keys of 64 minima"},
	} {
		if _, err := New(c.options); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v", err)
		}
	}
}
