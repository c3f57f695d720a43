// Command cycles computes how many cycles the kernels for arm64 take, where there is no such
// processor to measure them on: it follows a call under an emulator, instruction by instruction,
// and gives what was executed to llvm-mca, which has models of processors.
//
//	go -C results run ./measure/cycles -o arm64/cycles.txt
//
// It needs qemu-aarch64 (qemu-user of Debian) and LLVM 19 (llvm-19); -llvm names another version.
//
// It takes sums and scans, or with -hashes the hashes:
//
//	go -C results run ./measure/cycles -hashes -o arm64/hashes.txt
//
// Of kernels for unit weights alone, and of a library beside them that counts ones by position:
//
//	go -C results run ./measure/cycles -o FILE -library NAME=PROGRAM -functions REGEXP
//
// The program is one for arm64, built elsewhere, that counts the ones of N random numbers when it
// is called as command probe is; the expression says which symbols of it to follow.
//
// The models know no caches and no mispredicted branches, take all loads for hits, and let no load
// wait for a store. A figure of n=loop is the difference of two calls, so that what is done once in
// a call has no part in it; one of nnz=100 is a whole call.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"simhashkit/bench"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/wholefile"
	"simhashkit/results/measure/evidence"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stderr)
	stop()
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintln(os.Stderr, "cycles:", err)
	os.Exit(2)
}

func run(ctx context.Context, args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("cycles", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("o", "", "the `file` of results")
	llvm := flags.String("llvm", "19", "the `version` of LLVM, as the names of its programs end")
	hashes := flags.Bool("hashes", false, "take hashes, in place of sums and scans")
	beside := flags.String("library", "", "take unit weights alone, and a library's program beside them: `NAME=PROGRAM`")
	functions := flags.String("functions", "", "a regular `expression` for the symbols to follow in the library's program")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *out == "" || flags.NArg() > 0 {
		return errors.New("expected -o FILE and no other arguments than flags")
	}
	name, path, named := strings.Cut(*beside, "=")
	if *beside != "" && (!named || *functions == "") {
		return errors.New("expected -library NAME=PROGRAM together with -functions")
	}
	if err := os.MkdirAll(filepath.Dir(*out), 0o777); err != nil {
		return err
	}
	begin := time.Now()
	dir, err := os.MkdirTemp("", "cycles")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p, err := build(ctx, dir, *llvm)
	if err != nil {
		return err
	}
	if *hashes {
		p.cases = ofHashes()
	}
	programs := []*program{p}
	if *beside != "" {
		other, err := library{name, path, *functions}.open(ctx, dir, *llvm)
		if err != nil {
			return err
		}
		p.cases = slices.DeleteFunc(p.cases, func(c one) bool { return c.op != "unit" })
		programs = append(programs, other)
	}
	var rows []resultfile.Row
	for _, p := range programs {
		for _, c := range p.cases {
			fmt.Fprintf(stderr, "%v: %s %s\n", time.Since(begin).Round(time.Second), c.op, c.kernel)
			more, err := p.rows(ctx, c, "llvm-mca-"+*llvm)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", c.op, c.kernel, err)
			}
			rows = append(rows, more...)
		}
	}
	file := resultfile.File{
		Head: []resultfile.Field{
			bench.Date(begin),
			{Name: "command", Value: "go -C results run ./measure/cycles " + strings.Join(args, " ")},
			{Name: "go", Value: goVersion(ctx)},
			{Name: "llvm-mca", Value: llvmVersion(ctx, *llvm)},
		},
		Config: []resultfile.Field{{Name: "goos", Value: "linux"}, {Name: "goarch", Value: "arm64"}, {Name: "pkg", Value: "simhashkit/asm"}},
		Rows:   rows,
		Units:  []resultfile.Unit{{Name: evidence.CyclesPerFeature, Better: -1}, {Name: evidence.CyclesPerFingerprint, Better: -1}, {Name: evidence.CyclesPerKey, Better: -1}},
	}
	return wholefile.Write(*out, func(w io.Writer) error { return resultfile.Write(w, file) })
}

// processors are the models of llvm-mca that figures are computed for. That of apple-m1 is the one
// of an older processor of the same maker, with two thirds of its width.
var processors = []string{"cortex-a72", "neoverse-n1", "neoverse-v1", "neoverse-v2", "apple-m1"}

// one is a kernel of an op, and how much is taken at a time.
type one struct {
	op, kernel  string
	short, long int // of the calls whose difference is the loop; both take whole blocks
	vector      int // features of a whole call, 0 for scans
	unit        string
}

// rows computes the figures of one kernel.
func (p *program) rows(ctx context.Context, c one, mca string) ([]resultfile.Row, error) {
	var rows []resultfile.Row
	call := func(n int) (cycles map[string]float64, err error) {
		executed, err := p.follow(ctx, c, n)
		if err != nil {
			return nil, err
		}
		return simulateAll(ctx, mca, executed)
	}
	short, err := call(c.short)
	if err != nil {
		return nil, err
	}
	long, err := call(c.long)
	if err != nil {
		return nil, err
	}
	add := func(processor, key, value string, figure float64) {
		name := benchname.New(evidence.Cycles, "op", c.op, "kernel", c.kernel, "processor", processor, key, value)
		rows = append(rows, resultfile.Row{Name: name.String(), Unit: c.unit, Samples: []resultfile.Sample{{Iterations: 1, Value: figure}}})
	}
	for _, processor := range processors {
		add(processor, "n", "loop", (long[processor]-short[processor])/float64(c.long-c.short))
	}
	if c.vector == 0 {
		return rows, nil
	}
	whole, err := call(c.vector)
	if err != nil {
		return nil, err
	}
	for _, processor := range processors {
		add(processor, "nnz", strconv.Itoa(c.vector), whole[processor]/float64(c.vector))
	}
	return rows, nil
}
