package indexfile

import (
	"bytes"
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simhashkit/fphash/index"
)

// logged makes a file with a log of the given number of batches and entries per batch. It returns
// its bytes, the start of each batch, and the end of the last one.
func logged(t *testing.T, path string, batches, each int) (whole []byte, begins []int64) {
	t.Helper()
	if err := Create(context.Background(), path, newEntries(&index.Set{Bits: 64}, false, 0), Options{K: 3}); err != nil {
		t.Fatal(err)
	}
	w, err := OpenWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	begins = append(begins, w.held.end)
	for i := range batches {
		e := newEntries(&index.Set{Bits: 64}, false, 0)
		for j := range each {
			id := uint64(i*each + j)
			e.add(ID{Number: id}, []uint64{mix(id)})
		}
		if err := w.Insert(e); err != nil {
			t.Fatal(err)
		}
		begins = append(begins, w.held.end)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if whole, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return whole, begins
}

// Verify counts the lost batches, whichever batches are damaged, in their headers or after them,
// and the others are saved. Lost batches at the end of the log count as one, because their number
// is unknown.
func TestLostBatches(t *testing.T) {
	const batches, each = 5, 7
	path := filepath.Join(t.TempDir(), "a.index")
	whole, begins := logged(t, path, batches, each)
	for _, place := range []int64{8, frameBytes + 8} {
		for lost := range uint(1 << batches) {
			damaged := slices.Clone(whole)
			want, saved := bits.OnesCount(lost), batches-bits.OnesCount(lost)
			for i := range batches {
				if lost>>i&1 != 0 {
					damaged[begins[i]+place] ^= 0x10
				}
			}
			if place < frameBytes {
				for i := batches - 1; i > 0 && lost>>(i-1)&3 == 3; i-- {
					want-- // batches at the end count as one
				}
			}
			if err := os.WriteFile(path, damaged, 0o666); err != nil {
				t.Fatal(err)
			}
			report, err := Verify(context.Background(), path, "")
			if err != nil || report.LostBatches != want || report.Saved != saved*each || (len(report.Damage) > 0) != (lost > 0) {
				t.Errorf("batches %05b damaged at %d: %+v, %v, expected %d of them lost and %d entries saved", lost, place, report, err, want, saved*each)
			}
			if r, err := Open(path); (err != nil) != (lost > 0) {
				t.Errorf("batches %05b damaged at %d: a reader: %v", lost, place, err)
			} else if err == nil {
				r.Close()
			}
		}
	}
}

// Batches, and the rest of an incomplete one, may be longer than one read or write.
func TestLongLog(t *testing.T) {
	const batches, each = 3, readAhead / 16 // the next batch begins where one read ends
	path := filepath.Join(t.TempDir(), "a.index")
	whole, begins := logged(t, path, batches, each)
	end := begins[batches]
	write := func(change func(data []byte)) {
		t.Helper()
		data := slices.Clone(whole)
		change(data)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(func(data []byte) { data[begins[0]] ^= 1 })
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "batch 2 after it is good") {
		t.Errorf("the first damaged: %v", err)
	}
	write(func(data []byte) { data[begins[0]] ^= 1; data[begins[1]+8] ^= 1 })
	if report, err := Verify(context.Background(), path, ""); err != nil || report.LostBatches != 2 || report.Saved != each {
		t.Errorf("two damaged: %+v, %v", report, err)
	}
	if free := int64(len(whole)) - end; free <= 2*readAhead {
		t.Fatalf("%d bytes of zeros after the last batch, expected more than %d", free, 2*readAhead)
	}
	for _, at := range []int64{end + readAhead, int64(len(whole)) - 1} {
		write(func(data []byte) { data[at] = 1 })
		if report, err := Verify(context.Background(), path, ""); err != nil || report.Torn == "" || len(report.Damage) > 0 || report.Saved != batches*each {
			t.Errorf("a byte %d after the last batch: %+v, %v", at-end, report, err)
		}
		w, err := OpenWriter(path)
		if err != nil || w.Torn() == "" {
			t.Fatal(err)
		}
		w.Close()
		if now, _ := os.ReadFile(path); !bytes.Equal(now, whole) {
			t.Errorf("a byte %d after the last batch is not removed", at-end)
		}
	}
	write(func(data []byte) { clear(data[end-8 : end]) }) // the last batch is as after a crash
	w, err := OpenWriter(path)
	if err != nil || !strings.Contains(w.Torn(), "batch 3 was not completely written") {
		t.Fatalf("torn %q, %v", w.Torn(), err)
	}
	w.Close()
	clear(whole[begins[batches-1]:])
	if now, _ := os.ReadFile(path); !bytes.Equal(now, whole) {
		t.Error("the incomplete batch is not completely removed")
	}
}

// A deleted id can be used again, whether it was in the base or in the log. Deleted twice, it
// counts once. Inserted again, it has its new fingerprint. Inserted twice, it is refused.
func TestDeletedIDsComeBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	r := rand.New(rand.NewPCG(10, 10))
	m := newModel()
	e := random(r, 64, 200, 0, true)
	if err := Create(context.Background(), path, e, Options{K: 3, Texts: true}); err != nil {
		t.Fatal(err)
	}
	m.insert(e)
	w, err := OpenWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	insert := func(from uint64, n int) {
		t.Helper()
		more := random(r, 64, n, from, true)
		if err := w.Insert(more); err != nil {
			t.Fatal(err)
		}
		m.insert(more)
		if err := w.Insert(random(r, 64, 1, from, true)); err == nil {
			t.Errorf("id %d is inserted twice", from)
		}
	}
	remove := func(from uint64, n int) {
		t.Helper()
		var ids []ID
		for i := range n {
			ids = append(ids, ID{Text: fmt.Sprint("id ", from+uint64(i))})
		}
		for _, want := range []int{n, 0} {
			if deleted, err := w.Delete(append(ids, ids...)...); err != nil || deleted != want || w.Info().Entries != len(m.entries)-n {
				t.Errorf("%d deleted, %v, and %d left, expected %d and %d", deleted, err, w.Info().Entries, want, len(m.entries)-n)
			}
		}
		for _, id := range ids {
			delete(m.entries, id)
		}
	}
	for range 2 {
		insert(1000, 50)
		for range 2 { // for compacted entries, and for entries inserted since
			remove(60, 70)
			remove(1010, 20)
			insert(60, 70)
			insert(1010, 20)
			for _, salvaged := range []string{"", filepath.Join(t.TempDir(), "b")} {
				if report, err := Verify(context.Background(), path, salvaged); err != nil || len(report.Damage) > 0 || report.Saved != len(m.entries) || report.Lost > 0 {
					t.Errorf("%+v, %v, expected %d entries", report, err, len(m.entries))
				}
			}
			reader, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			m.check(t, reader)
			reader.Close()
		}
		remove(1000, 50)
		if err := w.Compact(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}
