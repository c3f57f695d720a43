package index

import (
	"strings"
	"testing"
)

// Values that were not made by New or Index.Snapshot say what to call.
func TestValuesThatWereNotMade(t *testing.T) {
	var x Index
	var none *Index
	for name, call := range map[string]func(){
		"Snapshot": func() { x.Snapshot() }, "nil": func() { none.Snapshot() }, "Delete": func() { new(Index).Delete(1) },
		"Insert": func() { x.Insert(&Set{Bits: 64}) }, "Settle": func() { x.Settle() },
	} {
		func() {
			defer func() {
				if reason := recover(); reason != "index: Index was not made by New" {
					t.Errorf("%s: panic %v", name, reason)
				}
			}()
			call()
			t.Errorf("%s: no panic", name)
		}()
	}
	var s Snapshot
	_, within := s.AppendWithin(nil, Query{}, 0)
	_, nearest := s.Nearest(Query{}, 1)
	for _, err := range []error{within, nearest} {
		if err == nil || !strings.Contains(err.Error(), "Index.Snapshot") {
			t.Errorf("%v", err)
		}
	}
}
