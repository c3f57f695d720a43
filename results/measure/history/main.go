// Command history measures how often the recipe gate.sh is right: it makes a scratch repository in
// which half of the commits change nothing that takes time and half have a kernel do 6 to 12 % more
// work, in random order, runs the recipe's step time on each against its parent, with a threshold
// of 3 %, and counts:
//
//	go -C results run ./measure/history -out history.txt
//
// The file has a line for each commit and grows as they are judged; another run goes on where the
// last one has ended. The exit code is 1 if fewer than 95 of 100 are right.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "history:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	commits   int
	seed      uint64
	threshold string
	budget    string
	out       string
	limit     int
}

func run(args []string, stdout, stderr io.Writer) error {
	var o options
	flags := flag.NewFlagSet("history", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.commits, "commits", 40, "number of commits, half of each kind")
	flags.Uint64Var(&o.seed, "seed", 1, "of the order of commits and of how much slower they are")
	flags.StringVar(&o.threshold, "threshold", "3%", "least change that matters")
	flags.StringVar(&o.budget, "budget", "15s", "time for each benchmark")
	flags.StringVar(&o.out, "out", "history.txt", "`file` for a line for each commit")
	flags.IntVar(&o.limit, "limit", 0, "judge this many commits now; 0: all that are left")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.commits < 2 || o.commits%2 != 0 {
		return fmt.Errorf("-commits %d: expected an even number above 0", o.commits)
	}
	log, err := openLog(o)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "history-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	commits := plan(o.commits, o.seed)
	r, err := newRepository(filepath.Join(folder, "near"), commits)
	if err != nil {
		return err
	}
	if log.done() < len(commits) {
		g, err := newGate(folder, o)
		if err != nil {
			return err
		}
		last := len(commits)
		if o.limit > 0 {
			last = min(last, log.done()+o.limit)
		}
		for i := log.done(); i < last; i++ {
			j, err := g.judge(r, i)
			if err != nil {
				return err
			}
			line, err := log.add(commits[i], j)
			if err != nil {
				return err
			}
			fmt.Fprintln(stdout, line)
		}
	}
	return log.summary(stdout)
}

// gate is the recipe with the program that it needs.
type gate struct {
	script string
	env    []string
}

func newGate(folder string, o options) (*gate, error) {
	text, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	root := filepath.Dir(filepath.Dir(strings.TrimSpace(string(text))))
	g := &gate{script: filepath.Join(root, "bench", "recipes", "gate.sh")}
	if _, err := os.Stat(g.script); err != nil {
		return nil, fmt.Errorf("%w; expected to be run from the folder results of simhashkit", err)
	}
	program := filepath.Join(folder, "fphash")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, "./cmd/fphash")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w: %s", err, out)
	}
	g.env = append(os.Environ(), "FPHASH="+program, "FPHASH_THRESHOLD="+o.threshold, "FPHASH_BUDGET="+o.budget, "GOWORK=off")
	return g, nil
}

// judge runs the recipe on a commit.
func (g *gate) judge(r *repository, i int) (judgement, error) {
	if err := r.git("checkout", "--quiet", branchOf(i)); err != nil {
		return judgement{}, err
	}
	command := exec.Command(g.script, "--only", "time", "main", "./...")
	command.Dir, command.Env = r.folder, g.env
	out, err := command.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return judgement{}, err
	}
	return judgementOf(command.ProcessState.ExitCode(), string(out)), nil
}
