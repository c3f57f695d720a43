// Command peers measures the time of 128 functions of MinHash in this kit and in Python libraries,
// on the same features:
//
//	go -C results run ./measure/minhash/peers -python venv/bin/python \
//	    -o CPU/DATE/minhash-peers.txt
//
// The Python environment needs rensa and datasketch. Features are the distinct pairs of
// neighbouring words of made-up documents. They are either strings, which all programs hash, or
// random numbers, which the kit hashes and the libraries use as hashes. The programs take turns on
// one core, and the result is the CPU time. The libraries keep at least 32 bits of each minimum,
// the kit one bit.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"simhashkit/asm/minhash"
	"simhashkit/bench"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/fphash"
	"simhashkit/internal/wholefile"
	"simhashkit/results/measure/evidence"
	"simhashkit/results/measure/madeup"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stderr)
	stop()
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintln(os.Stderr, "peers:", err)
	os.Exit(2)
}

func run(ctx context.Context, args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("o", "", "the `file` of results")
	program := flags.String("python", "", "the Python `program` with the libraries; without it, they are left out")
	rounds := flags.Int("rounds", 15, "number of `rounds`")
	documents := flags.Int("documents", 200, "number of `documents`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *out == "" || flags.NArg() > 0 || *rounds < 1 || *documents < 1 {
		return errors.New("expected -o FILE, -rounds and -documents of 1 or more, and no other arguments than flags")
	}
	begin := time.Now()
	sets := features(*documents)
	head := bench.Head(begin, fmt.Sprintf("go -C results run ./measure/minhash/peers -rounds %d -documents %d", *rounds, *documents), nil)
	runtime.GOMAXPROCS(1)
	ways := append(ours("strings", sets), ours("numbers", numbers(sets))...)
	if *program != "" {
		p, err := start(ctx, *program, sets)
		if err != nil {
			return err
		}
		defer p.end() // the result does not matter: the script was waiting for calls
		ways, head = append(ways, p.ways()...), append(head, resultfile.Field{Name: "python", Value: p.versions})
	}
	rows := make([]resultfile.Row, len(ways))
	for range *rounds {
		for i, w := range ways {
			ns, err := w.measure()
			if err = errors.Join(ctx.Err(), err); err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
			rows[i].Name, rows[i].Unit = w.name, terms.NanosecondsPerFeature
			rows[i].Samples = append(rows[i].Samples, resultfile.Sample{Iterations: 1, Value: ns})
		}
	}
	file := resultfile.File{Head: head, Config: bench.Config(), Rows: rows, Units: []resultfile.Unit{{Name: terms.NanosecondsPerFeature, Better: -1}}}
	return wholefile.Write(*out, func(w io.Writer) error { return resultfile.Write(w, file) })
}

// features returns the distinct pairs of neighbouring words of each document.
func features(documents int) (sets [][]string) {
	for i := range documents {
		words := strings.Fields(string(madeup.Append(nil, i)))
		seen := map[string]bool{}
		var set []string
		for j := 1; j < len(words); j++ {
			if pair := words[j-1] + " " + words[j]; !seen[pair] {
				seen[pair] = true
				set = append(set, pair)
			}
		}
		sets = append(sets, set)
	}
	return sets
}

// numbers returns a random number for each feature of each set.
func numbers(sets [][]string) (list [][]uint64) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, set := range sets {
		some := make([]uint64, len(set))
		for i := range some {
			some[i] = r.Uint64()
		}
		list = append(list, some)
	}
	return list
}

// way is a way to sketch all sets.
type way struct {
	name    string
	measure func() (ns float64, err error) // per feature
}

func nameOf(program, call, features, kernel string) string {
	return benchname.New(evidence.MinHash, "program", program, "call", call, "features", features, "kernel", kernel, "f", "128").String()
}

// ours returns the ways of this kit, one for each kernel.
func ours[F fphash.Feature](features string, sets [][]F) (list []way) {
	number := 0
	for _, set := range sets {
		number += len(set)
	}
	for _, k := range minhash.Kernels() {
		if !k.Available() {
			continue
		}
		kernel := k.Tier.String()
		list = append(list, way{nameOf("simhashkit", "AppendUnit", features, kernel), func() (float64, error) {
			defer fphash.SetKernel(fphash.Kernel()) // restore the kernel
			shared, err := fphash.New(fphash.WithSketch(fphash.MinHash), fphash.WithBits(128))
			if err = errors.Join(err, fphash.SetKernel(kernel)); err != nil {
				return 0, err
			}
			sketcher, dst, times := shared.Local(), make([]uint64, 0, 2), 0
			for begin := used(); ; {
				for _, set := range sets {
					if dst, _, err = fphash.AppendUnit(sketcher, dst[:0], set); err != nil {
						return 0, err
					}
				}
				times++
				if taken := used() - begin; taken >= time.Second/20 {
					return float64(taken.Nanoseconds()) / float64(times*number), nil
				}
			}
		}})
	}
	return list
}

// used returns the CPU time of this process so far.
func used() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // it can fail only if the arguments are wrong
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
