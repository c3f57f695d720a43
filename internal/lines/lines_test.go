package lines

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// The concatenated results of Raw are the stream, for all kinds of lines. Next returns the same
// lines without line feeds.
func TestRawIsTheStream(t *testing.T) {
	for _, text := range []string{
		"", "\n", "a", "a\n", "a\r\n\nb", "\n\n", strings.Repeat("x", 200_000) + "\ny\n", strings.Repeat("y", 64<<10),
		strings.Repeat("x", 3<<20) + "\ny\n" + strings.Repeat("long line ", 5<<17) + "\n" + strings.Repeat("z", 1<<20),
	} {
		r := NewReader(iotest.HalfReader(strings.NewReader(text)), 8<<20)
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

// An overlong line gives an error with little memory, and the next line is read.
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
		t.Errorf("%d bytes of buffer kept", cap(r.long))
	}
}

// A line of the maximum length is accepted, even beyond the buffer. A line with one more byte is
// not.
func TestLongestLine(t *testing.T) {
	for _, most := range []int{10, 64<<10 - 1, 64 << 10, 64<<10 + 1, grown - 1, grown, grown + 1, 3*grown + 100} {
		for more := range 2 {
			r := NewReader(strings.NewReader(strings.Repeat("x", most+more)+"\nshort\n"), most)
			line, err := r.Next()
			if more == 0 && (err != nil || len(line) != most) || more == 1 && !errors.Is(err, ErrTooLong) {
				t.Errorf("%d bytes where %d are allowed: %d bytes, %v", most+more, most, len(line), err)
			}
			if line, err := r.Next(); err != nil || string(line) != "short" {
				t.Errorf("after %d bytes where %d are allowed: %.10q, %v", most+more, most, line, err)
			}
		}
	}
}

// An overlong line is not buffered beyond the limit.
func TestMemoryOfTooLongLines(t *testing.T) {
	read := 0
	source := io.TeeReader(strings.NewReader(strings.Repeat("x", 20<<20)), counter{&read})
	r := NewReader(source, 3<<20)
	if _, err := r.Next(); !errors.Is(err, ErrTooLong) || read > 4<<20 || cap(r.long) > 2*grown {
		t.Errorf("%d bytes read, room for %d, %v", read, cap(r.long), err)
	}
}

// counter counts the bytes written.
type counter struct{ n *int }

func (c counter) Write(p []byte) (int, error) {
	*c.n += len(p)
	return len(p), nil
}

// The buffer of a huge line is reused for the next one, and released after many short lines.
func TestMemoryOfLongLines(t *testing.T) {
	const huge = 20 << 20
	short := strings.Repeat("z\n", forgotten-1)
	r := NewReader(strings.NewReader(strings.Repeat("x", huge)+"\n"+short+strings.Repeat("y", huge-5)+"\n"+short+"z\n"), 1<<30)
	room := 0
	for line := 1; line <= 2*forgotten+1; line++ {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
		switch {
		case line == 1:
			room = cap(r.long)
		case line <= 2*forgotten && cap(r.long) != room, line > 2*forgotten && r.long != nil:
			t.Fatalf("line %d: room for %d bytes, %d after the first", line, cap(r.long), room)
		}
	}
}

// A partial line before a read error is not returned.
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

// noted records each write.
type noted struct{ list []string }

func (p *noted) Write(b []byte) (int, error) {
	p.list = append(p.list, string(b))
	return len(b), nil
}

// Each write to the output ends with a line, and together they contain all the data.
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

// After a write error, nothing more is written.
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

// The same holds for a line longer than the buffer, which is written directly.
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

// All names the input and the line in its errors, and stops when the context ends.
func TestAll(t *testing.T) {
	broken := errors.New("broken")
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(broken)
	for _, c := range []struct {
		ctx   context.Context
		r     io.Reader
		whole bool
		want  string
	}{
		{t.Context(), strings.NewReader("one\ntwo\n"), true, "1 one|2 two"},
		{t.Context(), strings.NewReader("one\ntwo"), false, "1 one|2 two"},
		{t.Context(), strings.NewReader("one\ntwo"), true, "1 one|x:2: the last line has no line feed, so it may be incomplete"},
		{t.Context(), strings.NewReader("one\nlonger\ntwo\n"), true, "1 one|x:2: expected a line of at most 5 bytes"},
		{t.Context(), io.MultiReader(strings.NewReader("one\ntw"), iotest.ErrReader(broken)), false, "1 one|x: after line 1: broken"},
		{ended, strings.NewReader(strings.Repeat("one\n", 4097)), true, strings.Repeat("one|", 4095) + "broken"},
	} {
		var got []string
		for line, err := range All(c.ctx, c.r, "x", 5, c.whole) {
			switch {
			case err != nil:
				got = append(got, err.Error())
			case c.ctx == ended:
				got = append(got, string(line.Text))
			default:
				got = append(got, fmt.Sprintf("%d %s", line.Number, line.Text))
			}
		}
		if got := strings.Join(got, "|"); got != c.want {
			t.Errorf("%.100q, want %.100q", got, c.want)
		}
	}
}
