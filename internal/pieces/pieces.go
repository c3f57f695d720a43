// Package pieces collects bytes whose number is not known in advance.
//
// A growing slice needs at least twice its memory while it moves, and leaves the old array to the
// garbage collector. Pieces stay in place, and move only once, into a slice of their final size.
package pieces

// Size is the size of a piece. Smaller slices can simply grow.
const Size = 1 << 20

// Kept is the largest capacity that readers keep for reuse, so that a single huge document does not
// hold its memory forever.
const Kept = 16 << 20

// List is bytes in pieces. The zero value is empty.
type List struct {
	pieces [][]byte // all are full except the last
	n      int
}

// Len returns the number of bytes.
func (l *List) Len() int { return l.n }

// Room returns at least one byte of space for the next bytes. Extend says how many were stored
// there.
func (l *List) Room() []byte {
	if last := len(l.pieces) - 1; last >= 0 && len(l.pieces[last]) < Size {
		return l.pieces[last][len(l.pieces[last]):Size]
	}
	l.pieces = append(l.pieces, make([]byte, 0, Size))
	return l.pieces[len(l.pieces)-1][:Size]
}

// Extend adds the first n bytes of the space that Room returned.
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

// MoveTo appends all bytes to dst, whose capacity grows only as needed, and empties the list.
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
