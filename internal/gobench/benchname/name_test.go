package benchname

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRoundTrip(t *testing.T) {
	for _, s := range []string{"MemoryRead/n=1000000", "Hash/hash=xxh64/encoding=le64/kernel=avx512gfni/n=1024", "Plain"} {
		n := Parse(s)
		if n.String() != s || len(n.Keys) != strings.Count(s, "=") {
			t.Errorf("%q became %q, %d keys", s, n, len(n.Keys))
		}
	}
}

func TestNew(t *testing.T) {
	n := New("Sketch", "hash", "md5", "order", "", "nnz", "100")
	if got, want := n.String(), "Sketch/hash=md5/nnz=100"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if n.Get("hash") != "md5" || n.Get("order") != "" {
		t.Errorf("hash %q, order %q", n.Get("hash"), n.Get("order"))
	}
	other := n.With("hash", "xxh64").With("absent", "1")
	if diff := cmp.Diff("Sketch/hash=xxh64/nnz=100", other.String()); diff != "" {
		t.Error(diff)
	}
	if n.Get("hash") != "md5" {
		t.Error("With changed its receiver")
	}
}

func TestParseForeignNames(t *testing.T) {
	for _, s := range []string{"", "Hash/", "Hash/xxh64", "Hash/hash=", "Hash/=xxh64", "Hash//n=1", "Hash/n=1/xxh64"} {
		if n := Parse(s); n.Base != s || len(n.Keys) > 0 {
			t.Errorf("%q: base %q, keys %v", s, n.Base, n.Keys)
		}
	}
}
