package pieces

import (
	"bytes"
	"testing"
)

// What is moved is what was appended or stored, behind what was there, in room for that and no
// more.
func TestMoveTo(t *testing.T) {
	for _, size := range []int{0, 1, Size - 1, Size, Size + 1, 3*Size + 17} {
		for _, before := range []string{"", "before"} {
			var want []byte
			var l List
			for i := 0; len(want) < size; i++ {
				some := bytes.Repeat([]byte{byte(i)}, min(1000+i*i, size-len(want)))
				want = append(want, some...)
				if i%2 == 0 {
					l.Append(some)
					continue
				}
				for len(some) > 0 {
					n := copy(l.Room(), some)
					l.Extend(n)
					some = some[n:]
				}
			}
			if l.Len() != size {
				t.Errorf("%d bytes, expected %d", l.Len(), size)
			}
			got := l.MoveTo([]byte(before))
			if string(got) != before+string(want) {
				t.Errorf("%d bytes after %q: others were moved", size, before)
			}
			if size > 0 && cap(got) > len(got)+32 {
				t.Errorf("%d bytes: room for %d", len(got), cap(got))
			}
			if l.Len() != 0 || len(l.MoveTo(nil)) != 0 {
				t.Errorf("%d bytes are left", l.Len())
			}
		}
	}
}

// Nothing moves where there is room.
func TestMoveToRoom(t *testing.T) {
	var l List
	l.Append([]byte("abc"))
	room := make([]byte, 0, 3)
	if got := l.MoveTo(room); &got[0] != &room[:1][0] || string(got) != "abc" {
		t.Errorf("%q was moved elsewhere", got)
	}
}
