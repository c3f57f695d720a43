package extension

import "testing"

func TestNames(t *testing.T) {
	for s := Set(1); s < end; s <<= 1 {
		if back, ok := Named(s.String()); !ok || back != s {
			t.Errorf("Named(%q) = %v, %v", s.String(), back, ok)
		}
	}
	if _, ok := Named("SSE9"); ok {
		t.Error("SSE9 exists")
	}
}
