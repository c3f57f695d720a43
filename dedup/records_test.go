package dedup

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fill adds n records, some of them uninformative, and passes batches to take if it is not nil.
func fill(t *testing.T, n int, withIDs bool, take func(*Records) error) *Records {
	t.Helper()
	r := new(Records)
	r.Set.Bits = 128
	for i := range n {
		var id []byte
		if withIDs {
			id = fmt.Append(nil, "id", i)
		}
		r.Add(id, []uint64{uint64(i), uint64(i) << 32}, i%7000 != 6000)
		if err := r.Pass(take); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// appendHeld appends the id and fingerprint of each record in memory.
func appendHeld(dst []string, r *Records) []string {
	for i := range r.Set.Len() {
		dst = append(dst, fmt.Sprint(r.Set.ID(i), r.ID(int(r.Set.ID(i))), r.Set.At(i)))
	}
	return dst
}

// The batches together must contain the same records as one set of all of them.
func TestBatchesAreAllRecords(t *testing.T) {
	for _, withIDs := range []bool{false, true} {
		const n = 2*batchRecords + 3000
		want := fill(t, n, withIDs, nil)
		var got []string
		var sizes []int
		take := func(r *Records) error {
			got, sizes = appendHeld(got, r), append(sizes, r.Set.Len())
			return nil
		}
		r := fill(t, n, withIDs, take)
		if err := r.PassRest(take); err != nil {
			t.Fatal(err)
		}
		if err := r.PassRest(take); err != nil { // nothing is left
			t.Fatal(err)
		}
		if r.Len() != n || r.WithoutFingerprint() != want.WithoutFingerprint() {
			t.Errorf("%d records, %d without a fingerprint, expected %d and %d", r.Len(), r.WithoutFingerprint(), n, want.WithoutFingerprint())
		}
		for i, line := range appendHeld(nil, want) {
			if i >= len(got) || got[i] != line {
				t.Fatalf("ids %v: batches have %d records, expected %s at index %d", withIDs, len(got), line, i)
			}
		}
		// Records 6000, 13000 and 20000 have no fingerprint.
		if want := []int{batchRecords - 1, batchRecords - 1, 2999}; !cmp.Equal(sizes, want) {
			t.Errorf("batches of %d, expected %d", sizes, want)
		}
	}
}

// Long ids make batches smaller. An error of take is returned.
func TestBatchesAreBounded(t *testing.T) {
	const idBytes = 1 << 20
	r := new(Records)
	r.Set.Bits = 64
	enough := errors.New("enough")
	batches := 0
	take := func(r *Records) error {
		if n := r.Set.Len() * idBytes; n > batchBytes {
			t.Errorf("a batch of %d bytes, expected at most %d", n, batchBytes)
		}
		if batches++; batches == 3 {
			return enough
		}
		return nil
	}
	var err error
	for i := 0; i < 1000 && err == nil; i++ {
		r.Add(append(strconv.AppendInt(nil, int64(i), 10), bytes.Repeat([]byte("x"), idBytes)...), []uint64{1}, true)
		err = r.Pass(take)
	}
	if err != enough || batches != 3 {
		t.Errorf("error %v after %d batches, expected %v after 3", err, batches, enough)
	}
}

// Records without ids take no memory for them, and ids may follow.
func TestNilIDs(t *testing.T) {
	var r Records
	for range 3 {
		r.Add(nil, nil, false)
	}
	if r.ids != nil || r.idEnds != nil || r.ID(2) != "3" || r.HasID(2) {
		t.Errorf("%+v", r)
	}
	r.Add([]byte("x"), nil, false)
	r.Add(nil, nil, false)
	r.Add([]byte{}, nil, false)
	for i, want := range []string{"1", "2", "3", "x", "5", "6"} {
		if id, has := r.ID(i), r.HasID(i); id != want || has != (i == 3 || i == 5) {
			t.Errorf("record %d: id %q, has an id: %v", i, id, has)
		}
	}
	r = Records{first: 7, count: 7}
	r.Add(nil, nil, false)
	r.Add([]byte("x"), nil, false)
	if r.ID(7) != "8" || r.HasID(7) || r.ID(8) != "x" || !r.HasID(8) {
		t.Errorf("%+v", r)
	}
}
