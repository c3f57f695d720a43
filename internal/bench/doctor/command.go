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

	"simhashkit/bench/quality"
	"simhashkit/fphash"
	"simhashkit/internal/process"
)

// DefaultTimeout is the default time limit of a run of a command.
const DefaultTimeout = 10 * time.Minute

// Command is a program that computes a hash, with the protocol in the documentation of the package.
type Command struct {
	Args    []string      // the program and its arguments, as exec.Command takes them; see Shell
	Bits    int           // width of its codes, 1 to fphash.MaxBits
	Timeout time.Duration // of one run; 0: DefaultTimeout

	list []string // listed keys, to which keys are indices; nil: keys are integers
}

// Shell returns the arguments to run a line in the shell: sh -c LINE, on Windows cmd /c LINE.
func Shell(line string) []string { return process.Shell(line).Args }

func (c *Command) check() error {
	switch {
	case len(c.Args) == 0 || c.Args[0] == "":
		return errors.New("doctor: no command")
	case c.Bits < 1 || c.Bits > fphash.MaxBits:
		return fmt.Errorf("doctor: codes of %d bits: expected 1 to %d", c.Bits, fphash.MaxBits)
	case c.Timeout < 0:
		return fmt.Errorf("doctor: timeout of %v: expected a positive duration, or 0 for %v", c.Timeout, DefaultTimeout)
	}
	return nil
}

func (c *Command) timeout() time.Duration { return cmp.Or(c.Timeout, DefaultTimeout) }

func (c *Command) words() int { return (c.Bits + 63) / 64 }

// Ask runs the command once and returns the codes of the keys, the words of each code together. It
// fails if the command fails or takes too long, if the answer has the wrong length, or if a code
// has bits above the width. The error includes the end of the command's standard error.
func (c *Command) Ask(ctx context.Context, keys []uint64) ([]uint64, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, c.timeout())
	defer cancel()
	a := answer{wanted: 8 * c.words() * len(keys)}
	var messages process.Tail
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	// exec copies streams in goroutines, so a command may write before it reads, or never read
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(c.question(keys)), &a, &messages
	err := process.Wait(limited, cmd)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case limited.Err() != nil:
		return nil, c.failed(&messages, "no answer within %v: got %d of the %d bytes for %d keys", c.timeout(), len(a.bytes), a.wanted, len(keys))
	}
	return c.judge(&a, len(keys), err, &messages)
}

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

func (c *Command) describe(key uint64) string {
	if c.list == nil {
		return fmt.Sprint(key)
	}
	return fmt.Sprintf("%q", c.list[key])
}

// judge returns the codes of an answer. If something is wrong, the error reports the cause rather
// than its consequences.
func (c *Command) judge(a *answer, keys int, err error, messages *process.Tail) ([]uint64, error) {
	var exit *exec.ExitError
	expected := fmt.Sprintf("expected exactly %d, which is %d for each of %d keys", a.wanted, 8*c.words(), keys)
	switch {
	case a.tooMuch:
		return nil, c.failed(messages, "it wrote more than %d bytes: %s%s", a.wanted, expected, c.textHint(a))
	case errors.As(err, &exit) && len(a.bytes) == 0:
		return nil, c.failed(messages, "it ended with %v, without an answer", exit)
	case errors.As(err, &exit):
		return nil, c.failed(messages, "it ended with %v, after %d of %d bytes", exit, len(a.bytes), a.wanted)
	case err != nil:
		return nil, c.failed(messages, "%w", err)
	case len(a.bytes) == 0 && a.wanted > 0:
		return nil, c.failed(messages, "it ended without an answer: %s", expected)
	case len(a.bytes) < a.wanted:
		hint := c.textHint(a)
		if hint == "" && len(a.bytes)%keys == 0 {
			hint = fmt.Sprintf(" (it looks like codes of %d bytes: every word has 8 bytes, including the last one)", len(a.bytes)/keys)
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

// textHint returns a hint for programs that print codes as text.
func (c *Command) textHint(a *answer) string {
	other := func(r rune) bool { return (r < ' ' || r > '~') && !strings.ContainsRune("\t\n\r", r) }
	if len(a.bytes) < sampleBytes || bytes.ContainsFunc(a.bytes, other) {
		return "" // probably not text
	}
	return fmt.Sprintf(" (it looks like text, %s: codes are binary, in Python sys.stdout.buffer.write(code.to_bytes(%d, \"little\")) and not print(code))", a.sample(), 8*c.words())
}

// failed returns an error with the command and the end of its standard error.
func (c *Command) failed(messages *process.Tail, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if text := messages.String(); text != "" {
		return fmt.Errorf("doctor: command %q: %w; its standard error ends:\n%s", c, err, text)
	}
	return fmt.Errorf("doctor: command %q: %w", c, err)
}

// String returns the command line, without the arguments of Shell.
func (c *Command) String() string {
	if shell := Shell(""); len(c.Args) == len(shell) && slices.Equal(c.Args[:2], shell[:2]) {
		return c.Args[2]
	}
	return strings.Join(c.Args, " ")
}

type answer struct {
	wanted  int
	bytes   []byte
	tooMuch bool
}

// Write fails on the first byte beyond the limit: exec then closes the pipe, which ends the
// command.
func (a *answer) Write(p []byte) (int, error) {
	if len(a.bytes)+len(p) > a.wanted {
		most := max(a.wanted, sampleBytes)
		a.bytes = append(a.bytes, p[:min(len(p), most-len(a.bytes))]...)
		a.tooMuch = true
		return 0, errors.New("answer is too long")
	}
	a.bytes = append(a.bytes, p...)
	return len(p), nil
}

func (a *answer) sample() string { return fmt.Sprintf("%q", a.bytes[:min(len(a.bytes), sampleBytes)]) }

const (
	sampleKeys  = 1 << 12     // keys in the first run, from which the time of all is forecast
	mostBytes   = 64 << 20    // bytes of keys and codes in a run
	firstRuns   = time.Minute // timeout of runs with few keys
	sampleBytes = 32          // bytes of an answer in messages
)

type asker struct {
	command    *Command
	all, asked int           // numbers of different keys, without those of checks
	time       time.Duration // of the runs so far
	probed     []uint64      // codes of the probe
	progress   func(asked, all int, left time.Duration)
}

// probe returns some keys: small keys, powers of two and large keys, or keys from the whole list.
func (c *Command) probe() []uint64 {
	var keys []uint64
	for i := range uint64(64) {
		if c.list != nil {
			keys = append(keys, i*uint64(len(c.list))/64)
		} else {
			keys = append(keys, i, 1<<i, i*0x9E3779B97F4A7C15)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// start asks the keys of the probe twice.
func (a *asker) start(ctx context.Context) (err error) {
	command := *a.command
	command.Timeout = min(command.timeout(), firstRuns)
	if a.probed, err = command.Ask(ctx, command.probe()); err != nil {
		return err
	}
	return a.repeat(ctx)
}

// repeat asks the keys of the probe again, in reverse order, and fails if a code has changed.
func (a *asker) repeat(ctx context.Context) error {
	keys := a.command.probe()
	slices.Reverse(keys)
	again, err := a.command.Ask(ctx, keys)
	if err != nil {
		return err
	}
	words := a.command.words()
	for i, key := range keys {
		j := len(keys) - 1 - i
		was, is := a.probed[j*words:(j+1)*words], again[i*words:(i+1)*words]
		if !slices.Equal(was, is) {
			return fmt.Errorf("doctor: command %q gave two different codes for the same key: key %s had the code %x, and later, in another order of keys, %x: expected the same code in every run, independent of other keys",
				a.command, a.command.describe(key), was, is)
		}
	}
	return nil
}

func (a *asker) ask(ctx context.Context, keys []uint64) ([]uint64, error) {
	codes := make([]uint64, 0, len(keys)*a.command.words())
	for len(keys) > 0 {
		n := min(len(keys), mostBytes/(8*(a.command.words()+1))) // keys and codes fit into memory
		if a.asked == 0 {
			n = min(n, sampleKeys)
		}
		left := time.Duration(float64(a.time) / float64(max(1, a.asked)) * float64(a.all-a.asked))
		a.progress(a.asked, a.all, left)
		began := time.Now()
		answer, err := a.command.Ask(ctx, keys[:n])
		if err != nil {
			return nil, err
		}
		a.time += time.Since(began)
		a.asked += n
		codes, keys = append(codes, answer...), keys[n:]
	}
	return codes, nil
}

// wanted returns the keys that the workloads need, in ascending order. It measures a hash that
// records its keys.
func wanted(list []*quality.Workload, bits, workers int) ([]uint64, error) {
	var all []uint64
	recorder := quality.OfFunc("recorder", bits, func(dst, keys []uint64) error {
		all = append(all, keys...)
		clear(dst)
		return nil
	})
	for _, w := range list {
		if _, err := w.Measure(recorder, workers); err != nil {
			return nil, err
		}
		slices.Sort(all)
		all = slices.Compact(all)
	}
	return slices.Clip(all), nil
}

// answered returns a hash that looks up the codes of known keys, which are ascending. It is safe
// for concurrent use.
func answered(name string, bits int, known, codes []uint64) quality.Hash {
	words := (bits + 63) / 64
	look := func(dst, keys []uint64) error {
		for i, key := range keys {
			at, ok := slices.BinarySearch(known, key)
			if !ok {
				return fmt.Errorf("doctor: key %d was not asked", key)
			}
			for t, word := range codes[at*words : (at+1)*words] {
				dst[t*len(keys)+i] = word
			}
		}
		return nil
	}
	return quality.Hash{Name: name, Bits: bits, New: func(uint64) (quality.Codes, error) { return look, nil }}
}
