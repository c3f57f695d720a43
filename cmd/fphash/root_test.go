package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
)

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

// execute runs a command line in this process and returns its exit code and output.
func execute(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = exitCode(run(args, strings.NewReader(stdin), &out, &errs), &errs)
	return code, out.String(), errs.String()
}

// Errors are printed without the names of packages, but with the names of files.
func TestErrorsWithoutPackages(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("text", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for message, want := range map[string]string{
		"datasets: open x: no such file":             "open x: no such file",
		"utf16: a later package: stays":              "a later package: stays",
		"X: two words: 3: stays":                     "X: two words: 3: stays",
		"bench: datasets: open x: no such file":      "open x: no such file",
		"--remove: corpus: x: expected another":      "--remove: x: expected another",
		"--run: error parsing regexp: missing )":     "--run: error parsing regexp: missing )",
		"corpus: text: expected a file":              "text: expected a file",
		"text:2: expected words":                     "text:2: expected words",
		"table: one\ngotest: other\n--run: ab: more": "one\nother\n--run: more",
		"x: datasets: stays":                         "x: datasets: stays",
		"fphash: unknown hash":                       "unknown hash",
		"gotest":                                     "gotest",
		"documents: table: expected a file, got 2":   "expected a file, got 2",
	} {
		if got := withoutPackages(message); got != want {
			t.Errorf("%q: got %q, want %q", message, got, want)
		}
	}
}

// If help cannot be written, the command fails with a single error message.
func TestOutputThatIsFull(t *testing.T) {
	for _, line := range []string{"--help", "help sketch", "--version", "kernels", "notices"} {
		err := runContext(t.Context(), strings.Fields(line), strings.NewReader(""), &fullDisk{}, &bytes.Buffer{})
		if !errors.Is(err, errFull) || exitCode(err, &bytes.Buffer{}) != exitFailed || strings.Count(err.Error(), errFull.Error()) != 1 {
			t.Errorf("fphash %s: %v", line, err)
		}
	}
}

// The help of each command and topic fits a screen.
func TestHelpFitsScreen(t *testing.T) {
	const mostLines, mostColumns = 45, 100
	var visit func(command *cobra.Command)
	visit = func(command *cobra.Command) {
		for _, c := range command.Commands() {
			visit(c)
		}
		var help bytes.Buffer
		path := strings.TrimPrefix(command.CommandPath(), "fphash")
		if err := runContext(t.Context(), append([]string{"help"}, strings.Fields(path)...), strings.NewReader(""), &help, &bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(help.String(), "\n"), "\n")
		if len(lines) < 5 || len(lines) > mostLines && command.Name() != "protocol" { // its help contains two programs
			t.Errorf("help of %q: %d lines, expected 5 to %d", path, len(lines), mostLines)
		}
		for _, line := range lines {
			if n := utf8.RuneCountInString(line); n > mostColumns {
				t.Errorf("help of %q: %d columns, expected at most %d: %s", path, n, mostColumns, line)
			}
		}
	}
	visit(newRoot())
}

// If the environment variable asProgram is set, the test binary runs as fphash.
const asProgram = "FPHASH_TEST_AS_PROGRAM"

// waitForInterrupt is an argument with which it prints this word and waits for Ctrl-C.
const waitForInterrupt = "FPHASH_TEST_WAIT_FOR_INTERRUPT"

func TestInterruptedReadEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	r, w := io.Pipe() // no data is written
	defer w.Close()
	cancel(errInterrupted)
	err := runContext(ctx, []string{"sketch"}, r, io.Discard, io.Discard)
	if !errors.Is(err, errInterrupted) {
		t.Errorf("error %v", err)
	}
}

// The page on the protocol of doctor has the programs that other tests run.
func TestProtocolHasPrograms(t *testing.T) {
	page, err := pages.ReadFile("help/protocol.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"hash.py", "hash.go"} {
		program, err := os.ReadFile(filepath.Join("..", "..", "internal", "bench", "doctor", "testdata", "examples", name))
		if err != nil {
			t.Fatal(err)
		}
		indented := "    " + strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(string(program)), "\t", "    "), "\n", "\n    ")
		if indented = strings.ReplaceAll(indented, "    \n", "\n"); !strings.Contains(string(page), "\n"+indented+"\n") {
			t.Errorf("the page differs from %s", name)
		}
	}
}

// Every page of the folder help is shown: its name is that of a command or topic.
func TestEveryPageIsShown(t *testing.T) {
	shown := map[string]bool{}
	eachCommand(newRoot(), func(c *cobra.Command) { shown[c.Long] = true })
	names, err := filepath.Glob("help/*.txt")
	if err != nil || len(names) < 20 {
		t.Fatalf("%d pages, %v", len(names), err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if long, _, _ := strings.Cut(strings.TrimSuffix(string(text), "\n"), "\n\nExamples:\n"); !shown[long] {
			t.Errorf("no command shows %s", name)
		}
	}
}
