package lines

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// What Raw returns, one line after the other, is the stream, whatever its lines are like; Next
// returns the same without line feeds.
func TestRawIsTheStream(t *testing.T) {
	for _, text := range []string{
		"", "\n", "a", "a\n", "a\r\n\nb", "\n\n", strings.Repeat("x", 200_000) + "\ny\n", strings.Repeat("y", 64<<10),
	} {
		r := NewReader(iotest.HalfReader(strings.NewReader(text)), 1<<20)
		var raw, trimmed []byte
		for {
			line, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			raw = append(raw, r.Raw()...)
			trimmed = append(append(trimmed, line...), '\n')
		}
		if string(raw) != text {
			t.Errorf("%.20q of %d bytes: read back as %d bytes", text, len(text), len(raw))
		}
		if want := strings.TrimSuffix(text, "\n"); text != "" && string(bytes.TrimSuffix(trimmed, []byte("\n"))) != want {
			t.Errorf("%.20q: lines %.20q", text, trimmed)
		}
	}
}

// A line that is too long is said to be, costs no more than its limit, and the next one is read.
func TestTooLong(t *testing.T) {
	r := NewReader(strings.NewReader(strings.Repeat("x", 1<<20)+"\nabc\nabcdefgh\nz"), 5)
	var got []string
	for {
		line, err := r.Next()
		if err == io.EOF {
			break
		}
		switch {
		case errors.Is(err, ErrTooLong):
			got = append(got, "too long")
			if len(line) > shown || r.Raw() != nil {
				t.Errorf("%d bytes of a line that is too long, and %d of it raw", len(line), len(r.Raw()))
			}
		case err != nil:
			t.Fatal(err)
		default:
			got = append(got, string(line))
		}
	}
	if strings.Join(got, "|") != "too long|abc|too long|z" || r.Number() != 4 {
		t.Errorf("%q, %d lines", got, r.Number())
	}
	if cap(r.long) > 1<<17 {
		t.Errorf("%d bytes held", cap(r.long))
	}
}

// A torn line is no line.
func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	r := NewReader(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 100)
	if line, err := r.Next(); string(line) != "a" || err != nil {
		t.Fatalf("%q, %v", line, err)
	}
	if line, err := r.Next(); !errors.Is(err, broken) || r.Raw() != nil {
		t.Errorf("%q, %v", line, err)
	}
}
