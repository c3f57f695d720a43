package corpus

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/dedup"
)

// manyDocuments returns files with near-duplicates, chains of them, and records without
// fingerprints.
func manyDocuments() map[string]string {
	random := rand.New(rand.NewPCG(1, 2))
	fingerprint := random.Uint64()
	files := map[string]string{}
	for i := range 3 {
		var text strings.Builder
		for j := range 700 {
			switch random.IntN(8) {
			case 0:
				fmt.Fprintf(&text, "%d\n", 1000*i+j)
				continue
			case 1, 2:
				fingerprint = random.Uint64()
			default:
				one, other := random.IntN(64), random.IntN(64)
				fingerprint ^= 1<<one | 1<<other
			}
			fmt.Fprintf(&text, "%d %016x\n", 1000*i+j, fingerprint)
		}
		files[fmt.Sprintf("%d.txt", i)] = text.String()
	}
	return files
}

// A run with little memory compares on disk and writes the same files as a run in memory.
func TestLittleMemory(t *testing.T) {
	for name, files := range map[string]map[string]string{"few": lineFiles, "many": manyDocuments()} {
		for _, first := range []bool{false, true} {
			in, out := t.TempDir(), t.TempDir()
			write(t, in, files)
			r := runOn(t, in, out)
			r.Spec.First = first
			want := mustFinish(t, r)
			summary, all := summaryOf(t, want), contents(t, out)
			for _, memory := range []int64{1, 150, 50_000} { // none, some and most of the records
				out := t.TempDir()
				r := runOn(t, in, out)
				r.Spec.First, r.Memory = first, memory
				var notices []string
				r.Notice = addTo(&notices)
				result := mustFinish(t, r)
				if len(notices) != 1 && (name == "many" || memory < 50_000) {
					t.Errorf("%s, %d bytes: notices %q", name, memory, notices)
				}
				if diff := cmp.Diff(all, contents(t, out)); diff != "" {
					t.Errorf("%s, first %v, %d bytes: -want +got\n%s", name, first, memory, diff)
				}
				if diff := cmp.Diff(summary, summaryOf(t, result)); diff != "" {
					t.Errorf("%s, first %v, %d bytes: -want +got\n%s", name, first, memory, diff)
				}
			}
		}
	}
}

func summaryOf(t *testing.T, r *Result) string {
	t.Helper()
	var summary strings.Builder
	if err := r.Summary(&summary); err != nil {
		t.Fatal(err)
	}
	return summary.String()
}

// A comparison on disk removes its temporary files, whatever ends it.
func TestLittleMemoryLeavesNothing(t *testing.T) {
	in := t.TempDir()
	write(t, in, manyDocuments())
	enough := errors.New("enough")
	for name, c := range map[string]struct {
		end  func(r *Run, cancel context.CancelCauseFunc)
		want string
	}{
		"an interrupt": {func(r *Run, cancel context.CancelCauseFunc) {
			r.Progress = func(p dedup.Progress) {
				if p.Step == "comparing fingerprints" {
					cancel(enough)
				}
			}
		}, "enough"},
		"a threshold that is too large": {func(r *Run, _ context.CancelCauseFunc) { r.Spec.K = 20 }, "k = 20 of 64 bits"},
	} {
		out := t.TempDir()
		r := runOn(t, in, out)
		r.Memory = 1000
		if err := r.Sketch(t.Context()); err != nil {
			t.Fatal(err)
		}
		before := contents(t, out)
		ctx, cancel := context.WithCancelCause(t.Context())
		c.end(r, cancel)
		if _, err := r.Find(ctx, "the test"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
		cancel(nil)
		if diff := cmp.Diff(before, contents(t, out)); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

// If the temporary file cannot be created, the error names its purpose.
func TestLittleMemoryWithoutAFolder(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
	f := (&Run{Folder: filepath.Join(out, "missing"), Source: &lineSource{}, Memory: 1}).newFingerprints("the test")
	err := f.add(Record{Fingerprint: []uint64{1}, Informative: true})
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "than 1B of memory can compare need some 32 bytes each on disk") {
		t.Errorf("error %v", err)
	}
}

// An error when the buffer is flushed before the comparison is returned. Otherwise near-duplicates
// would be missed silently.
func TestNoFingerprintIsLostOnItsWayToTheFile(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
	r := runOn(t, in, out)
	r.Memory = 1
	if err := os.Mkdir(filepath.Join(out, kept), 0o777); err != nil {
		t.Fatal(err)
	}
	f := r.newFingerprints("a test")
	defer f.close()
	for range 2 {
		if err := f.add(Record{Fingerprint: []uint64{7}, Informative: true}); err != nil {
			t.Fatal(err)
		}
	}
	empty := filepath.Join(out, "empty")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	readOnly, err := os.Open(empty)
	if err != nil {
		t.Fatal(err)
	}
	f.file.File.Close()
	f.file.File = readOnly
	result, err := f.find(t.Context(), dedup.Options{Spec: dedup.Spec{K: 3}})
	if failed := (*fs.PathError)(nil); !errors.As(err, &failed) || failed.Op != "write" || !strings.Contains(err.Error(), "bytes each on disk") {
		t.Errorf("result %+v, error %v, expected the error of the write", result, err)
	}
}

// A run by similarity finds nearly all pairs, in memory and on disk.
func TestRecall(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	fingerprint := random.Uint64()
	var text strings.Builder
	for i := range 4000 {
		if i%4 == 0 {
			fingerprint = random.Uint64()
		}
		fmt.Fprintf(&text, "%d %016x\n", i, fingerprint^1<<random.IntN(64)^1<<random.IntN(64))
	}
	for _, memory := range []int64{0, 1} {
		in, out := t.TempDir(), t.TempDir()
		write(t, in, map[string]string{"all.txt": text.String()})
		r := runOn(t, in, out)
		r.Spec = dedup.Spec{Measure: dedup.Words, Similarity: 0.95, Recall: 0.9}
		r.Memory = memory
		r.Texts = func(context.Context, string, func(int) bool) iter.Seq2[[]byte, error] {
			return func(yield func([]byte, error) bool) {
				for yield([]byte("the same text"), nil) {
				}
			}
		}
		result := mustFinish(t, r)
		if got := result.Dropped(); got < 2800 || got > 3000 {
			t.Errorf("%d bytes: %d dropped, expected nearly 3000", memory, got)
		}
		if result.Recall < 0.9 {
			t.Errorf("%d bytes: recall %v", memory, result.Recall)
		}
	}
}

// A comparison with a large k needs more memory for each record, because the join then removes
// identical fingerprints.
func TestMemoryOfARecord(t *testing.T) {
	each := func(k int) int64 {
		return (&Run{Source: &lineSource{}, Spec: dedup.Spec{K: k}}).newFingerprints("").each
	}
	if near, far := each(3), each(4); near != besideWords+8 || far != besideWords+besideCopies+2*8 {
		t.Errorf("%d bytes at k = 3, %d at k = 4", near, far)
	}
}
