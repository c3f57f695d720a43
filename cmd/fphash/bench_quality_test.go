package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
)

// Cells come after the times, without noise, and the table sets them side by side.
func TestBenchQuality(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.txt")
	code, stdout, stderr := execute(t, "", "bench", "--run", "^(Hash/hash=fnv1a64/.*generic/n=1024|Quality/hash=fnv1a64/encoding=(le64|dec)/pattern=(dense|consecutive))", "--samples", "2", "--time", "10us", "-o", out)
	if code != exitSuccess {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	f := readResults(t, out)
	if !slices.ContainsFunc(f.Units, func(u resultfile.Unit) bool { return u.Exact }) {
		t.Error("no unit is exact")
	}
	figures := map[string]float64{}
	for _, r := range f.Rows {
		figures[r.Name+" "+r.Unit] = r.Samples[0].Value
	}
	// As METHODOLOGY.md has it.
	for _, tc := range []struct {
		cell string
		bits float64
	}{
		{"le64/pattern=dense1e3/weights=signed", 62.7}, {"dec/pattern=dense1e3/weights=signed", 34.4},
		{"le64/pattern=consecutive/weights=unit", 42.3}, {"dec/pattern=consecutive/weights=unit", 21.5},
	} {
		name := "Quality/hash=fnv1a64/encoding=" + tc.cell + "/f=64 effective-bits"
		if got := figures[name]; got < tc.bits-0.1 || got > tc.bits+0.1 {
			t.Errorf("%s: %v, want %v", name, got, tc.bits)
		}
	}
	for _, want := range []string{"Hashes  quality beside cost", "fnv1a64: 21.5 of 64 bits (34.9 at cosine 0.9 and above) on decimal keys of runs of consecutive indices, unit"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is not in\n%s", want, stdout)
		}
	}
	if !strings.Contains(stderr, "2 samples of 1 cases and 4 cells in ") {
		t.Error(stderr)
	}
}

// Of a few vectors there is no verdict, which is said in the file and to the user; nothing is no
// number.
func TestBenchNoVerdictOnFewVectors(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.txt")
	code, stdout, stderr := execute(t, "", "bench", "--data", writeFile(t, "few.svm", "1 1:1 2:2\n1 3:1 4:1\n"), "--run", "Quality/hash=(md5|xxh64)/encoding=le64/pattern=data", "-o", out)
	if code != exitSuccess || !strings.Contains(stdout, "There is no verdict: 2 vectors are too few") || strings.Contains(stdout, "NaN") || strings.Contains(stdout, "Use ") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	head := ""
	for _, h := range readResults(t, out).Head {
		if h.Name == "note" {
			head = h.Value
		}
	}
	if !strings.Contains(head, "too few") {
		t.Errorf("the file has the note %q", head)
	}
}

// Vectors that near-duplicates are planted in get a recommendation with figures.
func TestBenchRecommends(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors.svm")
	if code, _, stderr := execute(t, "", "data", "generate", "--vectors", "400", "--nnz", "40", "--plant", "0.95:100,0.8:90", "--out", path); code != exitSuccess {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	out := filepath.Join(t.TempDir(), "out.txt")
	code, stdout, stderr := execute(t, "", "bench", "--data", path, "--hash", "xxh64,fnv1a64", "--encoding", "le64", "--run", "(Quality.*pattern=data|Sketch/.*weights=f32.*data=)", "--samples", "6", "--time", "10us", "-o", out)
	if code != exitSuccess || !strings.Contains(stdout, "Which hash to use on vectors.svm\n\nUse ") || !strings.Contains(stdout, " ns per feature of a whole sketch (kernel ") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// So do real ones: mass spectra and URLs.
func TestBenchRecommendsOnRealVectors(t *testing.T) {
	for _, name := range []string{"massbank_A.svm.gz", "url_Instances_1000.svm.gz"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("../../../shared/data/sparse", name)
			if _, err := os.Stat(path); err != nil {
				t.Skipf("the data set is not here: %v", err)
			}
			out := filepath.Join(t.TempDir(), "out.txt")
			run := "(Quality.*pattern=data|Sketch/.*weights=f32.*avx|Sketch/.*weights=f32.*generic).*data="
			code, stdout, stderr := execute(t, "", "bench", "--data", path, "--hash", "xxh64,fnv1a64", "--encoding", "le64", "--run", run, "--samples", "6", "--time", "1ms", "-o", out)
			if code != exitSuccess || !strings.Contains(stdout, "Which hash to use on "+name+"\n\nUse ") || !strings.Contains(stdout, "xxh64") || strings.Contains(stdout, "NaN") {
				t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
			}
		})
	}
}

// A matrix beyond the memory limit is no failure, and the reason stands in the file.
func TestBenchProjections(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.txt")
	code, stdout, stderr := execute(t, "", "bench", "--suite", "projections", "--run", "(gaussian|hash-per-index)/f=4096/D=(100|10000000)/nnz=10$", "--bits", "4096", "--samples", "6", "--time", "10us", "-o", out)
	if code != exitSuccess || !strings.Contains(stdout, "hash-per-index is smaller than gaussian") || !strings.Contains(stdout, "not measured  Projection/method=gaussian/f=4096/D=10000000") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	skipped := 0
	for _, r := range readResults(t, out).Rows {
		if strings.Contains(r.Skipped, "beyond the memory limit") {
			skipped++
		}
	}
	if skipped != 1 {
		t.Errorf("%d rows were skipped, want 1", skipped)
	}
	if code, _, stderr := execute(t, "", "bench", "--suite", "projections", "--hash", "xxh64,md5", "-o", out); code != exitFailed || !strings.Contains(stderr, "2 hashes: projections are measured with one") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
