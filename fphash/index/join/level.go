package join

import (
	"math/bits"
	"slices"
)

// level is entries that were brought together by a key: a partition by the rest of its block, or a
// bucket of the level above by a further block.
type level struct {
	windows []uint64 // in no order of keys
	free    uint     // their lowest bits, which need not agree

	shift, bits uint     // of the key in the windows
	ends        []uint32 // of each bucket
	up          []uint32 // in order of the buckets: where the entry is in windows
	screens     []uint32 // likewise: screenBits of the window
	limit       int      // in how many bits of the screens pairs differ, at most

	from   int      // where in the level above the windows begin
	bucket []uint64 // memory of windows that were gathered
}

// sort brings the windows together by the bits at shift. Entries with the same key keep their
// order.
func (l *level) sort(shift, width uint) {
	l.shift, l.bits = shift, width
	n, mask := len(l.windows), uint64(1)<<width-1
	l.ends = slices.Grow(l.ends[:0], 1<<width)[:1<<width]
	l.up = slices.Grow(l.up[:0], n)[:n]
	l.screens = slices.Grow(l.screens[:0], n)[:n]
	ends, up, screens := l.ends, l.up, l.screens
	clear(ends)
	for _, x := range l.windows {
		ends[x>>(shift&63)&mask]++
	}
	at := uint32(0)
	for i, count := range ends {
		ends[i] = at
		at += count
	}
	turn := -int(l.screenAt())
	for i, x := range l.windows {
		end := &ends[x>>(shift&63)&mask]
		o := *end
		*end = o + 1
		up[o] = uint32(i)
		screens[o] = uint32(bits.RotateLeft64(x, turn))
	}
}

// screenBits is how many bits of fingerprints are compared first.
const screenBits = 32

// screenAt returns from which bit on the screens are taken: below the key, or where it takes the
// fewest of them.
func (l *level) screenAt() uint {
	above := l.shift + l.bits
	switch {
	case l.shift >= screenBits:
		return l.shift - screenBits
	case l.free-above < l.shift:
		return 0
	}
	return above
}

// gather makes a bucket of the level above the windows of this one, without the bits that agree.
func (l *level) gather(above *level, from, to int) {
	l.from, l.free = from, above.free-above.bits
	l.bucket = slices.Grow(l.bucket[:0], to-from)[:to-from]
	l.windows = l.bucket
	below := uint64(1)<<above.shift - 1
	for i, u := range above.up[from:to] {
		x := above.windows[u]
		l.windows[i] = x&below | x>>above.bits&^below
	}
}

// sortPartition brings a partition together by the rest of its keys.
func (l *level) sortPartition(t *task) {
	l.windows, l.free = t.windows, windowBits(t.join.Set.Bits)-t.plan.first
	shift := l.free - t.plan.second
	if l.limit = t.table().windows; shift >= screenBits {
		l.limit = t.table().screens
	}
	l.sort(shift, t.plan.second)
}
