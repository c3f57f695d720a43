package compare

import (
	"strings"
	"testing"
)

// Files in the variants that other tools and systems write compare like plain ones.
func TestFormsOfFiles(t *testing.T) {
	plain := "goos: linux\ncpu: X\n" + samplesOf("Größe/Δ=µ-8", 100, "ns/op", 6)
	for name, text := range map[string]string{
		"plain":              plain,
		"no newline at end":  strings.TrimSuffix(plain, "\n"),
		"carriage returns":   strings.ReplaceAll(plain, "\n", "\r\n"),
		"byte order mark":    "\xef\xbb\xbf" + plain,
		"tabs and columns":   strings.ReplaceAll(plain, " 100 ", "   \t     100\t       "),
		"go test -v":         "=== RUN   BenchmarkX\nBenchmarkX\n" + plain + "PASS\nok  \tx\t1.0s\n",
		"blank lines":        strings.ReplaceAll(plain, "\n", "\n\n"),
		"comments":           "# something else\n#\n" + plain,
		"log output between": strings.ReplaceAll(plain, "cpu: X\n", "cpu: X\n    bench_test.go:3: hello\n2026/01/01 00:00:00 Hello: x\n"),
	} {
		r := compareTexts(t, plain, text, Options{})
		if got := verdicts(r); len(got) != 1 || got[0] != "Größe/Δ=µ-8 sec/op: no change" || len(r.Gaps) != 0 {
			t.Errorf("%s: %q, gaps %q", name, got, gaps(r))
		}
	}
}

func TestDamagedFiles(t *testing.T) {
	good := samplesOf("A", 100, "ns/op", 6)
	for text, want := range map[string][]string{
		good + "BenchmarkA 100 x ns/op\n":      {"new.txt:7: syntax: parsing measurement: invalid syntax" + `: "BenchmarkA 100 x ns/op"`},
		good + "BenchmarkA 100 5\n":            {"new.txt:7: syntax: missing units" + `: "BenchmarkA 100 5"`},
		good + "BenchmarkA 1.5 5 ns/op\n":      {"new.txt:7: syntax: parsing iteration count: invalid syntax" + `: "BenchmarkA 1.5 5 ns/op"`},
		good + "BenchmarkA 100 NaN ns/op\n":    {"new.txt:7: syntax: BenchmarkA: NaN sec/op is not a finite number"},
		good + "BenchmarkA 100 +Inf ns/op\n":   {"new.txt:7: syntax: BenchmarkA: +Inf sec/op is not a finite number"},
		"Unit ns/op better=higher\n" + good:    {"new.txt:1: syntax: metadata better of unit ns/op already set to lower" + `: "Unit ns/op better=higher"`},
		"# error: A: 3 is not 4\n" + good:      {"new.txt:1: failed: A: 3 is not 4"},
		good + "--- FAIL: BenchmarkB\nFAIL\tx": {"new.txt:7: failed: --- FAIL: BenchmarkB", "new.txt:8: failed: FAIL\tx"},
		good + "panic: runtime error: oh\n":    {"new.txt:7: failed: panic: runtime error: oh"},
		good + "fatal error: out of memory\n":  {"new.txt:7: failed: fatal error: out of memory"},
		good + "FAIL\n":                        {"new.txt:7: failed: FAIL"},
		"": {
			"new.txt: empty: no benchmark results; expected lines like: BenchmarkName 1000 12.5 ns/op",
			"empty: only old has results, so there is nothing to compare them with"},
		`{"Action":"output"}`: {
			"new.txt: empty: no benchmark results, but JSON; expected the output of go test -bench without -json",
			"empty: only old has results, so there is nothing to compare them with"},
	} {
		r := compareTexts(t, "Unit ns/op better=lower\n"+good, text, Options{})
		expect(t, text, want, gaps(r))
	}
	r := compareTexts(t, good, good, Options{Col: "/kernel"})
	expect(t, "no such key", []string{"empty: no benchmark has /kernel, which defines the columns"}, gaps(r))
	r = compareTexts(t, good, good, Options{Filter: ".name:B"})
	expect(t, "nothing left", []string{"empty: no benchmark matches the filter .name:B"}, gaps(r))
}

func TestUnreadableFiles(t *testing.T) {
	if _, err := Compare([]Input{{"a", "a.txt", []byte("\xff\xfeB\x00")}}, Options{}); err == nil || !strings.Contains(err.Error(), "UTF-16") {
		t.Errorf("error %v", err)
	}
	if _, err := Compare([]Input{{"a", "a.txt", []byte("BenchmarkA" + strings.Repeat("x", 1<<17))}}, Options{}); err == nil || !strings.Contains(err.Error(), "a.txt") {
		t.Errorf("error %v", err)
	}
}

// A value of 0 ns/op belongs to the table of 1 ns/op. The throughput follows from the time.
func TestZeroKeepsItsUnit(t *testing.T) {
	zeros := strings.Repeat("BenchmarkA 1 0 ns/op 0 MB/s\n", 6)
	r := compareTexts(t, zeros, samplesOf("A", 1, "ns/op", 6), Options{Accept: []string{gapRuns}})
	expect(t, "verdicts", []string{"A sec/op: REGRESSION"}, verdicts(r))
	r = compareTexts(t, zeros, zeros, Options{Filter: ".unit:B/s"})
	expect(t, "verdicts", []string{"A B/s: no change"}, verdicts(r))
}

func FuzzCompare(f *testing.F) {
	head := "goos: linux\nUnit recall assume=exact better=higher\n"
	f.Add(head+samplesOf("A", 1, "ns/op", 6), head+samplesOf("A", 2, "ns/op", 6))
	f.Add(samplesOf("A", 1, "ns/op", 6)+"BenchmarkA 1 0 ns/op -1 B/op", "BenchmarkA 1 1e308 ns/op\r\n--- FAIL: x\nFAIL\tx\n# error: A: b\n# date: x\n")
	f.Add("Unit x assume=exact\nBenchmarkB-8 1 0 x 5e-324 y/s\n", "Unit x assume=exact\nBenchmarkB-4 1 -0 x 0 y/s\nPASS\nBenchmarkB-4 1 1 x\n")
	f.Add("\xef\xbb\xbfk: v\nBenchmarkΔ/ä=| 1 2 ns/op", "k: w\nBenchmarkΔ/ä=| 1 2 ns/op")
	f.Fuzz(func(t *testing.T, old, new string) {
		r, err := Compare([]Input{{"old", "old.txt", []byte(old)}, {"new", "new.txt", []byte(new)}}, Options{})
		if err != nil {
			return
		}
		for _, format := range Formats() {
			var out strings.Builder
			if err := Write(&out, r, format); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(out.String(), "NaN") && !strings.Contains(strings.ToLower(old+new), "nan") {
				t.Fatalf("%s has a NaN:\n%s", format, out.String())
			}
		}
	})
}
