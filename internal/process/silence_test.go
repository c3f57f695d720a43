package process

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// What was printed counts, however long the program takes; silence ends it.
func TestRunUntilSilent(t *testing.T) {
	skipWithoutShell(t)
	text, err := RunUntilSilent(context.Background(), Shell("echo one; echo two"), time.Hour)
	if string(text) != "one\ntwo\n" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if _, err = RunUntilSilent(context.Background(), Shell("sleep 600"), time.Nanosecond); !errors.Is(err, ErrSilent) || err.Error() != "nothing was printed for 1ns" {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	reason := errors.New("enough")
	cancel(reason)
	if _, err = RunUntilSilent(ctx, Shell("echo done"), time.Hour); !errors.Is(err, reason) {
		t.Errorf("%v", err)
	}
}

// Every write begins the silence anew.
func TestListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const patience = time.Second
		var silent atomic.Bool // the timer's goroutine knows nothing of what was read before it began
		var tail Tail
		l := listener{&tail, time.AfterFunc(patience, func() { silent.Store(true) }), patience}
		for range 3 {
			time.Sleep(patience - 1)
			if n, err := l.Write([]byte("a\n")); n != 2 || err != nil {
				t.Errorf("%d, %v", n, err)
			}
		}
		time.Sleep(patience - 1)
		if synctest.Wait(); silent.Load() || tail.String() != "a\na\na" {
			t.Errorf("silent: %v, %q", silent.Load(), tail.String())
		}
		time.Sleep(1)
		if synctest.Wait(); !silent.Load() {
			t.Error("not silent after all")
		}
	})
}
