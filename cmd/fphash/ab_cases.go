package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench"
	"simhashkit/bench/gobench/ab"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/terms"
	"simhashkit/internal/process"
)

// A run of a case has many short samples, as package ab explains: all of them take about as long as
// the process needs to make its inputs and to check the answers.
const (
	caseSamples    = 60
	caseSampleTime = "1ms"
)

// caseSide is a kernel or a hash, by the flags that choose it.
type caseSide struct {
	label   string
	options bench.Options
}

// varied returns the key of names in which the sides differ, and the sides.
func (f *abFlags) varied() (key string, sides [2]caseSide, err error) {
	kernels, hashes := f.cases.Kernels, f.cases.Hashes
	key, values := "kernel", kernels
	if len(hashes) == 2 || len(kernels) == 0 {
		key, values = "hash", hashes
	}
	switch {
	case len(kernels) == 2 && len(hashes) == 2:
		return "", sides, errors.New("--kernel and --hash have two values each; expected two of one, which are compared, and one of the other at most")
	case len(kernels) > 2 || len(hashes) > 2:
		return "", sides, errors.New("--kernel or --hash has more than two values; expected two, which are compared")
	case f.options.Control && len(values) == 1:
		values = []string{values[0], values[0]}
	case f.options.Control:
		return "", sides, fmt.Errorf("--control runs one side against itself; expected one --%s", key)
	case len(values) != 2:
		return "", sides, fmt.Errorf("expected two values of --kernel or of --hash to compare, or --control with one")
	case values[0] == values[1]:
		return "", sides, fmt.Errorf("--%s %s,%s: both are the same; --control with one is for that", key, values[0], values[1])
	}
	for i, value := range values {
		o := f.cases
		if key == "kernel" {
			o.Kernels = []string{value}
		} else {
			o.Hashes = []string{value}
		}
		sides[i] = caseSide{key + "=" + value, o}
	}
	if f.options.Control {
		sides[0].label, sides[1].label = "control", "again"
	}
	return key, sides, nil
}

// caseSides are two kernels or two hashes on the cases of fphash bench, each run of a case in a
// process of its own: this program again.
func (f *abFlags) caseSides(ctx context.Context) (*abSides, error) {
	key, sides, err := f.varied()
	if err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var names [2]map[string]string // of the cases, by the name without the key
	var order []string
	for i, side := range sides {
		if names[i], err = f.caseNames(side, key, &order); err != nil {
			return nil, err
		}
	}
	folder, err := os.MkdirTemp("", "fphash-ab-")
	if err != nil {
		return nil, err
	}
	s := &abSides{old: sides[0].label, new: sides[1].label, ignore: "/" + key, close: func() error { return os.RemoveAll(folder) }}
	for _, common := range order {
		if names[0][common] == "" || names[1][common] == "" {
			continue // not comparable: only one of them has a kernel for that, say
		}
		runner := func(i int) ab.Runner {
			args := f.caseArgs(names[i][common], sides[i], filepath.Join(folder, "samples.txt"))
			return func(ctx context.Context) ([]byte, error) { return runCase(ctx, program, args) }
		}
		s.tasks = append(s.tasks, ab.Task{Name: common, Old: runner(0), New: runner(1)})
	}
	if len(s.tasks) == 0 {
		return nil, errors.Join(fmt.Errorf("no case is left that %s and %s both have", s.old, s.new), s.close())
	}
	return s, nil
}

// caseNames lists the cases of a side and adds the names without the key to order. Without --data
// those on a data set are left out: to load it takes longer than to measure. So is the naive
// kernel, unless it is asked for.
func (f *abFlags) caseNames(side caseSide, key string, order *[]string) (map[string]string, error) {
	o := side.options
	o.Data = bench.DataName(bench.DefaultData)
	if f.data != "" {
		o.Data = bench.DataName(f.data)
	}
	if f.match != "" {
		match, err := regexp.Compile(f.match)
		if err != nil {
			return nil, fmt.Errorf("--run: %w", err)
		}
		o.Match = match
	}
	cases, err := bench.Grid(o)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, c := range cases {
		if c.Name.Get(key) == "" || (c.Name.Get("data") != "") != (f.data != "") {
			continue
		}
		// a run of the naive loop takes a hundred times as long as others, and few ask about it
		if kernel := c.Name.Get("kernel"); kernel == terms.Naive && !slices.Contains(o.Kernels, kernel) {
			continue
		}
		common := benchname.Name{Base: c.Name.Base, Keys: slices.DeleteFunc(slices.Clone(c.Name.Keys), func(k benchname.Key) bool { return k.Key == key })}.String()
		names[common] = c.Name.String()
		if !slices.Contains(*order, common) {
			*order = append(*order, common)
		}
	}
	return names, nil
}

// caseArgs is the command line that measures a case and writes its samples into a file.
func (f *abFlags) caseArgs(name string, side caseSide, out string) []string {
	o := side.options
	args := []string{"bench", "--suite", o.Suite, "--run", "^" + regexp.QuoteMeta(name) + "$", "--samples", strconv.Itoa(caseSamples), "--time", caseSampleTime, "--out", out}
	for _, list := range []struct {
		flag   string
		values []string
	}{{"--kernel", o.Kernels}, {"--hash", o.Hashes}, {"--weights", o.Weights}, {"--nnz", texts(o.NNZ)}, {"--bits", texts(o.Bits)}} {
		if len(list.values) > 0 {
			args = append(args, list.flag, strings.Join(list.values, ","))
		}
	}
	if f.data != "" {
		args = append(args, "--data", f.data, "--base", strconv.FormatUint(f.dataBase, 10))
	}
	return args
}

func texts(numbers []int) []string {
	list := make([]string, len(numbers))
	for i, n := range numbers {
		list[i] = strconv.Itoa(n)
	}
	return list
}

// runCase runs this program and returns the file that it writes, which is the last of args but for
// data's.
func runCase(ctx context.Context, program string, args []string) ([]byte, error) {
	out := args[slices.Index(args, "--out")+1]
	if err := os.Remove(out); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	_, err := process.Run(ctx, exec.Command(program, args...))
	text, readErr := os.ReadFile(out)
	if err != nil { // it may have written what was wrong nevertheless
		return text, err
	}
	return text, readErr
}
