package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"simhashkit/fphash"
)

func TestOutputFileIsWholeOrNothing(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out.tsv")
	if err := os.WriteFile(out, []byte("old\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := execute(t, "", "sketch", "testdata/bad.svm", "--out", out); code != exitFailed || !strings.Contains(stderr, "testdata/bad.svm:2:") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if text, _ := os.ReadFile(out); string(text) != "old\n" {
		t.Errorf("after an error the file holds %q", text)
	}
	if code, _, stderr := execute(t, "", "sketch", "--keep-going", "testdata/bad.svm", "-o", out); code != exitNo {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	text, err := os.ReadFile(out)
	if lines := strings.Count(string(text), "\n"); err != nil || lines != 2 || !strings.Contains(string(text), "\t5\n") {
		t.Errorf("--keep-going wrote %q, %v; want two lines, the second for vector 5", text, err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d files are left, want 1", len(entries))
	}
}

func TestCompressedInputAndOutput(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, "1 3:1 4:2 # x\n")
	z.Close()
	out := filepath.Join(t.TempDir(), "out.gz")
	if code, _, stderr := execute(t, packed.String(), "sketch", "-o", out); code != exitSuccess {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	file, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(r)
	want, _ := fphash.Sketch64([]uint64{3, 4}, []float32{1, 2})
	if err != nil || string(got) != fmt.Sprintf("%016x\tx\n", want) {
		t.Errorf("%q, %v; want %016x", got, err, want)
	}
}

// Batches, workers and kernels leave no trace: many vectors come out as one by one, in order.
func TestManyVectors(t *testing.T) {
	var input, want strings.Builder
	for i := range 3*batchVectors + 7 {
		indices, weights := []uint64{uint64(i), uint64(i) << 40}, []float32{1, 3}
		fmt.Fprintf(&input, "0 %d:1 %d:3\n", indices[0], indices[1])
		if i == 0 {
			indices, weights = []uint64{0}, []float32{4} // 0 twice in one line adds up
		}
		f, err := fphash.Sketch64(indices, weights)
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

func TestJSONLinesParse(t *testing.T) {
	_, stdout, _ := execute(t, "", "sketch", "--format", "jsonl", "testdata/small.svm")
	var ids []string
	for line := range strings.Lines(stdout) {
		var r struct {
			ID, Fingerprint, Hash, Encoding string
			Bits                            int
			Informative                     *bool
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if _, err := fphash.ParseHex(r.Fingerprint, r.Bits); err != nil || r.Hash != "xxh64" || r.Encoding != "le64" {
			t.Errorf("%s: %v", line, err)
		}
		if silent := r.ID == "empty" || r.ID == "cancels"; silent != (r.Informative != nil && !*r.Informative) {
			t.Errorf("informative is wrong in %s", line)
		}
		ids = append(ids, r.ID)
	}
	if want := `first,2,empty,cancels,"quoted" <id>`; strings.Join(ids, ",") != want {
		t.Errorf("ids %q, want %s", ids, want)
	}
}

// Memory follows the features, not the space: the same vectors with indices 2^40 times as large
// cost the same.
func TestMemoryDoesNotDependOnDimensions(t *testing.T) {
	allocated := func(shift uint) uint64 {
		var input strings.Builder
		for i := range 2000 {
			fmt.Fprintf(&input, "0")
			for j := range 50 {
				// as many bytes whatever the shift
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
	allocated(0) // what is allocated only once in a process
	small, large := allocated(0), allocated(40)
	if ratio := float64(large) / float64(small); ratio < 0.95 || ratio > 1.05 {
		t.Errorf("%d bytes allocated, %d with indices 2^40 times as large", small, large)
	}
}

// realData returns a file of the project's collection of real data, which users do not have.
func realData(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "data", "sparse", name)
	if _, err := os.Stat(path); err != nil {
		t.Skip("the collection of real data is not here")
	}
	return path
}

func TestRealData(t *testing.T) {
	for name, rows := range map[string]int{"url_Instances_1000.svm.gz": 2000, "massbank_A.svm.gz": 19296} {
		path := realData(t, name)
		code, stdout, stderr := execute(t, "", "sketch", path)
		if code != exitSuccess || strings.Count(stdout, "\n") != rows {
			t.Errorf("%s: exit code %d, %d lines, want %d: %s", name, code, strings.Count(stdout, "\n"), rows, stderr)
		}
		out := filepath.Join(t.TempDir(), "bench.txt")
		code, stdout, stderr = execute(t, "", "bench", "--data", path, "--run", "data=.*kernel|xxh64.*f32.*data=", "--samples", "1", "--time", "1us", "-o", out)
		if code != exitSuccess || !strings.Contains(stdout, "data="+name) {
			t.Errorf("%s: exit code %d: %s%s", name, code, stdout, stderr)
		}
	}
}
