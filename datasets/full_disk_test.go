package datasets

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// fullDisk takes so many bytes, and no more.
type fullDisk struct {
	room int
	full error
}

func (d *fullDisk) Write(p []byte) (int, error) {
	n := min(len(p), d.room)
	d.room -= n
	if n < len(p) {
		return n, d.full
	}
	return n, nil
}

// An output that does not take everything is an error in every format, also where what is missing
// is only what buffers hold at the end.
func TestNoFormatLosesAFullDisk(t *testing.T) {
	full := errors.New("disk full")
	for _, format := range []Format{SVMLight, Vowpal, MatrixMarket, NPZ} {
		convert := func(room int) error {
			file, err := NewVectorFile(t.Context(), strings.NewReader("1 3:0.5 7:2\n2 1:1\n"), "", ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			_, err = Convert[float64](t.Context(), &fullDisk{room, full}, format, file, false)
			return err
		}
		var whole bytes.Buffer
		file, err := NewVectorFile(t.Context(), strings.NewReader("1 3:0.5 7:2\n2 1:1\n"), "", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Convert[float64](t.Context(), &whole, format, file, false); err != nil {
			t.Fatal(err)
		}
		for room := range whole.Len() {
			if err := convert(room); !errors.Is(err, full) {
				t.Errorf("%s, room for %d of %d bytes: error %v", format, room, whole.Len(), err)
			}
		}
		if err := convert(whole.Len()); err != nil {
			t.Errorf("%s, room for all: %v", format, err)
		}
	}
}
