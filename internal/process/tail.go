package process

import "strings"

// mostOfTail is how many bytes are kept.
const mostOfTail = 4 << 10

// Tail keeps the end of what is written to it, such as the last that a program says of itself.
type Tail struct {
	text []byte
	cut  bool
}

// Write takes everything.
func (t *Tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if more := len(t.text) - mostOfTail; more > 0 {
		t.text, t.cut = append(t.text[:0], t.text[more:]...), true
	}
	return len(p), nil
}

// String returns whole lines, behind "..." if there were more before them, and without what would
// upset a terminal.
func (t *Tail) String() string {
	text := strings.ToValidUTF8(string(t.text), "?")
	if t.cut {
		if _, rest, ok := strings.Cut(text, "\n"); ok {
			text = rest
		}
		text = "...\n" + text
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, text))
}
