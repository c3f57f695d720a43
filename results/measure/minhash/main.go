// Command minhash measures the time of MinHash with 128 functions, for sets of 5 to 10,000
// features, in simhashkit and in Python libraries:
//
//	go -C results run ./measure/minhash -python venv/bin/python -o CPU/DATE/minhash-lengths.txt
//
// The Python environment needs rensa, FastSketchLSH and numpy. Features are random strings of 13
// bytes, which all programs hash, or random 64-bit numbers. The libraries use numbers as hashes.
// simhashkit is measured with and without hashing numbers: package fphash and package asm/minhash.
// The programs take turns on one core, and the result is the CPU time.
package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"simhashkit/asm/cpu"
	"simhashkit/asm/minhash"
	"simhashkit/bench"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/gobench/benchname"
	"simhashkit/internal/wholefile"
)

//go:embed peers.py
var script string

var sizes = []int{5, 10, 20, 40, 80, 160, 320, 640, 1000, 5000, 10000}

const features = 20000 // of all sets of a size together

func main() {
	if err := run(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "minhash:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("minhash", flag.ContinueOnError)
	out := flags.String("o", "", "the `file` of results")
	python := flags.String("python", "", "the Python `program` with the libraries")
	rounds := flags.Int("rounds", 15, "number of `rounds`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *out == "" || *python == "" || flags.NArg() > 0 || *rounds < 1 {
		return errors.New("expected -o FILE, -python PROGRAM, -rounds of 1 or more, and no other arguments than flags")
	}
	runtime.GOMAXPROCS(1)
	head := bench.Head(time.Now(), fmt.Sprintf("go -C results run ./measure/minhash -rounds %d", *rounds), nil)
	var versions string
	rows := map[string]*resultfile.Row{}
	var names []string
	add := func(name benchname.Name, ns float64) {
		key := name.String()
		if rows[key] == nil {
			rows[key] = &resultfile.Row{Name: key, Unit: terms.NanosecondsPerFeature}
			names = append(names, key)
		}
		rows[key].Samples = append(rows[key].Samples, resultfile.Sample{Iterations: 1, Value: ns})
	}
	for range *rounds {
		if err := errors.Join(ours(add, "numbers", func(r *rand.Rand) uint64 { return r.Uint64() }),
			ours(add, "strings", func(r *rand.Rand) string { return fmt.Sprintf("%06x %06x", r.Uint32N(1<<24), r.Uint32N(1<<24)) })); err != nil {
			return err
		}
		var err error
		if versions, err = libraries(add, *python); err != nil {
			return err
		}
	}
	var list []resultfile.Row
	for _, name := range names {
		list = append(list, *rows[name])
	}
	file := bench.File(append(head, resultfile.Field{Name: "python", Value: versions}), list)
	return wholefile.Write(*out, func(w io.Writer) error { return resultfile.Write(w, file) })
}

func nameOf(program, call, kind string, size int, more ...string) benchname.Name {
	return benchname.New("MinHash", append([]string{"program", program, "call", call, "features", kind, "nnz", strconv.Itoa(size), "f", "128"}, more...)...)
}

// ours measures the sets of each size with each kernel.
func ours[F fphash.Feature](add func(benchname.Name, float64), kind string, draw func(*rand.Rand) F) error {
	defer cpu.SetTier(cpu.Active()) // restore the kernel
	shared, err := fphash.New(fphash.Definition{Bits: 128, Kind: fphash.MinHash}, fphash.WithWorkers(1))
	if err != nil {
		return err
	}
	sketcher, r := shared.Local(), rand.New(rand.NewPCG(1, 2))
	list := make([]F, features)
	for i := range list {
		list[i] = draw(r)
	}
	numbers, _ := any(list).([]uint64)
	for _, size := range sizes {
		var offsets []int
		for at := 0; at <= len(list); at += size {
			offsets = append(offsets, at)
		}
		list := list[:offsets[len(offsets)-1]]
		for _, k := range minhash.Kernels() {
			if !k.Available() {
				continue
			}
			if _, err := cpu.SetTier(k); err != nil {
				return err
			}
			var dst []uint64
			var status []fphash.Status
			add(nameOf("simhashkit", "AppendBatchUnit", kind, size, "kernel", k.String()), perFeature(len(list), func() {
				dst, status, _ = fphash.AppendBatchUnit(sketcher, dst[:0], status[:0], offsets, list)
			}))
			if numbers == nil {
				continue
			}
			var minima [2][64]uint32
			keys, scratch := make([]uint64, 1024), new(minhash.Scratch)
			add(nameOf("simhashkit", "Sketch", "hashes", size, "kernel", k.String()), perFeature(len(list), func() {
				dst = dst[:0]
				for at := 0; at+size <= len(list); at += size {
					add := minhash.Sketch
					for part := range slices.Chunk(numbers[at:at+size], len(keys)) {
						minhash.Keys(keys[:len(part)], part)
						add(minima[:], keys[:len(part)], scratch)
						add = minhash.Add
					}
					dst = append(dst, minhash.Bits(&minima[0]), minhash.Bits(&minima[1]))
				}
			}))
		}
	}
	return nil
}

// perFeature returns the CPU time of the call in nanoseconds, divided by the number of features. It
// repeats the call for a fiftieth of a second.
func perFeature(features int, call func()) float64 {
	for times, begin := 1, used(); ; times++ {
		call()
		if taken := used() - begin; taken >= time.Second/50 {
			return float64(taken.Nanoseconds()) / float64(times*features)
		}
	}
}

// used returns the CPU time of this process so far.
func used() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // it can fail only if the arguments are wrong
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// libraries measures the calls of the script, and returns the versions that it prints first.
func libraries(add func(benchname.Name, float64), python string) (versions string, err error) {
	command := exec.Command(python, append([]string{"-c", script, strconv.Itoa(features)}, strings.Fields(strings.Trim(fmt.Sprint(sizes), "[]"))...)...)
	command.Env, command.Stderr = append(os.Environ(), "RAYON_NUM_THREADS=1", "OMP_NUM_THREADS=1"), os.Stderr
	output, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("the libraries: %w", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(output))
	lines.Scan()
	versions = lines.Text()
	for lines.Scan() {
		var program, call, kind string
		var size int
		var ns float64
		if _, err := fmt.Sscan(lines.Text(), &program, &call, &kind, &size, &ns); err != nil {
			return "", fmt.Errorf("the line %q of the libraries: %w", lines.Text(), err)
		}
		add(nameOf(program, call, kind, size), ns)
	}
	return versions, nil
}
