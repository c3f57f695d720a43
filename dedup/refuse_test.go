package dedup

import (
	"context"
	"io"
	"math"
	"strings"
	"testing"

	"simhashkit/fphash/index"
	"simhashkit/internal/tabular"
)

// Invalid options are errors.
func TestRefusals(t *testing.T) {
	ctx := context.Background()
	records := &Records{Name: "a", Set: index.Set{Bits: 64}}
	for i := range 3 {
		records.Add(nil, []uint64{uint64(i)}, true)
	}
	similar := Spec{Measure: Words, Similarity: 0.9, Recall: 0.99}
	with := func(change func(*Options)) func() error {
		return func() error {
			options := Options{Spec: similar}
			change(&options)
			_, err := Find(ctx, records, options)
			return err
		}
	}
	for want, try := range map[string]func() error{
		"there are no":               func() error { _, err := Find(ctx, &Records{Name: "a"}, Options{}); return err },
		"expected 0 to 63":           with(func(o *Options) { o.Spec = Spec{K: 64} }),
		`list "kept", expected`:      func() error { return listed(ctx, records, &Options{Spec: Spec{K: 3}}, "kept") },
		"requires Texts or Vectors":  with(func(o *Options) {}),
		"a similarity requires Text": with(func(o *Options) { o.Measure, o.Texts = Cosine, rereadTexts(nil) }),
		"similarity 0.4, expected":   with(func(o *Options) { o.Similarity = 0.4 }),
		"similarity 1.1, expected":   with(func(o *Options) { o.Similarity = 1.1 }),
		"similarity NaN, expected":   with(func(o *Options) { o.Similarity = math.NaN() }),
		"similarity -1, expected":    with(func(o *Options) { o.Similarity = -1 }),
		"recall 0, expected":         with(func(o *Options) { o.Recall = 0 }),
		"recall 1, expected":         with(func(o *Options) { o.Recall = 1 }),
		`measure "angle", expected`:  with(func(o *Options) { o.Measure = "angle" }),
		"-1 old records, expected":   with(func(o *Options) { o.Spec, o.Old = Spec{K: 3}, -1 }),
		"4 old records, expected 0 ": with(func(o *Options) { o.Spec, o.Old = Spec{K: 3}, 4 }),
	} {
		if err := try(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %q", err, want)
		}
	}
}

func listed(ctx context.Context, records *Records, o *Options, what string) error {
	r, err := Find(ctx, records, *o)
	if err != nil {
		return err
	}
	return r.List(ctx, io.Discard, what, tabular.Text)
}
