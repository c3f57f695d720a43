package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"simhashkit/internal/process"
)

// follow calls the kernel once on n elements, and returns the instructions in the order in which
// they were executed.
func (p *program) follow(ctx context.Context, c one, n int) ([]string, error) {
	log := filepath.Join(p.dir, "log")
	command := exec.Command("qemu-aarch64", "-singlestep", "-d", "exec,nochain", "-D", log, "-dfilter", p.ranges, p.path, c.op, c.kernel, strconv.Itoa(n))
	command.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1")
	if _, err := process.Output(ctx, command); err != nil {
		return nil, err
	}
	out, err := os.ReadFile(log)
	if err != nil {
		return nil, err
	}
	return p.executed(out)
}

// step is a line of the emulator's log: the thread, flags, the address, and flags.
var step = regexp.MustCompile(`^Trace (\d+): \S+ \[[0-9a-f]+/([0-9a-f]+)/`)

// executed reads the emulator's log, from the first instruction of a function that is no library's
// to the last, and of what libraries execute what the same thread does.
func (p *program) executed(log []byte) (list []string, err error) {
	var thread string
	last := 0
	for lines := bufio.NewScanner(bytes.NewReader(log)); lines.Scan(); {
		m := step.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		address, err := strconv.ParseUint(m[2], 16, 64)
		if err != nil {
			return nil, err
		}
		text, ok := p.text[address]
		if !ok {
			return nil, fmt.Errorf("there is no instruction at %#x, where the emulator has been", address)
		}
		own := p.isOwn(address)
		if own || m[1] == thread {
			list = append(list, text)
		}
		if own {
			thread, last = m[1], len(list)
		}
	}
	list = list[:last]
	if len(list) == 0 {
		return nil, errors.New("the emulator has logged nothing")
	}
	return list, nil
}

func (p *program) isOwn(address uint64) bool {
	return slices.ContainsFunc(p.own, func(f [2]uint64) bool { return f[0] <= address && address < f[1] })
}

var total = regexp.MustCompile(`(?m)^Total Cycles: +(\d+)$`)

// simulateAll returns the cycles that each processor takes, by its model, as many models at a time
// as there are processors here.
func simulateAll(ctx context.Context, mca string, executed []string) (map[string]float64, error) {
	figures, errs := make([]float64, len(processors)), make([]error, len(processors))
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i, processor := range processors {
		all.Go(func() {
			room <- struct{}{}
			figures[i], errs[i] = simulate(ctx, mca, processor, executed)
			<-room
		})
	}
	all.Wait()
	cycles := map[string]float64{}
	for i, processor := range processors {
		cycles[processor] = figures[i]
	}
	return cycles, errors.Join(errs...)
}

// simulate returns the cycles that a processor takes for the instructions, by its model.
func simulate(ctx context.Context, mca, processor string, executed []string) (float64, error) {
	command := exec.Command(mca, "-mtriple=aarch64", "-mcpu="+processor, "-mattr=+v8.2a,+sha2", "-iterations=1", "-instruction-info=0", "-resource-pressure=0")
	command.Stdin = strings.NewReader(strings.Join(executed, "\n") + "\n")
	out, err := process.Output(ctx, command)
	if err != nil {
		return 0, err
	}
	m := total.FindSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("%s has said nothing of cycles: %s", mca, out)
	}
	return strconv.ParseFloat(string(m[1]), 64)
}

// goVersion and llvmVersion say what programs were built and read with.
func goVersion(ctx context.Context) string {
	return firstLine(ctx, "go", "env", "GOVERSION")
}

func llvmVersion(ctx context.Context, llvm string) string {
	out, err := process.Output(ctx, exec.Command("llvm-mca-"+llvm, "--version"))
	if m := regexp.MustCompile(`LLVM version (\S+)`).FindSubmatch(out); err == nil && m != nil {
		return string(m[1])
	}
	return llvm
}

func firstLine(ctx context.Context, program string, args ...string) string {
	out, err := process.Output(ctx, exec.Command(program, args...))
	if err != nil {
		return "unknown"
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line
}
