package datasets

import (
	"context"
	"fmt"
	"io"
)

// ended returns an error once the context has ended.
func ended(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("datasets: %w", context.Cause(ctx))
}

// endingReader reads from r until the context has ended.
type endingReader struct {
	ctx context.Context
	r   io.Reader
}

func (e *endingReader) Read(p []byte) (int, error) {
	if e.ctx.Err() != nil {
		return 0, context.Cause(e.ctx)
	}
	return e.r.Read(p)
}
