package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// interruptions has arguments for every command with which it runs until it is interrupted. Most
// read endless input. A command without input is known to be working when a file has appeared.
var interruptions = []struct {
	args  string
	input string
}{
	{"sketch --out out.tsv", "1 3:0.5 7:2\n"},
	{"sketch --out out.tsv", "\n"},
	{"dedup --out out.txt", "1 3:0.5 7:2\n"},
	{"dedup --list keep --out out.tsv", "00000000000000ff\tone\n"},
	{"index build a.index /dev/stdin", "1 3:0.5 7:2\n"},
	{"blocks --out out.tsv", "00000000000000ff\tone\n"},
	{"pairs --out out.tsv", "0:00ff\t00000000000000ff\tone\n"},
	{"select --out out.tsv", "{\"group\":1,\"id\":1,\"text\":\"a text\"}\n"},
	{"clusters --out out.tsv", "one\ttwo\t1\n"},
	{"sketch --documents lines --out out.tsv", "a text\n"},
	{"dedup --documents lines --out out.txt", "a text\n"},
	{"dedup --documents lines --k 3 --out out.txt", "a text\n"},
	{"dedup /dev/stdin --k 3 --documents lines --run out", "a text\n"},
	{"data frequencies --documents lines --out table.tsv /dev/stdin", "a text\n"},
	{"data info /dev/stdin", "1 3:0.5 7:2\n"},
	{"data generate --vectors 1000000 --out vectors.svm", ""},
	{"data generate --vectors 2 --nnz 1000000 --plant 0.5:1 --out vectors.svm.gz", ""},
	{"choose /dev/stdin --out out.txt", "1 3:0.5 7:2\n"},
	{"bench /dev/stdin --out out.txt", "1 3:0.5 7:2\n"},
	{"doctor --family xxh64 --data /dev/stdin --out out.txt", "1 3:0.5 7:2\n"},
	{"compare /dev/stdin /dev/stdin", "BenchmarkX 1 1 ns/op\n"},
	{"compare - -", "BenchmarkX 1 1 ns/op\n"},
	{"report /dev/stdin --out page.html", "BenchmarkX 1 1 ns/op\n"},
}

// notInterrupted lists the commands that need no interruption test, with reasons.
var notInterrupted = map[string]string{
	"ab":           "TestABInterrupted",
	"kernels":      "says what is known",
	"help":         "prints help",
	"notices":      "prints what is built in",
	"conventions":  "says what is known",
	"fingerprints": "is a help topic",
	"runs":         "is a help topic",
	"formats":      "is a help topic",
	"verdicts":     "is a help topic",
	"protocol":     "is a help topic",
	"suites":       "is a help topic",

	"index add":     "TestInterruptedIndex",
	"index query":   "TestInterruptedIndex",
	"index delete":  "reads lines as data frequencies does",
	"index info":    "opens a file",
	"index verify":  "reads a file once, and writes a new one whole or not at all",
	"index compact": "writes a file whole or not at all, and a crash leaves the old one",
}

// Ctrl-C ends every command, with exit code 2 and nothing left behind.
func TestInterruptEndsEveryCommand(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("processes cannot be interrupted on this system")
	}
	for _, c := range interruptions {
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			interruptAtWork(t, strings.Fields(c.args), c.input, true)
		})
	}
}

// Ctrl-C also ends a command that waits for more input, from standard input or from a named pipe.
func TestInterruptEndsEveryWait(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("processes cannot be interrupted on this system")
	}
	for _, c := range interruptions {
		if c.input == "" {
			continue
		}
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			interruptAtWork(t, strings.Fields(c.args), c.input, false)
		})
	}
}

// Every command is in interruptions or in notInterrupted.
func TestEveryCommandIsInterrupted(t *testing.T) {
	var visit func(command *cobra.Command)
	visit = func(command *cobra.Command) {
		for _, c := range command.Commands() {
			visit(c)
		}
		path := strings.TrimPrefix(command.CommandPath(), "fphash ")
		if command.HasSubCommands() || notInterrupted[path] != "" {
			return
		}
		for _, i := range interruptions {
			if strings.HasPrefix(i.args, path+" ") {
				return
			}
		}
		t.Errorf("expected fphash %s in interruptions or notInterrupted", path)
	}
	visit(newRoot())
}

// interruptAtWork interrupts a command after it has read some input. The input is endless, or stays
// open without more data.
func interruptAtWork(t *testing.T, args []string, input string, endless bool) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	command := exec.Command(program, args...)
	command.Dir, command.Stderr = t.TempDir(), &stderr
	command.Env = append(os.Environ(), asProgram+"=1")
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	atWork := make(chan struct{})
	go func() {
		if input == "" {
			awaitFile(command.Dir)
			close(atWork)
			return
		}
		if endless {
			feed(stdin, input, atWork)
			return
		}
		if _, err := io.WriteString(stdin, strings.Repeat(input, mostPiped/len(input))); err == nil {
			close(atWork)
		}
	}()
	select {
	case <-atWork:
		// Commands alternate between Ctrl-C and SIGTERM.
		sent := []os.Signal{os.Interrupt, syscall.SIGTERM}[len(command.Args)%2]
		if err := command.Process.Signal(sent); err != nil {
			t.Error(err)
		}
		err = <-ended
	case err = <-ended:
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitFailed || !strings.Contains(stderr.String(), errInterrupted.Error()) {
		t.Errorf("expected exit code %d and %q, got %v and %q", exitFailed, errInterrupted, err, stderr.String())
	}
	if left := filesBelow(t, command.Dir); !slices.Equal(left, whatRunsLeave(left)) {
		t.Errorf("left behind: %q", left)
	}
}

// whatRunsLeave returns the files that dedup may leave before the fingerprints of
// the first input are complete.
func whatRunsLeave(files []string) []string {
	return slices.DeleteFunc(slices.Clone(files), func(file string) bool {
		return file != "out/fphash-run/lock"
	})
}

// filesBelow returns the files in a folder and those below it.
func filesBelow(t *testing.T, folder string) (files []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(folder), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// mostPiped is larger than the buffer of any pipe, in bytes. When this much has been written, the
// reader is working.
const mostPiped = 2 << 20

// feed repeats a line until the reader closes the pipe.
func feed(w io.Writer, line string, atWork chan<- struct{}) {
	lines := bytes.Repeat([]byte(line), 64<<10/len(line))
	for n := 0; ; n += len(lines) {
		if n > mostPiped && atWork != nil {
			close(atWork)
			atWork = nil
		}
		if _, err := w.Write(lines); err != nil {
			return
		}
	}
}

// awaitFile waits until any file appears in a folder.
func awaitFile(folder string) {
	for {
		entries, err := os.ReadDir(folder)
		if err != nil || len(entries) > 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
