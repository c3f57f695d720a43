package bench

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"simhashkit/fphash"
)

// Go's own hash is timed, but it has no cells and cannot be used for fingerprints.
func TestMapHash(t *testing.T) {
	o := Options{Suite: "hashes", Hashes: []string{mapHashName}, Match: regexp.MustCompile("n=16|kernel=generic/nnz=100")}
	got := names(t, o)
	for _, want := range []string{"Hash/hash=maphash/encoding=le64/kernel=library/n=16", "Sketch/hash=maphash/weights=f32/f=64/kernel=generic/nnz=100"} {
		if !slices.Contains(got, want) {
			t.Errorf("the suite lacks %s: %q", want, got)
		}
	}
	for _, suite := range []string{"hashes", "default"} {
		if list := cells(t, Options{Suite: suite, Hashes: []string{mapHashName}}); len(list) > 0 {
			t.Errorf("%s: %d cells", suite, len(list))
		}
	}
	if err := mapHash.Verify(); err != nil {
		t.Error(err)
	}
	if _, err := fphash.New(fphash.Definition{Hash: mapHashName}); err == nil || !strings.Contains(err.Error(), "a different function in each process") {
		t.Errorf("New: %v", err)
	}
}
