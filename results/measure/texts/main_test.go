package main

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestRunRefuses(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.txt")
	for _, tc := range []struct{ args, want string }{
		{"", "expected -o FILE"},
		{"-o OUT more", "expected -o FILE"},
		{"-o OUT -only (", "-only: "},
		{"-o OUT -data absent", "absent"},
	} {
		args := strings.Fields(tc.args)
		if i := slices.Index(args, "OUT"); i >= 0 {
			args[i] = out
		}
		if err := run(t.Context(), args, io.Discard); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%q: %v, expected %q", tc.args, err, tc.want)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	cancel(stop)
	if err := run(ctx, []string{"-o", out, "-data", "../../../../shared/data"}, io.Discard); err == nil {
		t.Error("an ended context: no error")
	}
	if left, _ := filepath.Glob(out + "*"); left != nil {
		t.Errorf("%q are left", left)
	}
}
