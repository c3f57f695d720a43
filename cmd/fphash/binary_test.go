package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/google/go-cmp/cmp"

	"simhashkit/fphash"
)

// binaryFile is what readBinary reads.
type binaryFile struct {
	Bits, Words          int
	Encoding, Tie, Order byte
	Keyed                bool
	Seed                 uint64
	Widen                uint32
	Hash                 string
	Fingerprints         [][]uint64
}

// readBinary reads the binary format after its description, independently of the writer.
func readBinary(data []byte) (f binaryFile, err error) {
	if len(data) < 40+16 || string(data[:8]) != "\x89FPH\r\n\x1a\n" {
		return f, errors.New("not a fingerprint file")
	}
	body, trailer := data[:len(data)-16], data[len(data)-16:]
	if sum := binary.LittleEndian.Uint64(trailer[8:]); sum != xxhash.Sum64(data[:len(data)-8]) {
		return f, errors.New("wrong checksum")
	}
	if v := binary.LittleEndian.Uint32(body[8:]); v != 1 {
		return f, fmt.Errorf("version %d", v)
	}
	f.Bits, f.Words = int(binary.LittleEndian.Uint32(body[12:])), int(binary.LittleEndian.Uint32(body[16:]))
	f.Encoding, f.Tie, f.Order, f.Keyed = body[20], body[21], body[22], body[23] == 1
	f.Seed = binary.LittleEndian.Uint64(body[24:])
	f.Widen = binary.LittleEndian.Uint32(body[32:])
	end := 40 + int(binary.LittleEndian.Uint32(body[36:]))
	f.Hash = string(body[40:end])
	words := body[(end+7)/8*8:]
	for ; len(words) > 0; words = words[8*f.Words:] {
		var fingerprint []uint64
		for t := range f.Words {
			fingerprint = append(fingerprint, binary.LittleEndian.Uint64(words[8*t:]))
		}
		f.Fingerprints = append(f.Fingerprints, fingerprint)
	}
	if n := binary.LittleEndian.Uint64(trailer); n != uint64(len(f.Fingerprints)) {
		return f, fmt.Errorf("%d fingerprints, %d said", len(f.Fingerprints), n)
	}
	return f, nil
}

func TestBinaryFormat(t *testing.T) {
	input := "1 3:1 4:2\n1 18446744073709551615:2.25\n1\n"
	code, stdout, stderr := execute(t, input, "sketch", "--format", "binary", "--hash", "highway256", "--bits", "130", "--seed", "9",
		"--tie", "one", "--order", "sequential", "--encoding", "be64", "--key", strings.Repeat("0f", 32))
	if code != exitSuccess {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	got, err := readBinary([]byte(stdout))
	if err != nil {
		t.Fatal(err)
	}
	s, err := fphash.New(fphash.WithHash("highway256"), fphash.WithBits(130), fphash.WithSeed(9), fphash.WithTie(fphash.TieOne),
		fphash.WithOrder(fphash.Sequential), fphash.WithEncoding(fphash.BE64), fphash.WithKey(bytes.Repeat([]byte{0x0f}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	want := binaryFile{Bits: 130, Words: 3, Encoding: 1, Tie: 1, Order: 1, Keyed: true, Seed: 9, Hash: "highway256"}
	for _, v := range []struct {
		indices []uint64
		weights []float32
	}{{[]uint64{3, 4}, []float32{1, 2}}, {[]uint64{1<<64 - 1}, []float32{2.25}}, {nil, nil}} {
		fingerprint, err := fphash.Append(s, nil, v.indices, v.weights)
		if err != nil && !errors.Is(err, fphash.ErrNoInformation) {
			t.Fatal(err)
		}
		want.Fingerprints = append(want.Fingerprints, fingerprint)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A stream that ended early must be seen to be incomplete at any length.
func TestBinaryTruncationShows(t *testing.T) {
	_, stdout, _ := execute(t, "1 3:1\n1 4:1\n", "sketch", "--format", "binary")
	if _, err := readBinary([]byte(stdout)); err != nil {
		t.Fatal(err)
	}
	for n := range len(stdout) {
		if _, err := readBinary([]byte(stdout[:n])); err == nil {
			t.Errorf("%d of %d bytes pass for a whole file", n, len(stdout))
		}
	}
	code, stdout, _ := execute(t, "1 3:1\n1 4:1\nbad bad\n", "sketch", "--format", "binary")
	if _, err := readBinary([]byte(stdout)); err == nil || code != exitFailed {
		t.Errorf("after a bad line: exit code %d, reading gives %v; want an incomplete file", code, err)
	}
}
