// Package pieces collects bytes whose number is not known beforehand.
//
// A slice that grows has twice its memory and more while it moves, and leaves as much behind for
// the garbage collector. Pieces stay where they are, and move once, to where they all have room.
package pieces

// Size is how large a piece is; a slice that is smaller may as well grow.
const Size = 1 << 20

// Kept is the greatest capacity that is kept whatever comes next: a single huge document should not
// hold its memory for ever.
const Kept = 16 << 20

// List is bytes in pieces. The zero value is empty.
type List struct {
	pieces [][]byte // all full, but for the last
	n      int
}

// Len returns the number of bytes.
func (l *List) Len() int { return l.n }

// Room returns where the next bytes go, a byte at least; Extend says how many were stored there.
func (l *List) Room() []byte {
	if last := len(l.pieces) - 1; last >= 0 && len(l.pieces[last]) < Size {
		return l.pieces[last][len(l.pieces[last]):Size]
	}
	l.pieces = append(l.pieces, make([]byte, 0, Size))
	return l.pieces[len(l.pieces)-1][:Size]
}

// Extend takes in the first bytes of what Room has returned.
func (l *List) Extend(n int) {
	last := &l.pieces[len(l.pieces)-1]
	*last = (*last)[:len(*last)+n]
	l.n += n
}

// Append appends bytes.
func (l *List) Append(bytes []byte) {
	for len(bytes) > 0 {
		n := copy(l.Room(), bytes)
		l.Extend(n)
		bytes = bytes[n:]
	}
}

// MoveTo appends all bytes to dst, which gets no more room than they need, and leaves the list
// empty.
func (l *List) MoveTo(dst []byte) []byte {
	if all := len(dst) + l.n; all > cap(dst) {
		grown := make([]byte, len(dst), all)
		copy(grown, dst)
		dst = grown
	}
	for _, piece := range l.pieces {
		dst = append(dst, piece...)
	}
	*l = List{}
	return dst
}
