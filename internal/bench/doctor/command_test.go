package doctor

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"simhashkit/internal/process"
)

// patience is a timeout that only a hanging command reaches.
const patience = 5 * time.Minute

// acting returns the test binary as a command that plays a role, which an environment variable
// selects.
func acting(t *testing.T, r string) *Command {
	t.Helper()
	t.Setenv(roleVariable, r)
	return &Command{Args: []string{os.Args[0]}, Bits: 64, Timeout: patience}
}

func TestAsk(t *testing.T) {
	keys := make([]uint64, 200_000) // more than a pipe holds
	for i := range keys {
		keys[i] = uint64(i) << 40
	}
	codes, err := acting(t, "mix").Ask(context.Background(), keys)
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range keys {
		if codes[i] != mix(k) {
			t.Fatalf("code of key %#x is %#x, want %#x", k, codes[i], mix(k))
		}
	}
}

// Ask does not wait forever for a command that writes before it reads, or never reads.
func TestAskDoesNotDeadlock(t *testing.T) {
	keys := make([]uint64, 200_000)
	for _, r := range []string{"early:200000", "deaf:200000"} {
		if _, err := acting(t, r).Ask(context.Background(), keys); err != nil {
			t.Errorf("%s: %v", r, err)
		}
	}
}

func TestAskErrors(t *testing.T) {
	for _, tc := range []struct {
		role string
		keys int
		bits int
		want []string
	}{
		{"die", 5, 64, []string{"exit status 3, after 16 of 40 bytes", "standard error ends:\n...\nnoise\n", "noise\ncannot go on"}},
		{"short:3", 5, 64, []string{"it wrote 37 bytes: expected exactly 40, which is 8 for each of 5 keys"}},
		{"short:40", 5, 64, []string{"it ended without an answer: expected exactly 40"}},
		{"half", 6, 64, []string{"it wrote 24 bytes", "it looks like codes of 4 bytes: every word has 8 bytes"}},
		{"mix", 6, 100, []string{"it wrote 48 bytes: expected exactly 96, which is 16 for each of 6 keys"}},
		{"long", 5, 64, []string{"it wrote more than 40 bytes: expected exactly 40"}},
		{"endless", 5, 64, []string{"it wrote more than 40 bytes"}},
		{"print:18", 6, 64, []string{"it wrote more than 48 bytes: expected exactly 48, which is 8 for each of 6 keys (it looks like text, \"", "sys.stdout.buffer.write(code.to_bytes(8, "}},
		{"print:18", 6, 100, []string{"it wrote more than 96 bytes", "codes are binary, in Python sys.stdout.buffer.write(code.to_bytes(16, \"little\")) and not print(code))"}},
		{"print:5", 6, 64, []string{"it wrote 36 bytes: expected exactly 48, which is 8 for each of 6 keys (it looks like text, \""}},
		{"greeting", 5, 64, []string{"it wrote more than 40 bytes: expected exactly 40"}},
		{"mix", 5, 63, []string{"code 1 is wider than 63 bits: its last word is 0xe220a8397b1dcdaf"}},
	} {
		c := acting(t, tc.role)
		c.Bits = tc.bits
		keys := make([]uint64, tc.keys)
		for i := range keys {
			keys[i] = uint64(i+1) * 0x9E3779B97F4A7C15
		}
		_, err := c.Ask(context.Background(), keys)
		for _, want := range tc.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v\nlacks %q", tc.role, err, want)
			}
		}
		if err != nil && strings.Contains(err.Error(), "looks like text") != strings.HasPrefix(tc.role, "print") {
			t.Errorf("%s: error %v", tc.role, err)
		}
		if err != nil && (!strings.HasPrefix(err.Error(), "doctor: command ") || strings.Contains(err.Error(), "\x1b")) {
			t.Errorf("%s: error %q", tc.role, err)
		}
	}
}

func TestAskTimeout(t *testing.T) {
	c := acting(t, "hang")
	// on a slow machine, the 8 bytes may arrive late
	for c.Timeout = 100 * time.Millisecond; c.Timeout < patience; c.Timeout *= 2 {
		_, err := c.Ask(context.Background(), make([]uint64, 5))
		after := func(bytes int) string {
			return fmt.Sprintf("no answer within %v: got %d of the 40 bytes for 5 keys", c.Timeout, bytes)
		}
		switch {
		case err != nil && strings.Contains(err.Error(), after(8)):
			return
		case err == nil || !strings.Contains(err.Error(), after(0)):
			t.Fatalf("error %v, want %q", err, after(8))
		}
	}
	t.Error("the 8 bytes never arrived")
}

// If the context is cancelled, the command ends, and Ask returns the cause.
func TestAskInterrupted(t *testing.T) {
	cause := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	running := filepath.Join(t.TempDir(), "running")
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(running); err == nil {
				cancel(cause)
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if _, err := acting(t, "hang:"+running).Ask(ctx, make([]uint64, 5)); !errors.Is(err, cause) {
		t.Errorf("error %v, want %v", err, cause)
	}
	if _, err := os.Stat(running); err != nil {
		t.Errorf("the command did not run when it was interrupted: %v", err)
	}
}

func TestNoCommand(t *testing.T) {
	for _, c := range []*Command{{}, {Args: []string{""}, Bits: 64}, {Args: []string{"x"}}, {Args: []string{"x"}, Bits: 4097}, {Args: []string{"x"}, Bits: 1, Timeout: -1}} {
		if _, err := c.Ask(context.Background(), nil); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
	c := &Command{Args: []string{filepath.Join(t.TempDir(), "absent")}, Bits: 64}
	if _, err := c.Ask(context.Background(), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, want %v", err, os.ErrNotExist)
	}
}

func TestShellQuoting(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh here")
	}
	c := &Command{Args: Shell(`cat >/dev/null; printf '%s' "1 'a'\"b\""`), Bits: 64, Timeout: patience}
	codes, err := c.Ask(context.Background(), []uint64{7})
	if want := binary.LittleEndian.Uint64([]byte(`1 'a'"b"`)); err != nil || !slices.Equal(codes, []uint64{want}) {
		t.Errorf("codes %x, error %v, want %x", codes, err, want)
	}
	if c.String() != c.Args[2] {
		t.Errorf("it is shown as %s", c)
	}
	c.Args = Shell("sleep 600 & cat")
	if _, err := c.Ask(context.Background(), []uint64{7}); !errors.Is(err, process.ErrLeftProcesses) {
		t.Errorf("a program that leaves another behind: error %v", err)
	}
}

// The example programs of the documentation return the right codes.
func TestExamples(t *testing.T) {
	keys := []uint64{0, 1, 0x0123456789abcdef, 1<<64 - 1}
	t.Run("go", func(t *testing.T) {
		if _, err := exec.LookPath("go"); err != nil {
			t.Skip("no go here")
		}
		c := &Command{Args: []string{"go", "run", filepath.Join("testdata", "examples", "hash.go")}, Bits: 64, Timeout: patience}
		codes, err := c.Ask(context.Background(), keys)
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range keys {
			h := fnv.New64a()
			h.Write(binary.LittleEndian.AppendUint64(nil, k))
			if codes[i] != h.Sum64() {
				t.Errorf("code of %#x is %#x, want %#x", k, codes[i], h.Sum64())
			}
		}
	})
	t.Run("python", func(t *testing.T) {
		python, err := exec.LookPath("python3")
		if err != nil {
			t.Skip("no python3 here")
		}
		c := &Command{Args: []string{python, filepath.Join("testdata", "examples", "hash.py")}, Bits: 64, Timeout: patience}
		codes, err := c.Ask(context.Background(), keys)
		// These are the results of b2sum -l 64 for the little-endian keys.
		want := []uint64{0x18cc49ca5bea08ca, 0xfd0529b07bbc0433, 0x1539bf6cb59293ec, 0x2d0e9ddc2dfd74dd}
		if err != nil || !slices.Equal(codes, want) {
			t.Errorf("codes %#x, error %v, want %#x", codes, err, want)
		}
	})
}
