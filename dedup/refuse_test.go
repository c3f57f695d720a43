package dedup

import (
	"context"
	"io"
	"strings"
	"testing"

	"simhashkit/fphash/index"
	"simhashkit/internal/tabular"
)

// What cannot be done is refused in words, not done in another way.
func TestRefusals(t *testing.T) {
	ctx := context.Background()
	records := &Records{Name: "a", Set: index.Set{Bits: 64, Words: []uint64{1, 2, 3}}}
	for want, try := range map[string]func() error{
		`by "frist"`:            func() error { _, err := Find(ctx, records, Options{K: 3, By: "frist"}); return err },
		"there are no":          func() error { _, err := Find(ctx, &Records{Name: "a"}, Options{}); return err },
		"expected 0 to 63":      func() error { _, err := Find(ctx, records, Options{K: 64}); return err },
		"expected one set":      func() error { return listed(ctx, records, &Options{K: 3, Against: records}, ListGroups) },
		`list "kept", expected`: func() error { return listed(ctx, records, &Options{K: 3}, "kept") },
		"expected Against with": func() error { _, err := Find(ctx, records, Options{K: 3, Among: true}); return err },
		"and nothing to verify": func() error {
			_, err := Find(ctx, records, Options{K: 3, Among: true, Against: records, Verify: new(Texts)})
			return err
		},
		"and not by a chain": func() error {
			_, err := Find(ctx, records, Options{K: 3, By: Components, Verify: new(Texts)})
			return err
		},
		"expected vectors, whose": func() error { _, err := NewVectors(records, nil, Measure{Kind: Cosine, Least: 0.9}); return err },
		"expected a cosine":       func() error { _, err := NewVectors(records, nil, Measure{Kind: Jaccard, Least: 0.9}); return err },
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
