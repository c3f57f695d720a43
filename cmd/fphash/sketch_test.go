package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"simhashkit/fphash"
)

// batchVectors is the number of vectors that are computed at a time.
const batchVectors = 4096

// Fingerprints do not depend on batches, workers and kernels. They are in the order of the vectors.
func TestManyVectors(t *testing.T) {
	var input, want strings.Builder
	for i := range 3*batchVectors + 7 {
		indices, weights := []uint64{uint64(i), uint64(i) << 40}, []float32{1, 3}
		fmt.Fprintf(&input, "0 %d:1 %d:3\n", indices[0], indices[1])
		if i == 0 {
			indices, weights = []uint64{0}, []float32{4} // index 0 occurs twice in a line; its weights are added
		}
		f, _, err := fphash.Sketch64(indices, weights)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&want, "%016x\t%d\n", f, i+1)
	}
	for _, flags := range [][]string{{"--workers=1"}, {"--workers=5", "--kernel=generic"}} {
		code, stdout, stderr := execute(t, input.String(), append([]string{"sketch"}, flags...)...)
		if code != exitSuccess || stdout != want.String() {
			t.Errorf("%v: exit code %d, %d bytes of output, want %d: %s", flags, code, len(stdout), want.Len(), stderr)
		}
	}
}

// fullDisk accepts a limited number of bytes.
type fullDisk struct{ room int }

var errFull = errors.New("no space left")

func (d *fullDisk) Write(p []byte) (int, error) {
	if len(p) > d.room {
		n := d.room
		d.room = 0
		return n, errFull
	}
	d.room -= len(p)
	return len(p), nil
}

// sketch fails if the output cannot be written completely, in every format and at any position, so
// that a part is not mistaken for the whole.
func TestFailuresOfTheOutputAreNotLost(t *testing.T) {
	few := "1 3:1\n1 4:1\n"
	many := strings.Repeat("1 3:1\n", 3*batchVectors)
	for _, format := range formats {
		for _, input := range []string{few, many} {
			code, whole, _ := execute(t, input, "sketch", "--format", format)
			if code != exitSuccess {
				t.Fatalf("%s: exit code %d", format, code)
			}
			for _, room := range []int{0, 1, len(whole) / 2, len(whole) - 1} {
				err := run([]string{"sketch", "--format", format}, strings.NewReader(input), &fullDisk{room}, io.Discard)
				if !errors.Is(err, errFull) || exitCode(err, io.Discard) != exitFailed {
					t.Errorf("%s, room for %d of %d bytes: %v", format, room, len(whole), err)
				}
			}
			if err := run([]string{"sketch", "--format", format}, strings.NewReader(input), &fullDisk{len(whole)}, io.Discard); err != nil {
				t.Errorf("%s, room for all: %v", format, err)
			}
		}
	}
}

// If the output is closed, as by head, sketch stops reading endless input.
func TestFailingOutputEndsTheWork(t *testing.T) {
	input, feeder := io.Pipe()
	defer input.Close()
	go feed(feeder, "1 3:1\n", nil)
	if err := run([]string{"sketch"}, input, &fullDisk{}, io.Discard); !errors.Is(err, errFull) {
		t.Error(err)
	}
}

// A full device returns an error only when the buffered output is flushed at the end.
func TestFullDevice(t *testing.T) {
	const device = "/dev/full"
	if info, err := os.Stat(device); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		t.Skipf("there is no %s", device)
	}
	for _, input := range []string{"", "1 3:1\n"} {
		for _, format := range formats {
			code, _, stderr := execute(t, input, "sketch", "--format", format, "--out", device)
			want := exitFailed
			if input == "" && (format == "text" || format == "jsonl") {
				want = exitSuccess // the output is empty
			}
			said := strings.HasSuffix(stderr, "write /dev/full: no space left on device\n") && strings.Count(stderr, "\n") == 1
			if code != want || want == exitFailed && !said {
				t.Errorf("%s of %q: exit code %d, expected %d: %s", format, input, code, want, stderr)
			}
		}
	}
}

// Memory use depends on the number of features, not on the dimensions: indices that are 2^40 times
// as large take no more memory.
func TestMemoryDoesNotDependOnDimensions(t *testing.T) {
	allocated := func(shift uint) uint64 {
		var input strings.Builder
		for i := range 2000 {
			fmt.Fprintf(&input, "0")
			for j := range 50 {
				// the line has the same length for each shift
				fmt.Fprintf(&input, " %020d:1", uint64(i*50+j+1)<<shift)
			}
			input.WriteByte('\n')
		}
		text := input.String()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if code, _, stderr := execute(t, text, "sketch", "--workers=1"); code != exitSuccess {
			t.Fatal(stderr)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	allocated(0) // allocate memory that a process needs only once
	small, large := allocated(0), allocated(40)
	if ratio := float64(large) / float64(small); ratio < 0.95 || ratio > 1.05 {
		t.Errorf("%d bytes allocated, %d with indices 2^40 times as large", small, large)
	}
}

// A SciPy matrix gives the same fingerprints as that matrix in svmlight format, from a file and
// from standard input.
func TestSketchNPZ(t *testing.T) {
	folder := filepath.Join("..", "..", "datasets", "testdata", "interop")
	const svmlight = "0 0:0.1 3:-5e-324 70000:1.7976931348623157e308\n0\n0 1:0.30000000000000004 2:-0.3333333333333333\n" +
		"0 69999:2.2250738585072014e-308\n0\n0 0:1e22\n0\n"
	_, want, _ := execute(t, svmlight, "sketch", "--weights", "f64")
	path := filepath.Join(folder, "float64.npz")
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, file, _ := execute(t, "", "sketch", "--weights", "f64", path)
	_, stream, _ := execute(t, string(packed), "sketch", "--weights", "f64")
	if strings.Count(want, "\n") != 7 || file != want || stream != want {
		t.Errorf("from svmlight:\n%sfrom the file:\n%sfrom standard input:\n%s", want, file, stream)
	}
	if _, stdout, stderr := execute(t, string(packed), "dedup", "--weights", "f64"); !strings.HasPrefix(stdout, "7 vectors of standard input") {
		t.Errorf("dedup: %s%s", stdout, stderr)
	}
	if _, stdout, _ := execute(t, "", "data", "info", path); !strings.HasPrefix(stdout, "SciPy .npz file "+path+": 7 vectors, 7 features") {
		t.Errorf("data info: %s", stdout)
	}
}
