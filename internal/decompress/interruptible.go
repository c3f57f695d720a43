package decompress

import (
	"context"
	"io"
)

// interruptible reads from r until the context is done; its error is then the context's cause. A
// read from a terminal or a pipe cannot be called off, so it happens in a goroutine, which is left
// behind when its result is not wanted any more.
type interruptible struct {
	ctx    context.Context
	r      io.Reader
	buffer []byte
	unread []byte // of the buffer
	err    error  // after what is unread
}

func (i *interruptible) Read(p []byte) (int, error) {
	if len(i.unread) == 0 && i.err == nil {
		i.fill()
	}
	n := copy(p, i.unread)
	i.unread = i.unread[n:]
	if len(i.unread) > 0 {
		return n, nil
	}
	return n, i.err
}

// fill reads once.
func (i *interruptible) fill() {
	if i.buffer == nil {
		i.buffer = make([]byte, 64<<10)
	}
	n, err := await(i.ctx, func() (int, error) { return i.r.Read(i.buffer) })
	i.unread, i.err = i.buffer[:n], err
}

// await returns what do returns, unless the context is done first.
func await[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	var none T
	if ctx.Err() != nil { // select chooses at random
		return none, context.Cause(ctx)
	}
	done := make(chan result, 1)
	go func() {
		value, err := do()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
}
