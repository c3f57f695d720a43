package text

import (
	"slices"
	"testing"
)

// After a run of ASCII, only a word whose mark may join it to the next character is cut again. A
// word before the run stays.
func TestStepBack(t *testing.T) {
	for _, c := range []struct {
		text      string
		words     []span
		since     int // index of the first word of the run
		begin, at int // of the run
		want      []span
		next      int
	}{
		{"abc", []span{{From: 0, To: 3}}, 0, 0, 3, []span{{From: 0, To: 3}}, 3},
		{"abc.é", []span{{From: 0, To: 3}}, 0, 0, 4, nil, 0},
		{"xy 12,é", []span{{From: 0, To: 2}, {From: 3, To: 5}}, 0, 0, 6, []span{{From: 0, To: 2}}, 3},
		{"abc é", []span{{From: 0, To: 3}}, 0, 0, 4, []span{{From: 0, To: 3}}, 3},
		{"abc..é", []span{{From: 0, To: 3}}, 0, 0, 5, []span{{From: 0, To: 3}}, 4},
		{"é.→", []span{{From: 0, To: 2}}, 1, 2, 3, []span{{From: 0, To: 2}}, 2},
		{"é→", []span{{From: 0, To: 2}}, 1, 2, 2, []span{{From: 0, To: 2}}, 2},
	} {
		got, next := stepBack(slices.Clone(c.words), c.since, []byte(c.text), c.begin, c.at)
		if !slices.Equal(got, c.want) || next != c.next {
			t.Errorf("%q: words %v and position %d, want %v and %d", c.text, got, next, c.want, c.next)
		}
	}
}
