package corpus

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A run that leaves out a bad document reuses the fingerprints computed before the failure. Later
// runs report the document as left out. A run that leaves out nothing does not reuse these
// fingerprints.
func TestLeftOut(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, in, map[string]string{"a.txt": lineFiles["a.txt"], "b.txt": "17 00000000000000fe\n!bad\nthree ffff000000000000\n!worse", "c.txt": "four 00ffff0000000000\n"})
	run := func(keepGoing bool) (r *Run, read *[]string) {
		r = runOn(t, in, out)
		source := r.Source.(*lineSource)
		if source.keepGoing = keepGoing; keepGoing {
			r.LeftOut = func() int { return source.left }
		}
		return r, &source.read
	}
	r, _ := run(false)
	if _, err := finish(r); !errors.Is(err, errBad) {
		t.Errorf("error %v, expected %v", err, errBad)
	}
	for i, want := range [][]string{{"b.txt", "c.txt"}, nil} {
		r, read := run(true)
		if result := mustFinish(t, r); result.LeftOut != 2 || result.Records.Len() != 6 {
			t.Errorf("run %d: %d left out of %d records, expected 2 of 6", i, result.LeftOut, result.Records.Len())
		}
		if diff := cmp.Diff(want, *read); diff != "" {
			t.Errorf("run %d: files that were read: -want +got\n%s", i, diff)
		}
	}
	r, read := run(false)
	if _, err := r.Find(t.Context(), "the test"); err == nil || !strings.Contains(err.Error(), "b.txt: it has changed since") {
		t.Errorf("without the fingerprints: error %v", err)
	}
	var notices []string
	r.Notice = addTo(&notices)
	if _, err := finish(r); !errors.Is(err, errBad) || len(notices) != 1 || !strings.Contains(notices[0], "b.txt: documents may have been left out") {
		t.Errorf("error %v, notices %q", err, notices)
	}
	if diff := cmp.Diff([]string{"b.txt"}, *read); diff != "" {
		t.Errorf("files that were read: -want +got\n%s", diff)
	}
}
