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
		"small.svm": "1 1:1e-320 2:1e-320\n1 1:2\n2 3:1e-99\n", "overflow.svm": "1 1:1\n1 2:1\n1 4:3e38 5:3e38 6:3e38\n",
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
		{"calibrate-blank-unit", "calibrate --data blank.svm --weights unit"},
		{"calibrate-too-small", "calibrate --data small.svm"},
		{"calibrate-overflow", "calibrate --data overflow.svm"},
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

// 0 is refused, not replaced by a default, as is what is out of range: before the vectors are read.
func TestCalibrateRefuses(t *testing.T) {
	for _, tc := range []struct{ flag, value, want string }{
		{"recall", "0", "--recall 0: want one above 0 and at most 1"}, {"recall", "1.01", "--recall 1.01: want"}, {"recall", "NaN", "--recall NaN: want"},
		{"precision", "0", "--precision 0: want one above 0 and at most 1"}, {"precision", "-1", "--precision -1: want"},
		{"cosine", "0", "--cosine 0: want one above 0 and below 1"}, {"cosine", "1", "--cosine 1: want"},
		{"bits", "0", "--bits 0: want 1 to 4096"}, {"bits", "4097", "--bits 4097: want"},
		{"vectors", "0", "--vectors 0: want 2 to 1000000"}, {"vectors", "1000001", "--vectors 1000001: want"},
	} {
		code, stdout, stderr := execute(t, "", "calibrate", "--data", "absent.svm", "--"+tc.flag, tc.value)
		if code != exitFailed || stdout != "" || !strings.Contains(stderr, tc.want) {
			t.Errorf("--%s %s: exit code %d\n%s%s\nwant %q", tc.flag, tc.value, code, stdout, stderr, tc.want)
		}
	}
}

// A percentage is the number that it stands for, to the last digit; what is neither is said in
// words of ours.
func TestCalibrateFractions(t *testing.T) {
	for text, want := range map[string]float64{"0.95": 0.95, "95%": 0.95, "99.9%": 0.999, "100%": 1, ".5": 0.5, "1e-1": 0.1, "-5%": -0.05} {
		var f fraction
		if err := f.Set(text); err != nil || float64(f) != want {
			t.Errorf("%s: %v, %v, want %v", text, f, err, want)
		}
	}
	for _, text := range []string{"", "%", "95%%", "95 per cent", "0,95", "NaN%", "1e400"} {
		for _, flag := range []string{"cosine", "recall", "precision"} {
			code, _, stderr := execute(t, "", "calibrate", "--data", "absent.svm", "--"+flag, text)
			if code != exitFailed || !strings.Contains(stderr, "--"+flag) || !strings.Contains(stderr, "want a number such as 0.95, or a percentage such as 95%") || strings.Contains(stderr, "strconv") {
				t.Errorf("--%s %q: exit code %d, %s", flag, text, code, stderr)
			}
		}
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
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("..", "..", "..", "shared", "data", "sparse", name)
			if _, err := os.Stat(path); err != nil {
				t.Skipf("the data set is not here: %v", err)
			}
			code, stdout, stderr := execute(t, "", "calibrate", "--data", path, "--cosine", "0.95", "--precision", "0.2", "--vectors", "2000")
			if code != exitSuccess || !strings.Contains(stdout, "\nSuggestion: ") || strings.Contains(stdout, "NaN") {
				t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
			}
		})
	}
}
