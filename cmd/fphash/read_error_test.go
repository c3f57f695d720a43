package main

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// An input that breaks off is a failure, wherever in a batch that is: nobody must take what was
// read until then for the whole. What a pipe has by then are the fingerprints of all vectors
// before.
func TestReadErrorsAreNotLost(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct{ args, line string }{
		{"sketch --weights unit", "1 3:1 4:1\n"},
		{"sketch --weights i32", "1 3:1 4:1\n"},
		{"sketch --weights i64 --keep-going", "1 3:1 4:1\n"},
		{"sketch --weights f32", "1 3:1 4:1\n"},
		{"sketch --weights f64", "1 3:1 4:1\n"},
		{"sketch --documents lines", "a text\n"},
		{"sketch --documents lines --keep-going", "a text\n"},
		{"dedup", "1 3:1 4:1\n"},
		{"dedup --keep-going", "1 3:1 4:1\n"},
		{"dedup --k 3 --bits 64", "00000000000000ff\tone\n"},
		{"dedup --documents lines", "a text\n"},
		{"conventions convert --from mfonda", "00000000000000ff\tone\n"},
		{"blocks", "00000000000000ff\tone\n"},
		{"pairs --sorted --links", "0:00ff\t00000000000000ff\tone\n"},
		{"clusters", "one\ttwo\t1\n"},
	} {
		for _, n := range []int{1, batchVectors - 1, batchVectors, batchVectors + 1, 2 * batchVectors} {
			var out strings.Builder
			input := io.MultiReader(strings.NewReader(strings.Repeat(c.line, n)), iotest.ErrReader(broken))
			err := run(strings.Fields(c.args), input, &out, io.Discard)
			if !errors.Is(err, broken) || exitCode(err, io.Discard) != exitFailed {
				t.Errorf("%s, broken after %d lines: %v", c.args, n, err)
			}
			if lines := strings.Count(out.String(), "\n"); strings.HasPrefix(c.args, "sketch --weights") && lines != n {
				t.Errorf("%s, broken after %d lines: %d fingerprints", c.args, n, lines)
			}
		}
	}
}

// One line that is left out is enough for the answer no, however many are right.
func TestOneBadLineIsNo(t *testing.T) {
	for _, c := range []struct{ args, good, bad string }{
		{"sketch --keep-going", "1 3:1 4:1\n", "1 3:x\n"},
		{"sketch --keep-going --weights unit", "1 3:1 4:1\n", "1 3:x\n"},
		{"dedup --keep-going", "1 3:1 4:1\n", "1 3:x\n"},
		{"sketch --text t --keep-going", `{"t":"a text"}` + "\n", "{\n"},
		{"dedup --text t --keep-going", `{"t":"a text"}` + "\n", "{\n"},
	} {
		for n, input := range map[string]string{"alone": c.good + c.bad, "among many": strings.Repeat(c.good, 5000) + c.bad + c.good, "none": c.good} {
			code, _, stderr := execute(t, input, strings.Fields(c.args)...)
			want := exitNo
			if n == "none" {
				want = exitSuccess
			}
			if code != want || want == exitNo && !strings.Contains(stderr, " was left out") {
				t.Errorf("%s, %s: exit code %d, expected %d: %q", c.args, n, code, want, stderr)
			}
		}
	}
}

// An id that is torn by a read error is no id: what it is by chance stays in the index. 10,000 ids
// are deleted at a time, and the torn one would be the last of them.
func TestTornIDsAreNotDeleted(t *testing.T) {
	t.Chdir(t.TempDir())
	if code, _, stderr := execute(t, "00000000000000ff\t1\n00000000000000ff\t12\n", "index", "build", "a.index"); code != exitSuccess {
		t.Fatal(stderr)
	}
	broken := errors.New("broken")
	input := io.MultiReader(strings.NewReader(strings.Repeat("0\n", 9999)+"1"), iotest.ErrReader(broken))
	if err := run([]string{"index", "delete", "a.index"}, input, io.Discard, io.Discard); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if code, stdout, stderr := execute(t, "1\n12\n", "index", "delete", "a.index"); code != exitSuccess || !strings.HasPrefix(stdout, "2 of 2 deleted") {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
}
