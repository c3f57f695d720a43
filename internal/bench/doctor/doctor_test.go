package doctor

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/quality"
	"simhashkit/datasets"
	"simhashkit/internal/bench/terms"
)

// A command gets exactly the same results as the same hash as a function, including codes of
// several words and the user's vectors.
func TestCommandAgreesWithFunction(t *testing.T) {
	set, _, err := datasets.Generate[float32](t.Context(), datasets.GenerateOptions{
		Seed: 1, Vectors: 300, NNZ: 30, Dimensions: 5000, Weights: "counts",
		Duplicates: []datasets.PlantedPairs{{Cosine: 0.95, Pairs: 60}, {Cosine: 0.7, Pairs: 30}},
	})
	if err != nil {
		t.Fatal(err)
	}
	data, err := quality.FromVectors(t.Context(), &set, quality.WorkloadOptions{Seed: 3, Keyings: 12})
	if err != nil {
		t.Fatal(err)
	}
	for _, bits := range []int{64, 40, 128} {
		o := Options{Patterns: []string{terms.Dense1e3}, Weights: []string{terms.Unit, terms.Signed}, Keyings: 12, Seed: 3}
		if bits == 64 {
			o.Patterns, o.Data = append(o.Patterns, terms.Pow2), []*quality.Workload{data}
		}
		mask := ^uint64(0) >> (-uint(bits) % 64)
		function := func(dst, keys []uint64) error {
			for i, k := range keys {
				dst[i] = mix(k) & mask
				if bits == 128 {
					dst[len(keys)+i] = mix(mix(k))
				}
			}
			return nil
		}
		want, err := Examine(context.Background(), quality.OfFunc("own", bits, function), o)
		if err != nil {
			t.Fatal(err)
		}
		c := acting(t, map[int]string{64: "mix", 40: "mix40", 128: "mix128"}[bits])
		c.Bits = bits
		got, err := c.Examine(context.Background(), "own", o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d bits (-function +command):\n%s", bits, diff)
		}
		if n := 2*len(o.Patterns) + len(o.Data); len(got.Results) != n {
			t.Errorf("%d bits: %d results, want %d", bits, len(got.Results), n)
		}
	}
}

// A command reads listed keys as lines, and gets the same results as a function of these strings.
func TestListedKeys(t *testing.T) {
	var keys []string
	for i := range 2000 {
		keys = append(keys, fmt.Sprintf("word %d", i*i))
	}
	o := Options{Keys: keys, Weights: []string{terms.Unit, terms.Signed}, Keyings: 12}
	function := func(dst, numbers []uint64) error {
		for i, n := range numbers {
			dst[i] = lineCode(keys[n])
		}
		return nil
	}
	want, err := Examine(t.Context(), quality.OfFunc("own", 64, function), o)
	if err != nil {
		t.Fatal(err)
	}
	got, err := acting(t, "lines").Examine(t.Context(), "own", o)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-function +command):\n%s", diff)
	}
	if len(got.Results) != 2 || !strings.HasSuffix(got.Words, " on the listed keys, unit weights") {
		t.Errorf("%d results: %s", len(got.Results), got.Words)
	}
	for _, tc := range []struct {
		o    Options
		want string
	}{
		{Options{Keys: keys[:999]}, "999 keys: expected at least 1000"},
		{Options{Keys: append([]string{"a\nb"}, keys...)}, `key "a\nb" has a line feed`},
		{Options{Keys: keys, Patterns: []string{terms.Pow2}}, "listed keys cannot be combined with patterns or data"},
	} {
		if _, err := acting(t, "lines").Examine(t.Context(), "own", tc.o); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("error %v, want %s", err, tc.want)
		}
	}
	_, err = acting(t, "restless").Examine(t.Context(), "own", Options{Keys: keys})
	if err == nil {
		t.Error("no error for a command that reads indices")
	}
}

func TestCommandWithTwoCodesForAKey(t *testing.T) {
	for _, role := range []string{"counting", "restless", "drifting:" + filepath.Join(t.TempDir(), "runs")} {
		_, err := acting(t, role).Examine(context.Background(), "own", Options{Patterns: []string{terms.Pow2}})
		if err == nil || !strings.Contains(err.Error(), "gave two different codes for the same key: key ") {
			t.Errorf("%s: error %v", role, err)
		}
	}
}

// The time of all keys is forecast after the first run, which has few keys.
func TestForecast(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var forecast Progress
	o := Options{Patterns: []string{terms.Uniform64}, Progress: func(p Progress) {
		if p.Step == "asking" && p.Done > 0 {
			forecast = p
			cancel()
		}
	}}
	_, err := acting(t, "slow:100").Examine(ctx, "own", o)
	if least := 100 * time.Microsecond * time.Duration(forecast.All-forecast.Done); !errors.Is(err, context.Canceled) || forecast.Done != sampleKeys || forecast.Forecast < least {
		t.Errorf("%+v, want a forecast of %v or more (%v)", forecast, least, err)
	}
}

func TestExamineStops(t *testing.T) {
	cause := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	if _, err := Examine(ctx, quality.OfFunc("f", 64, func(dst, keys []uint64) error { return nil }), Options{}); !errors.Is(err, cause) {
		t.Errorf("error %v", err)
	}
	ctx, cancel = context.WithCancelCause(context.Background())
	o := Options{Patterns: []string{terms.Pow2}, Progress: func(p Progress) {
		if p.Step == "asking" {
			cancel(cause)
		}
	}}
	if _, err := acting(t, "mix").Examine(ctx, "own", o); !errors.Is(err, cause) {
		t.Errorf("error %v", err)
	}
}

// A step is never done by more than all of it.
func TestProgress(t *testing.T) {
	steps := map[string]int{}
	o := Options{Patterns: []string{terms.Dense1e3, terms.Pow2}, Weights: []string{terms.Unit, terms.Signed}, Keyings: 1, Progress: func(p Progress) {
		if p.Done > p.All || p.All == 0 {
			t.Errorf("%s: %d of %d", p.Step, p.Done, p.All)
		}
		steps[p.Step] = p.Done
	}}
	if _, err := acting(t, "mix").Examine(t.Context(), "own", o); err != nil || steps["measuring pow2"] != 3 {
		t.Errorf("%v (%v)", steps, err)
	}
}

func TestExamineRefuses(t *testing.T) {
	hash := quality.OfFunc("f", 64, func(dst, keys []uint64) error { return nil })
	for _, o := range []Options{
		{Patterns: []string{"fancy"}}, {Patterns: []string{terms.Pow2, terms.Pow2}}, {Weights: []string{"heavy"}}, {Keyings: -1},
	} {
		if _, err := Examine(context.Background(), hash, o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

// The verdict is weak if one result is weak, and good only if all are good. The worst result is the
// reason.
func TestConclude(t *testing.T) {
	result := func(pattern string, bits float64, j terms.Judgement) *quality.Result {
		band := quality.Band{Pairs: 400, Defined: true, Effective: quality.Interval{Value: bits, Low: bits - 2, High: bits + 2}}
		return &quality.Result{Hash: "own", Pattern: pattern, Weights: "unit", Bits: 64, Keyings: 100, All: band, Cos90: band, Bit: quality.BitQuality{Tested: true}, Verdict: j}
	}
	good, better := result("dense1e3", 60, terms.Good), result("pow2", 63, terms.Good)
	weak, dead := result("consecutive", 9, terms.Weak), result("strided", 63, terms.Weak)
	dead.Bit.Constant = []int{3}
	open, few := result("bitrev", 57, terms.Undecided), result("uniform64", 63, terms.Undecided)
	few.Keyings = 20
	const weakest = "9.0 of 64 bits (9.0 at cosine 0.9 and above) on little-endian keys of runs of consecutive indices, unit weights"
	for _, tc := range []struct {
		results []*quality.Result
		want    terms.Judgement
		words   string
	}{
		{[]*quality.Result{better, good}, terms.Good, "good in 2 of 2 cases; the worst: 60.0 of 64 bits (60.0 at cosine 0.9 and above) on little-endian keys of dense indices, unit weights"},
		{[]*quality.Result{good, dead, weak}, terms.Weak, "weak in 2 of 3 cases; the worst: " + weakest},
		{[]*quality.Result{open, good, weak}, terms.Weak, "weak in 1 of 3 cases; the worst: " + weakest + "; undecided in 1"},
		{[]*quality.Result{dead}, terms.Weak, "weak: 63.0 of 64 bits (63.0 at cosine 0.9 and above), 1 constant bit on little-endian keys of runs of indices 1,024 apart, unit weights"},
		{[]*quality.Result{open}, terms.Undecided,
			"undecided: 55.0 to 59.0 of 64 bits, 55.0 to 59.0 of 64 bits at cosine 0.9 and above (good: at least 57.6) on little-endian keys of runs of bit-reversed indices, unit weights"},
		{[]*quality.Result{few}, terms.Undecided, "undecided: 20 keyings (a verdict needs 100) on little-endian keys of indices spread over 2^64, unit weights"},
	} {
		e := Examination{Results: tc.results}
		e.conclude()
		if e.Judgement != tc.want || e.Words != tc.words {
			t.Errorf("%s: %q\nwant %s: %q", e.Judgement, e.Words, tc.want, tc.words)
		}
	}
}

// roleVariable is the environment variable that makes the test binary behave as a command.
const roleVariable = "DOCTOR_TEST_ROLE"

func TestMain(m *testing.M) {
	if r := os.Getenv(roleVariable); r != "" {
		play(r)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func play(role string) {
	role, argument, _ := strings.Cut(role, ":")
	n, _ := strconv.Atoi(argument)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	put := func(words ...uint64) {
		for _, w := range words {
			out.Write(binary.LittleEndian.AppendUint64(nil, w))
		}
	}
	if role == "early" { // writes more than a pipe holds before it reads
		os.Stdout.Write(make([]byte, 8*n))
		io.Copy(io.Discard, os.Stdin)
		return
	}
	if role == "deaf" {
		os.Stdout.Write(make([]byte, 8*n))
		return
	}
	if role == "endless" {
		for {
			if _, err := os.Stdout.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	}
	text, _ := io.ReadAll(os.Stdin)
	var codes []byte
	for i := 0; i+8 <= len(text); i += 8 {
		codes = binary.LittleEndian.AppendUint64(codes, mix(binary.LittleEndian.Uint64(text[i:])))
	}
	switch role {
	case "mix":
		os.Stdout.Write(codes)
	case "lines":
		for line := range bytes.Lines(text) {
			put(lineCode(string(bytes.TrimSuffix(line, []byte("\n")))))
		}
	case "mix40":
		for i := 5; i < len(codes); i += 8 {
			clear(codes[i : i+3])
		}
		os.Stdout.Write(codes)
	case "mix128":
		for i := 0; i < len(codes); i += 8 {
			code := binary.LittleEndian.Uint64(codes[i:])
			put(code, mix(code))
		}
	case "die":
		os.Stdout.Write(codes[:min(len(codes), 16)])
		fmt.Fprint(os.Stderr, strings.Repeat("noise\n", 1000), "cannot go on\x1b\n")
		os.Exit(3)
	case "short":
		os.Stdout.Write(codes[:len(codes)-n])
	case "half": // 4 bytes per key
		os.Stdout.Write(codes[:len(codes)/2])
	case "long":
		os.Stdout.Write(codes)
		put(1)
	case "print": // prints the last n digits of codes as text
		for i := 0; i < len(codes); i += 8 {
			digits := strconv.FormatUint(binary.LittleEndian.Uint64(codes[i:]), 10)
			fmt.Fprintln(out, digits[len(digits)-n:])
		}
	case "greeting":
		fmt.Print("Hello!\n")
		os.Stdout.Write(codes)
	case "hang": // creates the file, if one is named, and hangs
		os.Stdout.Write(codes[:min(len(codes), 8)])
		if argument != "" {
			os.WriteFile(argument, nil, 0o600)
		}
		time.Sleep(time.Hour) // the runtime would report select {} as a deadlock
	case "counting": // the code depends on the position of the key
		for i := range len(codes) / 8 {
			put(uint64(i))
		}
	case "restless": // codes differ in every run
		for i := range len(codes) / 8 {
			put(binary.LittleEndian.Uint64(codes[8*i:]) ^ uint64(os.Getpid()))
		}
	case "drifting": // codes change after some runs, which are counted in a file
		file, err := os.OpenFile(argument, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			os.Exit(6)
		}
		file.Write([]byte{1})
		file.Close()
		if runs, err := os.Stat(argument); err == nil && runs.Size() > 3 {
			for i := range codes {
				codes[i] ^= 1
			}
		}
		os.Stdout.Write(codes)
	case "slow":
		time.Sleep(time.Duration(n) * time.Microsecond * time.Duration(len(codes)/8))
		os.Stdout.Write(codes)
	}
}

// lineCode returns the code of a line.
func lineCode(line string) uint64 { return mix(uint64(crc32.ChecksumIEEE([]byte(line)))) }

func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

func TestBitRanges(t *testing.T) {
	for _, c := range []struct {
		bits []int
		want string
	}{
		{nil, ""},
		{[]int{7}, "7"},
		{[]int{7, 8}, "7, 8"},
		{[]int{7, 8, 9}, "7–9"},
		{[]int{0, 2, 4, 5, 6, 9, 10, 11, 12, 63}, "0, 2, 4–6, 9–12, 63"},
		{[]int{1, 3, 5, 7, 9, 11}, "1, 3, 5, 7, 9, 11"},
		{[]int{1, 3, 5, 7, 9, 11, 13}, "1, 3, 5, 7, 9, 11 ..."},
	} {
		if got := bitRanges(c.bits); got != c.want {
			t.Errorf("%v: %q, want %q", c.bits, got, c.want)
		}
	}
}
