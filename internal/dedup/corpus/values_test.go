package corpus

import (
	"context"
	"errors"
	"iter"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/dedup"
)

// Values are read from the right inputs, and the kept records are the same as for one set of all
// records.
func TestPreferredInManyInputs(t *testing.T) {
	in := t.TempDir()
	write(t, in, manyDocuments())
	value := func(record int) []byte { return strconv.AppendInt(nil, int64(record*7919%1009), 10) }
	for name, memory := range map[string]int64{"in memory": 0, "on disk": 1} {
		for _, first := range []bool{false, true} {
			r := runOn(t, in, t.TempDir())
			r.Spec.First, r.Memory, r.Preferred = first, memory, "the best"
			firsts := map[string]int{} // number of the first record of an input
			count := 0
			for _, input := range r.Inputs {
				firsts[input.Path] = count
				text, err := os.ReadFile(input.Path)
				if err != nil {
					t.Fatal(err)
				}
				count += strings.Count(string(text), "\n")
			}
			r.Values = func(ctx context.Context, path string, want func(int) bool) iter.Seq2[[]byte, error] {
				return func(yield func([]byte, error) bool) {
					record := firsts[path]
					for _, err := range textsOf(nil)(ctx, path, want) {
						if !yield(value(record), err) {
							return
						}
						record++
					}
				}
			}
			result := mustFinish(t, r)

			all := &dedup.Records{Name: "all"}
			all.Set.Bits = 64
			for _, input := range r.Inputs {
				for record, err := range (&lineSource{}).Records(t.Context(), input.Path) {
					if err != nil {
						t.Fatal(err)
					}
					all.Add(nil, record.Fingerprint, record.Informative)
				}
			}
			prefer := func(_ context.Context, records []uint64, take func(uint64, []byte) error) (err error) {
				for _, record := range records {
					err = errors.Join(err, take(record, value(int(record))))
				}
				return err
			}
			whole, err := dedup.Find(t.Context(), all, dedup.Options{Spec: dedup.Spec{K: r.Spec.K, First: first}, Prefer: prefer})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(droppedOf(whole), droppedOf(result.Result)); diff != "" || whole.Dropped() == 0 {
				t.Errorf("%s, first %v: -want +got\n%s", name, first, diff)
			}
			kept, dropped, err := removeTo(t, result, t.TempDir(), copyLines)
			if err != nil || kept+dropped != count || dropped != whole.Dropped() {
				t.Errorf("%s, first %v: %d kept and %d dropped of %d, error %v; want %d dropped", name, first, kept, dropped, count, err, whole.Dropped())
			}
		}
	}
}

// droppedOf returns the numbers of the dropped records.
func droppedOf(r *dedup.Result) (records []string) {
	for position := range r.Records.Set.Len() {
		if r.IsDropped(position) {
			records = append(records, strconv.FormatUint(r.Records.Set.ID(position), 10))
		}
	}
	return records
}

// An input that changes while its values are read is an error.
func TestValuesOfChangedInputs(t *testing.T) {
	in := t.TempDir()
	write(t, in, lineFiles)
	r := runOn(t, in, t.TempDir())
	r.Values = textsOf(func() { write(t, in, map[string]string{"a.txt": "other 0000000000000000\n"}) })
	if _, err := finish(r); err == nil || !strings.HasSuffix(err.Error(), ": run again") {
		t.Errorf("error %v", err)
	}
}
