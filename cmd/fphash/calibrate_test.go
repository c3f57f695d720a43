package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// inFolder writes files and goes into their folder, so that outputs name them without a path.
func inFolder(t *testing.T, files map[string]string) {
	t.Helper()
	folder := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(folder)
}

func generatedVectors(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := execute(t, "", append([]string{"data", "generate"}, args...)...)
	if code != exitSuccess {
		t.Fatal(stderr)
	}
	return stdout
}

func TestCalibrateGolden(t *testing.T) {
	golden, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	inFolder(t, map[string]string{
		"empty.svm": "", "one.svm": "1 3:1 4:2\n", "equal.svm": strings.Repeat("1 3:1 4:2\n", 20), "blank.svm": "1\n1 1:2\n2\n",
		"vectors.svm": generatedVectors(t, "--vectors", "600", "--nnz", "60", "--dimensions", "100000", "--exponent", "0.7", "--plant", "0.97:60,0.93:60,0.8:40"),
	})
	for _, tc := range []struct{ name, args string }{
		{"help-calibrate", "calibrate --help"},
		{"calibrate", "calibrate --data vectors.svm"},
		{"calibrate-hard", "calibrate --data vectors.svm --cosine 0.95 --recall 0.99 --precision 0.99"},
		{"calibrate-weak-hash", "calibrate --data vectors.svm --hash fnv1a64 --encoding be64 --weights unit"},
		{"calibrate-wide", "calibrate --data vectors.svm --hash xxh64 --widen mix --bits 128 --weights i32"},
		{"calibrate-empty", "calibrate --data empty.svm"},
		{"calibrate-one", "calibrate --data one.svm"},
		{"calibrate-blank", "calibrate --data blank.svm"},
		{"calibrate-equal", "calibrate --data equal.svm"},
		{"calibrate-sample", "calibrate --data vectors.svm --vectors 50 --format json --bits 8"},
		{"calibrate-no-data", "calibrate"},
		{"calibrate-no-file", "calibrate --data absent.svm"},
		{"calibrate-too-wide", "calibrate --data vectors.svm --bits 128"},
		{"calibrate-bad-cosine", "calibrate --data vectors.svm --cosine 1.5"},
		{"calibrate-bad-format", "calibrate --data vectors.svm --format csv"},
		{"calibrate-bad-weights", "calibrate --data vectors.svm --weights f16"},
		{"calibrate-no-hash", "calibrate --data vectors.svm --to xxh46"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, stdout, stderr := execute(t, "", strings.Fields(tc.args)...)
			got := fmt.Sprintf("$ fphash %s\nexit code %d\n--- stdout\n%s--- stderr\n%s", tc.args, code, stdout, progressLines.ReplaceAllString(stderr, ""))
			t.Chdir(golden)
			compareGolden(t, tc.name, got)
			if strings.Contains(got, "NaN") || strings.Contains(got, "Inf") {
				t.Error("a figure is not a number")
			}
		})
	}
}

// How long fingerprints take, and on how many cores, differs from run to run.
var sketchTimes = regexp.MustCompile(`That takes \S+ for|on [0-9]+ cores? \(with the first hash \S+\)`)

func TestCalibrateSwitch(t *testing.T) {
	golden, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	inFolder(t, map[string]string{"vectors.svm": generatedVectors(t, "--vectors", "300", "--nnz", "60", "--dimensions", "100000", "--plant", "0.97:60")})
	args := []string{"calibrate", "--data", "vectors.svm", "--hash", "fnv1a64", "--encoding", "dec", "--to", "splitmix64", "--to-encoding", "le64"}
	code, stdout, stderr := execute(t, "", args...)
	jsonCode, jsonOut, _ := execute(t, "", append(args, "--format", "json", "--out", "out.json")...)
	written, err := os.ReadFile("out.json")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(golden)
	compareGolden(t, "calibrate-switch", fmt.Sprintf("exit code %d\n--- stdout\n%s--- stderr\n%s", code, sketchTimes.ReplaceAllString(stdout, "…"), progressLines.ReplaceAllString(stderr, "")))

	var c struct {
		Widths []struct{ Bits int }
		Switch struct {
			To                   struct{ Name, Encoding string }
			Thresholds           []struct{ Hits uint64 }
			SecondsPerMillionNow float64
		}
	}
	if err := json.Unmarshal(written, &c); err != nil {
		t.Fatal(err)
	}
	if jsonCode != code || jsonOut != "" || len(c.Widths) != 4 || c.Switch.To.Name != "splitmix64" || len(c.Switch.Thresholds) != 65 || !(c.Switch.SecondsPerMillionNow > 0) {
		t.Errorf("exit code %d, %q: %+v", jsonCode, jsonOut, c)
	}
}

// On real vectors there is a calibration with figures, and no NaN.
func TestCalibrateRealData(t *testing.T) {
	for _, name := range []string{"massbank_A.svm.gz", "url_Instances_1000.svm.gz"} {
		path := filepath.Join("..", "..", "..", "shared", "data", "sparse", name)
		if _, err := os.Stat(path); err != nil {
			t.Skip("the real data sets are not here")
		}
		code, stdout, stderr := execute(t, "", "calibrate", "--data", path, "--cosine", "0.95", "--precision", "0.2", "--vectors", "2000")
		if code != exitSuccess || !strings.Contains(stdout, "\nSuggestion: ") || strings.Contains(stdout, "NaN") {
			t.Errorf("%s: exit code %d\n%s%s", name, code, stdout, stderr)
		}
	}
}
