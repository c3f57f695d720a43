package bench

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/hamming"
)

// extraWorkVariable names the environment variable that makes every benchmark slower, by as many
// percent of its own operations, which do not count: with FPHASH_EXTRA_WORK=6, 106 operations are
// made and timed where 100 are counted. That is how results/measure/rates finds out what
// slowdowns are found.
const extraWorkVariable = "FPHASH_EXTRA_WORK"

// mostExtraWork is how much finds room in the third of an operation that parts takes.
const mostExtraWork = 30

// With FPHASH_EXTRA_WORK=6/20 the extra work of 20 samples is all made in the last of them: most
// are as fast as ever, and one in 20 takes more than twice as long.

// extraWork says how many operations are to be made that do not count.
type extraWork struct {
	percent int
	every   int // samples that the work of so many is made in one of; 0: each has its own
	due     int // hundredths of an operation
	waiting int // samples without
	// operations of any call so far: calls with fewer are no samples, but what package testing
	// makes before them
	most int
}

func newExtraWork(text string) (*extraWork, error) {
	if text == "" {
		return &extraWork{}, nil
	}
	percent, every, bursts := strings.Cut(text, "/")
	n, err := strconv.Atoi(percent)
	if err != nil || n < 0 || n > mostExtraWork {
		return nil, fmt.Errorf("%s=%s: expected a whole number of percent, 0 to %d", extraWorkVariable, text, mostExtraWork)
	}
	e := &extraWork{percent: n}
	if bursts {
		if e.every, err = strconv.Atoi(every); err != nil || e.every < 1 {
			return nil, fmt.Errorf("%s=%s: expected a whole number of samples behind the stroke, at least 1", extraWorkVariable, text)
		}
	}
	return e, nil
}

// of returns how many go with n operations. What is less than one of them is left to a later call,
// so that nothing is lost however few there are.
func (e *extraWork) of(n int) int {
	e.due += n * e.percent
	if e.every > 0 {
		e.most = max(e.most, n)
		if n < e.most {
			return 0
		}
		if e.waiting++; e.waiting < e.every {
			return 0
		}
		e.waiting = 0
	}
	now := e.due / 100
	e.due %= 100
	return now
}

// divisible is from how many fingerprints on a scan is an operation long enough that a sample may
// be a single one. Its extra work is then part of an operation.
const divisible = 1_000_000

// loop returns the loop of the trial with extra work.
func (e *extraWork) loop(c Case, t *trial, in *Inputs) (func(n int), error) {
	if n, err := strconv.Atoi(c.Name.Get("n")); e.percent == 0 || err != nil || n < divisible {
		return func(n int) { t.loop(n + e.of(n)) }, nil
	}
	parts, err := e.parts(c, in)
	if err != nil {
		return nil, err
	}
	next := 0
	return func(n int) {
		for range n {
			t.loop(1)
			parts[next].loop(1)
			next = (next + 1) % len(parts)
		}
	}, nil
}

// parts returns trials of the same kernel on parts of the same collection, each as large as the
// extra work of an operation. They lie in its middle third: what an operation has read last, or
// will read first, would be in a nearer cache than it should be.
func (e *extraWork) parts(c Case, in *Inputs) ([]*trial, error) {
	n, err := strconv.Atoi(c.Name.Get("n"))
	if err != nil {
		return nil, err
	}
	all, err := collectionOf(in, n)
	if err != nil {
		return nil, err
	}
	size := n * e.percent / 100
	p := part{kind: c.Name.Base, layout: c.Name.Get("layout"), sizes: []int{size}}
	p.queries, _ = strconv.Atoi(c.Name.Get("queries")) // none: one
	g := grid{most: cpu.Active(), seen: map[string]bool{}}
	if kernel := c.Name.Get("kernel"); kernel != "" {
		g.Kernels = []string{kernel}
	}
	if g.add(p); len(g.cases) != 1 {
		return nil, fmt.Errorf("%s: extra work is of %d cases, expected one", c.Name, len(g.cases))
	}
	var split *hamming.Split
	if p.layout == "split" {
		if _, err := splitScanTrial(in, all); err != nil { // which keeps what it makes
			return nil, err
		}
		split = in.memory["split "+strconv.Itoa(n)].(*hamming.Split)
	}
	var parts []*trial
	for from := n / 3; from+size <= n-n/3; from += size {
		to := from + size
		// parts of the same memory: copies would take the caches from the operation itself
		of := NewInputs(nil)
		of.memory["collection "+strconv.Itoa(size)] = &collection{fingerprints: all.fingerprints[from:to], query: all.query}
		if split != nil {
			of.memory["split "+strconv.Itoa(size)] = &hamming.Split{First: split.First[from:to], Second: split.Second[from:to], High: split.High[from:to]}
		}
		t, err := g.cases[0].prepare(of)
		if err != nil {
			return nil, err
		}
		parts = append(parts, t)
	}
	return parts, nil
}

func TestExtraWork(t *testing.T) {
	for _, n := range []int{1, 2, 17, 100, 12345, 20_000_000} {
		e, err := newExtraWork("6")
		if err != nil {
			t.Fatal(err)
		}
		total := 0
		for range 100 {
			total += e.of(n)
		}
		if want := 6 * n; total != want {
			t.Errorf("%d extra operations for 100 times %d, want %d", total, n, want)
		}
	}
	for _, text := range []string{"", "0", "00"} {
		if e, err := newExtraWork(text); err != nil || e.of(1000) != 0 {
			t.Errorf("%q: %v", text, err)
		}
	}
	bursts, err := newExtraWork("06/4")
	if err != nil {
		t.Fatal(err)
	}
	var made []int
	for range 8 {
		bursts.of(1) // no sample
		made = append(made, bursts.of(50))
	}
	// the first call of all is a sample for what anyone can know
	if want := []int{0, 0, 9, 0, 0, 0, 12, 0}; !slices.Equal(made, want) {
		t.Errorf("in bursts: %v, want %v", made, want)
	}
	for _, text := range []string{"6%", "-1", "31", "six", "6/", "6/0", "/6", "6/x"} {
		if _, err := newExtraWork(text); err == nil {
			t.Errorf("%q, and no error", text)
		}
	}
}

// Every scan can be divided, and the parts are of the collection itself.
func TestExtraWorkOfScans(t *testing.T) {
	e := &extraWork{percent: 6}
	in := NewInputs(nil)
	cases, err := casesOf(Options{Suite: SuiteKernels})
	if err != nil {
		t.Fatal(err)
	}
	divided := 0
	for _, c := range cases {
		if c.Name.Get("n") != strconv.Itoa(divisible) {
			continue
		}
		parts, err := e.parts(c, in)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		queries, _ := strconv.Atoi(c.Name.Get("queries"))
		if want := 60_000 * bytesOfOne * max(1, queries); len(parts) != 5 || parts[4].per != want {
			t.Errorf("%s: %d parts, the last handles %d bytes, want %d", c.Name, len(parts), parts[4].per, want)
		}
		divided++
	}
	if divided < 4 {
		t.Errorf("%d cases have %d fingerprints", divided, divisible)
	}
}

// An operation that can be divided is made as often as asked for, with a part of it each time;
// others are made more often.
func TestLoopWithExtraWork(t *testing.T) {
	e := &extraWork{percent: 6}
	cases, err := casesOf(Options{Suite: SuiteKernels, Match: regexp.MustCompile("^MemoryRead/")})
	if err != nil {
		t.Fatal(err)
	}
	in := NewInputs(nil)
	for _, c := range cases {
		var calls []int
		loop, err := e.loop(c, &trial{loop: func(n int) { calls = append(calls, n) }}, in)
		if err != nil {
			t.Fatal(err)
		}
		loop(50)
		want := []int{53}
		if c.Name.Get("n") == strconv.Itoa(divisible) {
			want = slices.Repeat([]int{1}, 50)
		}
		if !slices.Equal(calls, want) {
			t.Errorf("%s: 50 operations were %v", c.Name, calls)
		}
	}
}
