package pipeline

import (
	"bytes"
	"errors"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"simhashkit/fphash"
)

// FuzzDecode holds for any bytes, read as each kind of element that goes from worker to worker: an
// error, or an element that is the same after it was encoded and decoded again.
func FuzzDecode(f *testing.F) {
	sketcher, err := fphash.New(fphash.WithBits(64))
	if err != nil {
		f.Fatal(err)
	}
	sum, err := encodeSum(Sum{3, fphash.NewAccumulator[int64](sketcher)})
	if err != nil {
		f.Fatal(err)
	}
	words := []uint64{7, 1 << 63}
	for _, data := range [][]byte{
		encodeRecord(Record{1 << 40, []byte("17"), true, true, words}), encodeRecord(Record{Position: 1, ID: []byte{}}), encodeFingerprint(Fingerprint{5, words}),
		encodePair(Pair{1, 2, 3, true}), encodeMember(Member{1 << 62, 9, false}), encodePart(Part{Of: Fingerprint{5, words}, Second: true}),
		encodeDocumentPart(DocumentPart{4, []byte("text")}), sum, sum[:1], {}, {0x80}, []byte("\x01\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
	} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkCoder(t, data, encodeRecord, decodeRecord)
		checkCoder(t, data, encodeFingerprint, decodeFingerprint)
		checkCoder(t, data, encodePair, decodePair)
		checkCoder(t, data, encodeMember, decodeMember)
		checkCoder(t, data, encodePart, decodePart)
		checkCoder(t, data, encodeDocumentPart, decodeDocumentPart)

		s, err := decodeSum(data)
		if err != nil {
			return
		}
		encoded, err := encodeSum(s)
		if err != nil {
			t.Fatal(err)
		}
		again, err := decodeSum(encoded)
		if err != nil || again.Position != s.Position {
			t.Fatalf("%x: at %d, and encoded and decoded at %d, %v", data, s.Position, again.Position, err)
		}
		if twice, err := encodeSum(again); err != nil || !bytes.Equal(twice, encoded) {
			t.Errorf("%x: %x, and decoded and encoded %x, %v", data, encoded, twice, err)
		}
	})
}

func checkCoder[T any](t *testing.T, data []byte, encode func(T) []byte, decode func([]byte) (T, error)) {
	t.Helper()
	before := bytes.Clone(data)
	value, err := decode(data)
	if !bytes.Equal(before, data) {
		t.Fatalf("%T: %x has become %x", value, before, data)
	}
	if err != nil {
		if !errors.Is(err, errCutOff) {
			t.Errorf("%T: error %v, expected %v", value, err, errCutOff)
		}
		return
	}
	again, err := decode(encode(value))
	if diff := gocmp.Diff(value, again); diff != "" || err != nil {
		t.Errorf("%x: error %v, -first +again\n%s", data, err, diff)
	}
}
