package corpus

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Losses add up to what is dropped, by the attributes of each input.
func TestLosses(t *testing.T) {
	for name, files := range map[string]map[string]string{"few": documents, "many": manyDocuments()} {
		in, out := t.TempDir(), t.TempDir()
		write(t, in, files)
		r := runOn(t, in, out)
		result := mustFinish(t, r)
		want := map[string]Loss{}
		for i, input := range r.Inputs {
			loss := Loss{Input: input}
			for m, err := range result.members(t.Context(), i) {
				if err != nil {
					t.Fatal(err)
				}
				loss.Records++
				if !m.Canonical {
					loss.Dropped++
				}
			}
			if loss.Dropped > 0 {
				want[input.Name] = loss
			}
		}
		got, before := map[string]Loss{}, result.Records.Len()
		for _, loss := range result.Losses() {
			if loss.Dropped > before {
				t.Errorf("%s: %+v stands behind one of %d", name, loss, before)
			}
			got[loss.Input.Name], before = loss, loss.Dropped
		}
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}
