package corpus

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// oldRun returns a complete run over the files in a folder, with k = 0.
func oldRun(t *testing.T, in string) *Run {
	t.Helper()
	r := runOn(t, in, t.TempDir())
	r.Spec.K = 0
	mustFinish(t, r)
	return r
}

// New records are dropped if they are near an old one, given as documents or as an earlier run, or
// near a kept new one. DuplicateOf names that record. Each new record is either kept or dropped,
// with any memory limit.
func TestAgainst(t *testing.T) {
	in, before := t.TempDir(), t.TempDir()
	write(t, in, manyDocuments())
	old := map[string]string{}
	for name, text := range manyDocuments() { // every fifth line becomes old
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
	earlier := oldRun(t, before)
	run := runOn(t, in, t.TempDir())
	type print struct {
		id    string
		print uint64
	}
	var kept []print // old ones first
	each := func(inputs []Input, take func(id string, informative bool, fingerprint uint64)) {
		for _, input := range inputs {
			for record, err := range (&lineSource{}).Records(t.Context(), input.Path) {
				if err != nil {
					t.Fatal(err)
				}
				fingerprint := uint64(0)
				if record.Informative {
					fingerprint = record.Fingerprint[0]
				}
				take(string(record.ID), record.Informative, fingerprint)
			}
		}
	}
	each(earlier.Inputs, func(id string, informative bool, fingerprint uint64) {
		if informative {
			kept = append(kept, print{id, fingerprint})
		}
	})
	type fate struct {
		Kept bool
		Of   string // id of the record that it duplicates
	}
	want, count, dropped, forOld, olds := map[string]fate{}, 0, 0, 0, len(kept)
	each(run.Inputs, func(id string, informative bool, fingerprint uint64) {
		count++
		near := -1
		if informative {
			near = slices.IndexFunc(kept, func(p print) bool { return bits.OnesCount64(p.print^fingerprint) <= run.Spec.K })
		}
		switch {
		case near < 0:
			want[id] = fate{Kept: true}
			if informative {
				kept = append(kept, print{id, fingerprint})
			}
			return
		case near < olds:
			forOld++
		}
		want[id] = fate{Of: kept[near].id}
		dropped++
	})
	for _, memory := range []int64{0, 1} {
		for name, against := range map[string]func(r *Run) error{
			"documents": func(r *Run) error { r.OldFiles = asOld(earlier.Inputs); return nil },
			"an earlier run": func(r *Run) error {
				old, err := r.Earlier(earlier.Folder)
				r.Against = []Old{old}
				return err
			},
		} {
			r := runOn(t, in, t.TempDir())
			r.Memory, r.Spec.First = memory, true
			if err := against(r); err != nil {
				t.Fatal(err)
			}
			result := mustFinish(t, r)
			got := map[string]fate{}
			for _, text := range attributes(t, r.Folder) {
				for line := range strings.Lines(text) {
					var a struct {
						ID        json.Number
						Canonical bool `json:"is_canonical"`
						Of        any  `json:"duplicate_of"`
					}
					if err := json.Unmarshal([]byte(line), &a); err != nil {
						t.Fatalf("%s, memory %d: %s%v", name, memory, line, err)
					}
					f := fate{Kept: a.Canonical}
					if a.Of != nil {
						f.Of = fmt.Sprint(a.Of)
					}
					got[a.ID.String()] = f
				}
			}
			if diff := cmp.Diff(want, got); diff != "" || forOld == 0 || dropped == forOld || dropped == count {
				t.Errorf("%s, memory %d: %d of %d dropped, %d of them as duplicates of old records: -want +got\n%.2000s", name, memory, dropped, count, forOld, diff)
			}
			left, gone, err := removeTo(t, result, t.TempDir(), copyLines)
			if err != nil || left+gone != count || gone != dropped {
				t.Errorf("%s, memory %d: %d kept and %d dropped, error %v; want %d dropped of %d", name, memory, left, gone, err, dropped, count)
			}
		}
	}
}

// asOld returns the inputs as old documents.
func asOld(inputs []Input) []Input {
	inputs = slices.Clone(inputs)
	for i := range inputs {
		inputs[i].Old = true
	}
	return inputs
}

func hexOf(fingerprint uint64) string {
	digits := strconv.FormatUint(fingerprint, 16)
	return strings.Repeat("0", 16-len(digits)) + digits
}

// Inputs that are also old documents are refused, since all of them would be dropped. So are
// outputs that would replace old documents, and fingerprints of another definition.
func TestAgainstRefuses(t *testing.T) {
	in := t.TempDir()
	write(t, in, lineFiles)
	earlier := oldRun(t, in)
	r := runOn(t, in, t.TempDir())
	r.OldFiles = asOld(earlier.Inputs)
	if err := r.refuseOutputs(""); err == nil || !strings.Contains(err.Error(), "one of the old documents") {
		t.Errorf("error %v", err)
	}
	if _, err := r.Earlier(earlier.Folder); err == nil || !strings.Contains(err.Error(), "is also a document file of "+earlier.Folder) {
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
	news.OldFiles = asOld(earlier.Inputs)
	if err := news.refuseOutputs(in); err == nil || !strings.Contains(err.Error(), "would replace the old document") {
		t.Errorf("error %v", err)
	}
	if err := news.refuseOutputs(t.TempDir()); err != nil {
		t.Error(err)
	}
	for _, old := range []string{news.Attributes(news.Inputs[0]), filepath.Dir(news.Folder)} { // a file, a folder of texts
		news.OldFiles = asOld([]Input{{Path: old, Name: "old"}})
		if err := news.refuseOutputs(""); err == nil || !strings.Contains(err.Error(), "another folder") {
			t.Errorf("%s: error %v", old, err)
		}
	}
	if IsRun(in) || !IsRun(earlier.Folder) {
		t.Error("IsRun is wrong")
	}
}
