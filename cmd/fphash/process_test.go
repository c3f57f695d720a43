package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// asProgram, in the environment, makes the test binary behave as the program.
const asProgram = "FPHASH_TEST_AS_PROGRAM"

// waitForInterrupt makes it then write this word and wait for Ctrl-C.
const waitForInterrupt = "FPHASH_TEST_WAIT_FOR_INTERRUPT"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		if os.Getenv(waitForInterrupt) != "" {
			interrupted := make(chan os.Signal, 1)
			signal.Notify(interrupted, os.Interrupt)
			fmt.Fprintln(os.Stderr, waitForInterrupt)
			<-interrupted
			os.Exit(exitFailed)
		}
		main()
	}
	testscript.Main(m, map[string]func(){"fphash": main})
}

// execute runs a command line in this process and returns its exit code and what it wrote.
func execute(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = exitCode(run(args, strings.NewReader(stdin), &out, &errs), &errs)
	return code, out.String(), errs.String()
}

func TestInterruptedReadEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	r, w := io.Pipe() // nothing ever comes
	defer w.Close()
	cancel(errInterrupted)
	err := runContext(ctx, []string{"sketch"}, r, io.Discard, io.Discard)
	if !errors.Is(err, errInterrupted) {
		t.Errorf("error %v", err)
	}
}
