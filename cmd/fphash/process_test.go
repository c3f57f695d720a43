package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"testing"
	"testing/iotest"
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
	os.Exit(m.Run())
}

// A kernel that does not exist is refused by every command, before it does anything.
func TestUnknownKernelInTheEnvironment(t *testing.T) {
	for _, args := range [][]string{{"kernels"}, {"bench", "--list"}, {"sketch", "testdata/small.svm"}, {"data", "generate"}} {
		command := exec.Command(os.Args[0], args...)
		command.Env = append(os.Environ(), asProgram+"=1", "FPHASH_KERNEL=sse2")
		var stdout, stderr strings.Builder
		command.Stdout, command.Stderr = &stdout, &stderr
		err := command.Run()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitFailed || stdout.String() != "" || !strings.Contains(stderr.String(), `FPHASH_KERNEL=sse2: cpu: unknown kernel "sse2"`) {
			t.Errorf("%v: %v\n%s%s", args, err, stdout.String(), stderr.String())
		}
	}
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

func TestInterruptibleReadsEverything(t *testing.T) {
	text := strings.Repeat("0123456789", 20_000)
	if err := iotest.TestReader(&interruptible{ctx: context.Background(), r: iotest.HalfReader(strings.NewReader(text))}, []byte(text)); err != nil {
		t.Error(err)
	}
	broken := errors.New("broken")
	r := &interruptible{ctx: context.Background(), r: io.MultiReader(strings.NewReader("ab"), iotest.ErrReader(broken))}
	if got, err := io.ReadAll(r); string(got) != "ab" || !errors.Is(err, broken) {
		t.Errorf("%q, %v", got, err)
	}
}
