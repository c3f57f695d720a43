package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/testing/long"
)

// agreeing lists the hashes to judge: good ones, one that is weak on some indices, and one that
// returns the index itself.
var agreeing = []string{"xxh64", "md5", "fnv1a64", "identity"}

// chosenAnswer has the fields that the test reads from the JSON output of choose.
type chosenAnswer struct {
	Hash, Verdict string
	K, Bits       int
	Hashes        []struct{ Name, Verdict string }
}

// choose, bench, report and doctor agree on a file: on the hash to use, on the verdict for each
// hash, and by their exit codes on whether all are weak. A second run of choose gives the same
// threshold.
func TestCommandsAgree(t *testing.T) {
	dir := t.TempDir()
	for _, file := range filesToAgreeOn(t, dir) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			for _, hashes := range []string{strings.Join(agreeing, ","), "identity"} {
				answer, code := agreedAnswer(t, file, hashes)
				results := filepath.Join(dir, "results.txt")
				args := []string{"bench", file, "--hash", hashes, "--encoding", "le64", "--run", "^Quality/|Sketch/.*f32.*data=", "--samples", "6", "--time", "1ms", "--force", "--out", results}
				if !long.Enabled() {
					args = append(args, "--pattern", "data")
				}
				benchCode, words, stderr := execute(t, "", args...)
				reportCode, _, reportErr := execute(t, "", "report", results, "--force", "--out", filepath.Join(dir, "report.html"))
				if benchCode != code || reportCode != code || (code == exitNo) != (answer.Verdict == "weak") {
					t.Errorf("%s: %s by choose, which ends with %d; bench with %d (%s), report with %d (%s)", hashes, answer.Verdict, code, benchCode, stderr, reportCode, reportErr)
				}
				page, err := os.ReadFile(filepath.Join(dir, "report.html"))
				if err != nil {
					t.Fatal(err)
				}
				lead := answer.Hash + " with le64 keys"
				if code == exitNo {
					lead = "identity with le64 keys is weak on these vectors"
				}
				if first, _, _ := strings.Cut(words, "."); !strings.Contains(strings.Join(strings.Fields(first), " "), lead) || !strings.Contains(string(page), lead) {
					t.Errorf("%s: choose says %s, bench: %s", hashes, lead, words)
				}
				agreeOnVerdicts(t, file, results, answer)
			}
		})
	}
}

func agreedAnswer(t *testing.T, file, hashes string) (answer chosenAnswer, code int) {
	t.Helper()
	var list [2]chosenAnswer
	for i := range list {
		var out, stderr string
		code, out, stderr = execute(t, "", "choose", file, "--hash", hashes, "--format", "json")
		if code == exitFailed {
			t.Fatal(stderr)
		}
		if err := json.Unmarshal([]byte(out), &list[i]); err != nil {
			t.Fatal(err)
		}
	}
	if fmt.Sprint(list[0]) != fmt.Sprint(list[1]) {
		t.Errorf("choose says %+v, and in another run %+v", list[0], list[1])
	}
	return list[0], code
}

// agreeOnVerdicts compares the verdicts of choose with the rows of bench and with doctor.
func agreeOnVerdicts(t *testing.T, file, results string, answer chosenAnswer) {
	t.Helper()
	opened, err := os.Open(results)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	rows, err := resultfile.Read(opened, results)
	if err != nil {
		t.Fatal(err)
	}
	benched := map[string]string{}
	for _, r := range resultfile.Summarize(rows.Rows) {
		if r.Unit == terms.Verdict && r.Name.Get("pattern") == "data" {
			benched[r.Name.Get("hash")] = terms.Judgement(math.Round(r.Median)).String()
		}
	}
	for _, h := range answer.Hashes {
		code, out, stderr := execute(t, "", "doctor", "--family", h.Name, "--data", file, "--format", "json")
		var examined struct{ Verdict string }
		if err := json.Unmarshal([]byte(out), &examined); err != nil {
			t.Fatalf("%v: %s", err, stderr)
		}
		if benched[h.Name] != h.Verdict || examined.Verdict != h.Verdict || (code == exitNo) != (h.Verdict == "weak") {
			t.Errorf("%s is %s by choose, %s by bench, %s by doctor, which ends with %d", h.Name, h.Verdict, benched[h.Name], examined.Verdict, code)
		}
	}
}

// filesToAgreeOn returns generated files of many kinds, and real files if they are available. With
// -short, it returns two files.
func filesToAgreeOn(t *testing.T, dir string) (files []string) {
	t.Helper()
	add := func(name string, args ...string) {
		path := filepath.Join(dir, name)
		if code, _, stderr := execute(t, "", append([]string{"data", "generate", "--out", path}, args...)...); code != exitSuccess {
			t.Fatal(stderr)
		}
		files = append(files, path)
	}
	add("binary.svm", "--vectors", "300", "--nnz", "40", "--dimensions", "5000", "--weights", "unit")
	write := func(name string, line func(i int) string) {
		var text strings.Builder
		for i := range 150 {
			text.WriteString(line(i) + "\n")
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	write("signed-dense.svm", func(i int) string { // fewer than 200 vectors of 30 columns
		var line strings.Builder
		line.WriteString("1")
		for j := range 30 {
			fmt.Fprintf(&line, " %d:%.3f", j+1, math.Sin(float64(i*31+j*j)))
		}
		return line.String()
	})
	if !long.Enabled() {
		return files
	}
	add("counts.svm", "--vectors", "400", "--nnz", "60", "--dimensions", "20000", "--plant", "0.97:60,0.93:60")
	add("tfidf.svm", "--vectors", "150", "--nnz", "100", "--dimensions", "50000", "--weights", "tfidf")
	add("short.svm", "--vectors", "300", "--nnz", "8", "--dimensions", "500", "--weights", "tfidf")
	write("two-groups.svm", func(i int) string {
		return fmt.Sprintf("1 %d:1 %d:2 %d:1 %d:1 %d:3 100:1 101:1 102:2 103:1 104:1", i+1, i+2, i+3, i+4, i+5)
	})
	for _, name := range []string{"agaricus.txt.test.gz", "rcv1_small_test.data.gz", "lda-2pass-hang.dat.gz"} {
		path := filepath.Join("..", "..", "..", "shared", "data", "sparse", name)
		if _, err := os.Stat(path); err == nil {
			files = append(files, path)
		}
	}
	return files
}
