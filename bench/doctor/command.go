package doctor

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"simhashkit/fphash"
	"simhashkit/internal/process"
)

// DefaultTimeout is the default time limit of a run of a command.
const DefaultTimeout = 10 * time.Minute

// Command is a hash in a program of its own; the package's documentation says how it is asked.
type Command struct {
	Args    []string      // the program and its arguments, as exec.Command takes them; see Shell
	Bits    int           // width of its codes, 1 to fphash.MaxBits
	Timeout time.Duration // of one run; 0 is DefaultTimeout

	list []string // of keys, which are asked by their numbers; nil: keys are integers
}

// Shell returns the arguments that give a line to the shell: sh -c LINE, on Windows cmd /c LINE.
func Shell(line string) []string { return process.Shell(line).Args }

func (c *Command) check() error {
	switch {
	case len(c.Args) == 0 || c.Args[0] == "":
		return errors.New("doctor: no command")
	case c.Bits < 1 || c.Bits > fphash.MaxBits:
		return fmt.Errorf("doctor: codes of %d bits: expected 1 to %d", c.Bits, fphash.MaxBits)
	case c.Timeout < 0:
		return fmt.Errorf("doctor: timeout of %v: expected a positive one, or 0 for %v", c.Timeout, DefaultTimeout)
	}
	return nil
}

func (c *Command) timeout() time.Duration { return cmp.Or(c.Timeout, DefaultTimeout) }

func (c *Command) words() int { return (c.Bits + 63) / 64 }

// Ask runs the command once and returns the codes of the keys, the words of each code together.
//
// It fails where the command cannot be started, does not end in time, ends with an error, and where
// its answer is longer or shorter than it should be or has bits above the width; the message has
// the end of what the command wrote to standard error. A command that takes too long is ended, on
// Unix with all processes that it started.
func (c *Command) Ask(ctx context.Context, keys []uint64) ([]uint64, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, c.timeout())
	defer cancel()
	a := answer{wanted: 8 * c.words() * len(keys)}
	var messages process.Tail
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	// exec copies each stream in a goroutine of its own, so that neither side waits for the other:
	// a command may write before it reads, or never read.
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(c.question(keys)), &a, &messages
	err := process.Wait(limited, cmd)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case limited.Err() != nil:
		return nil, c.failed(&messages, "no answer within %v: %d of the %d bytes for %d keys came", c.timeout(), len(a.bytes), a.wanted, len(keys))
	}
	return c.judge(&a, len(keys), err, &messages)
}

// question returns the keys as the command reads them.
func (c *Command) question(keys []uint64) []byte {
	var question []byte
	for _, k := range keys {
		if c.list == nil {
			question = binary.LittleEndian.AppendUint64(question, k)
		} else {
			question = append(append(question, c.list[k]...), '\n')
		}
	}
	return question
}

// describe returns a key for messages.
func (c *Command) describe(key uint64) string {
	if c.list == nil {
		return fmt.Sprint(key)
	}
	return fmt.Sprintf("%q", c.list[key])
}

// judge returns the codes, or what is wrong with the answer, causes before consequences.
func (c *Command) judge(a *answer, keys int, err error, messages *process.Tail) ([]uint64, error) {
	var exit *exec.ExitError
	expected := fmt.Sprintf("expected exactly %d, which is %d for each of %d keys", a.wanted, 8*c.words(), keys)
	switch {
	case a.tooMuch && keys == 0:
		return nil, c.failed(messages, "it wrote something although there were no keys (%s): expected codes and nothing else on standard output", a.sample())
	case a.tooMuch:
		return nil, c.failed(messages, "it wrote more than %d bytes: %s%s", a.wanted, expected, c.textHint(a))
	case errors.As(err, &exit):
		return nil, c.failed(messages, "it ended with %v, after %d of %d bytes", exit, len(a.bytes), a.wanted)
	case err != nil:
		return nil, c.failed(messages, "%w", err)
	case len(a.bytes) < a.wanted:
		hint := c.textHint(a)
		if hint == "" && len(a.bytes) > 0 && len(a.bytes)%keys == 0 {
			hint = fmt.Sprintf(" (it looks like codes of %d bytes: all words have 8, also the last one)", len(a.bytes)/keys)
		}
		return nil, c.failed(messages, "it wrote %d bytes: %s%s", len(a.bytes), expected, hint)
	}
	codes := make([]uint64, a.wanted/8)
	above := ^(^uint64(0) >> (-uint(c.Bits) % 64))
	for i := range codes {
		codes[i] = binary.LittleEndian.Uint64(a.bytes[8*i:])
		if (i+1)%c.words() == 0 && codes[i]&above != 0 {
			return nil, c.failed(messages, "code %d is wider than %d bits: its last word is %#x", i+1, c.Bits, codes[i])
		}
	}
	return codes, nil
}

// textHint is for programs that print their codes.
func (c *Command) textHint(a *answer) string {
	if !a.isText() {
		return ""
	}
	return fmt.Sprintf(" (it looks like text, %s: codes are binary, in Python sys.stdout.buffer.write(code.to_bytes(%d, \"little\")) and not print(code))", a.sample(), 8*c.words())
}

// failed is an error that names the command, with the end of its messages.
func (c *Command) failed(messages *process.Tail, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if text := messages.String(); text != "" {
		return fmt.Errorf("doctor: command %q: %w; its standard error ends:\n%s", c, err, text)
	}
	return fmt.Errorf("doctor: command %q: %w", c, err)
}

// String returns the command as it was given: without the shell.
func (c *Command) String() string {
	if shell := Shell(""); len(c.Args) == len(shell) && slices.Equal(c.Args[:2], shell[:2]) {
		return c.Args[2]
	}
	return strings.Join(c.Args, " ")
}

// answer collects the output of a command, up to a limit.
type answer struct {
	wanted  int
	bytes   []byte
	tooMuch bool
}

var errTooMuch = errors.New("more than was wanted")

// Write fails on the first byte that is too much: exec then closes the pipe, and a command that
// goes on writing for ever is ended by that.
func (a *answer) Write(p []byte) (int, error) {
	if len(a.bytes)+len(p) > a.wanted {
		most := max(a.wanted, sampleBytes)
		a.bytes = append(a.bytes, p[:min(len(p), most-len(a.bytes))]...)
		a.tooMuch = true
		return 0, errTooMuch
	}
	a.bytes = append(a.bytes, p...)
	return len(p), nil
}

const sampleBytes = 32

func (a *answer) sample() string { return fmt.Sprintf("%q", a.bytes[:min(len(a.bytes), sampleBytes)]) }

// isText reports whether the bytes are only printable ASCII and white space, which the codes of a
// hash are not.
func (a *answer) isText() bool {
	return len(a.bytes) >= sampleBytes && !bytes.ContainsFunc(a.bytes, func(r rune) bool { return (r < ' ' || r > '~') && !strings.ContainsRune("\t\n\r", r) })
}
