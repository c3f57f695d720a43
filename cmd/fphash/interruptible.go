package main

import (
	"context"
	"io"
)

// interruptible reads from r until the context is done. A read from a terminal or a pipe cannot be
// called off, so it happens in a goroutine, which is left behind when its result is not wanted any
// more.
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
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	go func() {
		n, err := i.r.Read(i.buffer)
		done <- result{n, err}
	}()
	select {
	case r := <-done:
		i.unread, i.err = i.buffer[:r.n], r.err
	case <-i.ctx.Done():
		i.err = context.Cause(i.ctx)
	}
}
