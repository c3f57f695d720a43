package lines

import (
	"errors"
	"strings"
	"testing"
)

// noted notes what it is given at a time.
type noted struct{ list []string }

func (p *noted) Write(b []byte) (int, error) {
	p.list = append(p.list, string(b))
	return len(b), nil
}

// What is passed on ends with a line, each time, and all of it is what was written.
func TestWholeLines(t *testing.T) {
	for _, length := range []int{1, 2, 63, 1000, written - 1, written, written + 1, 3 * written} {
		var out noted
		w := NewWriter(&out)
		line := strings.Repeat("x", length-1) + "\n"
		var all strings.Builder
		for range max(3, 2*written/length) {
			if n, err := w.Write([]byte(line)); n != length || err != nil {
				t.Fatal(n, err)
			}
			all.WriteString(line)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		for _, piece := range out.list {
			if !strings.HasSuffix(piece, "\n") || len(piece) > max(written, length) {
				t.Errorf("lines of %d bytes: %d are passed on that end with %q", length, len(piece), piece[len(piece)-1:])
			}
		}
		if strings.Join(out.list, "") != all.String() {
			t.Errorf("lines of %d bytes: something else is passed on", length)
		}
		if length == 1 && len(out.list) > 2 {
			t.Errorf("%d pieces, expected large ones", len(out.list))
		}
	}
}

var errFull = errors.New("full")

type full struct{ calls int }

func (f *full) Write([]byte) (int, error) {
	f.calls++
	return 0, errFull
}

// Nothing follows what could not be written.
func TestWriteError(t *testing.T) {
	var out full
	w := NewWriter(&out)
	if _, err := w.Write([]byte("a\n")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := w.Flush(); !errors.Is(err, errFull) {
			t.Errorf("error %v", err)
		}
	}
	for _, line := range []string{"b\n", strings.Repeat("b", 2*written)} {
		if _, err := w.Write([]byte(line)); !errors.Is(err, errFull) {
			t.Errorf("error %v", err)
		}
	}
	if out.calls != 1 {
		t.Errorf("%d calls, expected 1", out.calls)
	}
}

// Nor does anything follow a line that is written as it comes, since it is longer than the room.
func TestWriteErrorOfALongLine(t *testing.T) {
	var out full
	w := NewWriter(&out)
	for _, n := range []int{written + 1, 1} {
		if _, err := w.Write(make([]byte, n)); !errors.Is(err, errFull) {
			t.Errorf("a line of %d bytes: error %v", n, err)
		}
	}
	if err := w.Flush(); !errors.Is(err, errFull) || out.calls != 1 {
		t.Errorf("error %v after %d calls, expected 1", err, out.calls)
	}
}
