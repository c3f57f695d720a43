package indexfile

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simhashkit/fphash/index"
)

// In a file of many blocks, some larger than one read, each damaged block is detected when it is
// read, and no other block. Verify reports it, and counts exactly the entries with a part in that
// block as lost.
func TestEveryBlock(t *testing.T) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		t.Skip("on big-endian machines, opening a file reads all blocks")
	}
	path := filepath.Join(t.TempDir(), "a.index")
	r := rand.New(rand.NewPCG(8, 8))
	e := random(r, 130, readAhead/24+1000, 0, true)
	for i := range e.Words { // random, so that there are tables
		if e.Words[i] = mix(uint64(i)); i%3 == 2 {
			e.Words[i] &= 0b11
		}
	}
	if err := Create(context.Background(), path, e, Options{K: 2, Texts: true}); err != nil {
		t.Fatal(err)
	}
	e = e.sorted()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h, err := readHeader(f, int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	words, _ := h.find(sectionWords, 0)
	ends, _ := h.find(sectionTextEnds, 0)
	texts, _ := h.find(sectionTexts, 0)
	end := func(i int) int64 { return int64(binary.LittleEndian.Uint64(whole[ends.Offset+8*int64(i):])) }
	blocks := map[int]bool{}
	for _, s := range h.sections {
		first, last := int((s.Offset-h.dataFrom())/blockBytes), int((s.Offset+s.Size-1-h.dataFrom())/blockBytes)
		blocks[first], blocks[min(first+1, last)], blocks[min(first+2, last)], blocks[last] = true, true, true, true
	}
	for block := range h.blocks() {
		if !blocks[block] {
			continue
		}
		from, to := h.block(block)
		in := func(begin, n int64) bool { return begin < to && begin+n > from }
		lost := 0
		for i := range e.Len() {
			before := max(0, i-1)
			textFrom := int64(0)
			if i > 0 {
				textFrom = end(i - 1)
			}
			if in(words.Offset+24*int64(i), 24) ||
				in(ends.Offset+8*int64(before), 8*int64(i-before+1)) || in(texts.Offset+textFrom, end(i)-textFrom) {
				lost++
			}
		}
		f.WriteAt([]byte{whole[from] ^ 1}, from) // possibly in the middle of an entry
		report, err := look(context.Background(), path, true)
		if err != nil || len(report.Damage) != 1 || report.Damage[0].Offset != from || report.Damage[0].Bytes != to-from {
			t.Fatalf("block %d of %d: %+v, %v", block, h.blocks(), report, err)
		}
		saved := report.saved
		if report.Lost != lost || report.Saved != e.Len()-lost || saved.Len() != report.Saved {
			t.Errorf("block %d: %d lost and %d saved, expected %d and %d", block, report.Lost, report.Saved, lost, e.Len()-lost)
		}
		same := func(i int, id ID, words []uint64) bool {
			return e.id(i) == id && slices.Equal(e.At(i), words)
		}
		for i, n := 0, 0; n < saved.Len(); i++ {
			if i == e.Len() {
				t.Fatalf("block %d: %v is saved, but was not in the file", block, saved.id(n))
			}
			if same(i, saved.id(n), saved.At(n)) {
				n++
			}
		}
		reader, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		err = eachEntry(reader, func(id ID, words []uint64) bool {
			if !same(n, id, words) {
				t.Errorf("block %d: entry %d is %v, %x, expected %v, %x", block, n, id, words, e.id(n), e.At(n))
			}
			n++
			return !t.Failed() && n < e.Len()
		})
		if (err != nil) != (lost > 0) || err == nil && n != e.Len() {
			t.Errorf("block %d: %d of %d entries are read, %v, of which %d are damaged", block, n, e.Len(), err, lost)
		}
		for range 30 { // queries use the tables
			i := r.IntN(e.Len())
			got, err := reader.AppendWithin(nil, index.Query{Words: e.At(i)}, 0)
			if err == nil && !slices.Contains(got, Match{e.id(i), 0}) {
				t.Errorf("block %d: %v is found in place of %v", block, got, e.id(i))
			}
		}
		reader.Close()
		f.WriteAt(whole[from:from+1], from)
	}
}

// Numbers that exceed the range of their array are damage, even with right checksums. The largest
// valid numbers are not.
func TestNumbersWithinTheirRange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	const n = 5000
	e := random(rand.New(rand.NewPCG(9, 9)), 64, n, 0, true)
	for i := range e.Words { // random, so that there are tables
		e.Words[i] = mix(uint64(i))
	}
	if err := Create(context.Background(), path, e, Options{K: 1, Texts: true}); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h, err := readHeader(f, int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	size := func(kind, table uint32) uint64 {
		s, _ := h.find(kind, table)
		return uint64(s.Size)
	}
	seen := map[uint32]bool{}
	for _, s := range h.sections {
		width, most := int64(4), uint64(0)
		switch s.Kind {
		case sectionPositions:
			most = n - 1
		case sectionStarts:
			most = size(sectionPositions, s.Table) / 4
		case sectionTextEnds:
			width, most = 8, size(sectionTexts, 0)
		default:
			continue
		}
		seen[s.Kind] = true
		for _, at := range []int64{s.Offset, s.Offset + s.Size - width} {
			for more := range uint64(2) {
				changed := slices.Clone(whole)
				binary.LittleEndian.PutUint32(changed[at:], uint32(most+more))
				if err := os.WriteFile(path, mended(changed), 0o666); err != nil {
					t.Fatal(err)
				}
				report, err := Verify(context.Background(), path, "")
				says := fmt.Sprint(report.Damage)
				if found := strings.Contains(says, "a number is "+fmt.Sprint(most+1)); err != nil || found != (more > 0) {
					t.Errorf("a number of kind %d is %d of %d: %s, %v", s.Kind, most+more, most, says, err)
				}
			}
		}
	}
	if len(seen) != 3 {
		t.Errorf("kinds %v, expected all kinds of numbers that refer to an array", seen)
	}
}

// Batches that do not match their file are damage, even with right checksums.
func TestBatchesThatCannotBe(t *testing.T) {
	entry := func(bits int, id, word uint64) *Entries {
		e := newEntries(&index.Set{Bits: bits}, false, 1)
		e.add(ID{Number: id}, []uint64{word})
		return e
	}
	for _, c := range []struct {
		what, says string
		payload    []byte
	}{
		{"the highest bit", "", appendInsert(nil, entry(60, 1, 1<<59))},
		{"a bit above it", "bits above the width of 60", appendInsert(nil, entry(60, 1, 1<<60))},
		{"an id again", "id 1 is inserted twice", appendInsert(appendInsert(nil, entry(60, 1, 5)), entry(60, 1, 6))},
		{"an id again once it is deleted", "", appendInsert(appendDelete(appendInsert(nil, entry(60, 1, 5)), []ID{{Number: 1}}, false), entry(60, 1, 6))},
		{"no operation", "operation 3, expected 1 or 2", appendBatchHeader(nil, 3, 0)},
		{"fewer entries than it says", "ends before its last entry", appendBatchHeader(nil, opDelete, 1)},
		{"a part of an entry", "ends before its last entry", appendInsert(nil, entry(60, 1, 5))[:8+12]},
	} {
		path := filepath.Join(t.TempDir(), "a.index")
		if err := Create(context.Background(), path, entry(60, 0, 7), Options{K: 1}); err != nil {
			t.Fatal(err)
		}
		w, err := OpenWriter(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := writeFrame(w.file, c.payload, w.held); err != nil {
			t.Fatal(err)
		}
		w.Close()
		r, err := Open(path)
		report, verr := Verify(context.Background(), path, "")
		if c.says == "" {
			if err != nil || verr != nil || len(report.Damage) > 0 || report.Saved != 2 {
				t.Errorf("%s: %v; Verify: %+v, %v", c.what, err, report, verr)
			}
			r.Close()
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, expected %q", c.what, err, c.says)
		}
		// Verify does not look for repeated ids.
		if c.what != "an id again" && (verr != nil || len(report.Damage) != 1 || !strings.Contains(report.Damage[0].What, c.says)) {
			t.Errorf("%s: Verify: %+v, %v, expected %q", c.what, report, verr, c.says)
		}
	}
}
