package corpus

import (
	"encoding/json"
	"math/bits"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// oldRun returns a complete run over the files of a folder, which drops copies alone.
func oldRun(t *testing.T, in string) *Run {
	t.Helper()
	r := runOn(t, in, t.TempDir())
	r.K = 0
	mustFinish(t, r)
	return r
}

// What is near an old record, of documents or of an earlier run, is dropped and names the nearest,
// the first of several; records that are near new ones alone are kept. Each record of the inputs is
// kept or dropped, however little memory there is.
func TestAgainst(t *testing.T) {
	in, before := t.TempDir(), t.TempDir()
	write(t, in, manyDocuments())
	old := map[string]string{}
	for name, text := range manyDocuments() { // each fifth line is an old one, with two bits turned
		var lines []string
		for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
			id, digits, informative := strings.Cut(line, " ")
			if fingerprint, err := strconv.ParseUint(digits, 16, 64); informative && err == nil && i%5 == 0 {
				lines = append(lines, "old"+id+" "+hexOf(fingerprint^5), "more"+id+" "+hexOf(fingerprint^5), "none"+id)
			}
		}
		old[name] = strings.Join(lines, "\n") + "\n"
	}
	write(t, before, old)
	want := map[string]any{} // by id; nil is kept
	var oldIDs []string
	var oldPrints []uint64
	earlier := oldRun(t, before)
	for _, input := range earlier.Inputs {
		for record, err := range (&lineSource{}).Records(t.Context(), input.Path) {
			if err != nil {
				t.Fatal(err)
			}
			if record.Informative {
				oldIDs, oldPrints = append(oldIDs, string(record.ID)), append(oldPrints, record.Fingerprint[0])
			}
		}
	}
	count := 0
	dropped := 0
	run := runOn(t, in, t.TempDir())
	for _, input := range run.Inputs {
		for record, err := range (&lineSource{}).Records(t.Context(), input.Path) {
			if err != nil {
				t.Fatal(err)
			}
			count++
			best := run.K + 1
			want[string(record.ID)] = nil
			for i, other := range oldPrints {
				if record.Informative && bits.OnesCount64(other^record.Fingerprint[0]) < best {
					best = bits.OnesCount64(other ^ record.Fingerprint[0])
					want[string(record.ID)] = oldIDs[i]
				}
			}
			if want[string(record.ID)] != nil {
				dropped++
			}
		}
	}
	for _, memory := range []int64{0, 1} {
		for name, against := range map[string]func(r *Run) (Old, error){
			"documents":      func(*Run) (Old, error) { return OldOf(earlier, "before"), nil },
			"an earlier run": func(r *Run) (Old, error) { return r.Earlier(earlier.Folder) },
		} {
			r := runOn(t, in, t.TempDir())
			r.Memory = memory
			of, err := against(r)
			if err != nil {
				t.Fatal(err)
			}
			r.Against = []Old{of}
			result := mustFinish(t, r)
			got := map[string]any{}
			for _, text := range attributes(t, r.Folder) {
				for line := range strings.Lines(text) {
					var a struct {
						ID        json.Number
						Canonical bool `json:"is_canonical"`
						Cluster   any  `json:"cluster_id"`
						Of        any  `json:"duplicate_of"`
					}
					if err := json.Unmarshal([]byte(line), &a); err != nil || a.Canonical != (a.Of == nil) || a.Cluster != nil {
						t.Fatalf("%s, memory %d: %s%v", name, memory, line, err)
					}
					got[a.ID.String()] = a.Of
				}
			}
			if diff := cmp.Diff(want, got); diff != "" || dropped == 0 || dropped == count {
				t.Errorf("%s, memory %d: %d of %d dropped: -want +got\n%.2000s", name, memory, dropped, count, diff)
			}
			kept, gone, err := result.Remove(t.Context(), t.TempDir(), copyLines)
			if err != nil || kept+gone != count || gone != dropped {
				t.Errorf("%s, memory %d: %d kept and %d dropped, error %v; want %d dropped of %d", name, memory, kept, gone, err, dropped, count)
			}
		}
	}
}

func hexOf(fingerprint uint64) string {
	digits := strconv.FormatUint(fingerprint, 16)
	return strings.Repeat("0", 16-len(digits)) + digits
}

// Documents that are new and old would all be dropped, and are refused; so are attributes and
// copies in the place of old documents, and fingerprints of another definition.
func TestAgainstRefuses(t *testing.T) {
	in := t.TempDir()
	write(t, in, documents)
	earlier := oldRun(t, in)
	r := runOn(t, in, t.TempDir())
	if err := r.RefuseOld(earlier.Inputs, ""); err == nil || !strings.Contains(err.Error(), "among the old documents") {
		t.Errorf("error %v", err)
	}
	of, err := r.Earlier(earlier.Folder)
	if err != nil {
		t.Fatal(err)
	}
	r.Against = []Old{of}
	if _, err := finish(r); err == nil || !strings.Contains(err.Error(), "is among the documents of "+earlier.Folder) {
		t.Errorf("error %v", err)
	}
	if _, err := earlier.Earlier(earlier.Folder); err == nil || !strings.Contains(err.Error(), "the folder of another run") {
		t.Errorf("error %v", err)
	}
	other := &Run{Folder: t.TempDir(), Source: &lineSource{definition: "others"}}
	if _, err := other.Earlier(earlier.Folder); err == nil || !strings.Contains(err.Error(), "which has the definition") {
		t.Errorf("error %v", err)
	}
	elsewhere := t.TempDir()
	write(t, elsewhere, map[string]string{"a.txt": "new 0000000000000000\n"})
	news := runOn(t, elsewhere, t.TempDir())
	if err := news.RefuseOld(earlier.Inputs, in); err == nil || !strings.Contains(err.Error(), "this has old documents") {
		t.Errorf("error %v", err)
	}
	for _, old := range []string{news.Attributes(news.Inputs[0]), filepath.Dir(news.Folder)} { // a file, a folder of texts
		if err := news.RefuseOld([]Input{{Path: old}}, ""); err == nil || !strings.Contains(err.Error(), "expected another folder") {
			t.Errorf("%s: error %v", old, err)
		}
	}
	if err := news.RefuseOld(earlier.Inputs, t.TempDir()); err != nil {
		t.Error(err)
	}
	if IsRun(in) || !IsRun(earlier.Folder) {
		t.Error("which folder is one of a run is not told")
	}
}
