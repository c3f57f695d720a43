package index

import "math/bits"

// window brings the bits of a fingerprint that a table needs into one word: those of the key on
// top, and below them those of the rest, as many as there is room for. Of fingerprints of less than
// 64 bits it has as many bits as they have.
type window struct {
	pieces []piece
	width  int // of the window
	key    int // bits of it that are of the key
}

// piece is bits of one word of a fingerprint that move together.
type piece struct {
	word   int
	rotate int
	mask   uint64 // after the rotation
}

// leastKey is the number of bits that the window of a wide fingerprint has of a long key. More are
// not in need: the directory is shorter.
const leastKey = 32

// newWindow returns the window of a key of fingerprints of the given width.
func newWindow(key []span, width int) window {
	rest := outside(key, width)
	w := window{width: min(width, 64)}
	w.key = max(min(total(key), leastKey), w.width-total(rest))
	for at, i := w.width, len(key)-1; at > w.width-w.key; i-- {
		take := min(key[i].width, at-(w.width-w.key))
		at -= take
		w.place(span{key[i].from + key[i].width - take, take}, at)
	}
	for at, i := 0, 0; at < w.width-w.key; i++ {
		take := min(rest[i].width, w.width-w.key-at)
		w.place(span{rest[i].from, take}, at)
		at += take
	}
	return w
}

// place puts the bits of a span at the given bit of the window. Spans that move by the same number
// of bits, as all of a rotation do, are one piece.
func (w *window) place(s span, at int) {
	for s.width > 0 {
		from := s.from % 64
		take := min(s.width, 64-from)
		p := piece{s.from / 64, (at - from + 64) % 64, ^uint64(0) >> (64 - take) << at}
		if i := w.find(p); i >= 0 {
			w.pieces[i].mask |= p.mask
		} else {
			w.pieces = append(w.pieces, p)
		}
		s, at = span{s.from + take, s.width - take}, at+take
	}
}

func (w *window) find(p piece) int {
	for i, q := range w.pieces {
		if q.word == p.word && q.rotate == p.rotate {
			return i
		}
	}
	return -1
}

// of returns the window of a fingerprint.
func (w *window) of(words []uint64) (x uint64) {
	for _, p := range w.pieces {
		x |= bits.RotateLeft64(words[p.word], p.rotate) & p.mask
	}
	return x
}

func total(spans []span) (width int) {
	for _, s := range spans {
		width += s.width
	}
	return width
}
