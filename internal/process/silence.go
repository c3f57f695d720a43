package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// ErrSilent is the error of a program that was ended because it printed nothing for too long.
var ErrSilent = errors.New("nothing was printed")

// RunUntilSilent is Run for programs that print as they get on, however long they take: one that
// prints nothing to standard output for that long is ended, with an error that wraps ErrSilent.
func RunUntilSilent(ctx context.Context, command *exec.Cmd, patience time.Duration) ([]byte, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silent := time.AfterFunc(patience, func() { cancel(fmt.Errorf("%w for %v", ErrSilent, patience)) })
	defer silent.Stop()
	var stdout bytes.Buffer
	return collect(ctx, command, listener{&stdout, silent, patience}, &stdout)
}

// listener begins the silence anew with every write.
type listener struct {
	io.Writer
	silent   *time.Timer
	patience time.Duration
}

func (l listener) Write(p []byte) (int, error) {
	l.silent.Reset(l.patience)
	return l.Writer.Write(p)
}
