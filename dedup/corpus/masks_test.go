package corpus

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/dedup"
)

// maskedDocuments is manyDocuments with three unsure bits each, some of which are turned.
func maskedDocuments() map[string]string {
	random := rand.New(rand.NewPCG(3, 4))
	files := manyDocuments()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := files[name]
		var masked strings.Builder
		for line := range strings.Lines(text) {
			var id, fingerprint uint64
			if n, _ := fmt.Sscanf(line, "%d %x", &id, &fingerprint); n < 2 {
				masked.WriteString(line)
				continue
			}
			mask := uint64(1)<<random.IntN(64) | 1<<random.IntN(64) | 1<<random.IntN(64)
			fmt.Fprintf(&masked, "%d %016x %016x\n", id, fingerprint^mask&random.Uint64(), mask)
		}
		files[name] = masked.String()
	}
	return files
}

func maskedRun(t *testing.T, in, out string) *Run {
	r := runOn(t, in, out)
	r.Source = &lineSource{definition: "lines; unsure=3", unsure: 3}
	return r
}

// Masks are read back from the folder of the run, and the groups are those of all pairs that are
// near outside both masks: found in memory, on disk, and after an interrupt.
func TestMasks(t *testing.T) {
	in := t.TempDir()
	write(t, in, maskedDocuments())
	for _, by := range dedup.Ways() {
		r := maskedRun(t, in, t.TempDir())
		r.By = by
		result := mustFinish(t, r)
		all := &dedup.Records{Name: "all"}
		all.Set.Bits = 64
		for _, input := range r.Inputs {
			for record, err := range (&lineSource{unsure: 3}).Records(t.Context(), input.Path) {
				if err != nil {
					t.Fatal(err)
				}
				all.AddMasked(nil, record.Fingerprint, record.Mask, record.Informative)
			}
		}
		want, err := dedup.Find(t.Context(), all, dedup.Options{K: r.K, By: by})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(groupsOf(want), groupsOf(result.Result)); diff != "" {
			t.Errorf("by %s: -want +got\n%s", by, diff)
		}
		all.Set.Masks = nil
		if plain, err := dedup.Find(t.Context(), all, dedup.Options{K: r.K, By: by}); err != nil || cmp.Equal(groupsOf(plain), groupsOf(want)) {
			t.Errorf("by %s: the same groups without masks, error %v", by, err)
		}
		files := contents(t, r.Folder)
		for _, memory := range []int64{1, 100_000} { // none and some of the records
			again := maskedRun(t, in, t.TempDir())
			again.By, again.Memory = by, memory
			enough, n := errors.New("enough"), 0
			again.Source.(*lineSource).before = func() error {
				if n++; n == 1000 {
					return enough
				}
				return nil
			}
			if _, err := finish(again); !errors.Is(err, enough) {
				t.Errorf("error %v, expected %v", err, enough)
			}
			notices := 0
			again.Notice = func(string) { notices++ }
			mustFinish(t, again)
			if diff := cmp.Diff(files, contents(t, again.Folder)); diff != "" || notices != 1 {
				t.Errorf("by %s, %d bytes, %d notices: -want +got\n%s", by, memory, notices, diff)
			}
		}
	}
}

func groupsOf(r *dedup.Result) (list [][]int) {
	for i := range r.Groups.Len() {
		var members []int
		for _, m := range r.Groups.Members(i) {
			members = append(members, int(r.Records.Set.ID(int(m))))
		}
		list = append(list, members)
	}
	return list
}

// A run without masks does not take up one with them, nor the other way round, and a file in which
// they are missing is no file of a run that has them.
func TestMasksAreNotMixed(t *testing.T) {
	in, masked, plain := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, in, maskedDocuments())
	mustFinish(t, maskedRun(t, in, masked))
	mustFinish(t, runOn(t, in, plain))
	for _, r := range []*Run{runOn(t, in, masked), maskedRun(t, in, plain)} {
		if _, err := finish(r); err == nil || !strings.Contains(err.Error(), "manifest.json: the fingerprints in this folder were made by") {
			t.Errorf("error %v", err)
		}
	}
	f := form{64, true}
	if r, err := f.parseLine([]byte(`{"id":"a","fingerprint":"00000000000000ff","features":3}`)); err == nil {
		t.Errorf("%+v, expected an error", r)
	}
}
