package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/bench"
	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/gobench/resultfile"
)

// runFlag is the hidden flag with which bench starts itself for a further run: --run-number=2. Such
// a run only measures times, and writes its results to standard output.
const runFlag = "run-number"

// kept lists the flags that concern only the first run, which the user started.
var kept = map[string]bool{"runs": true, "out": true, "force": true}

// runAll measures in this process and then in further ones. The outcome is that of the first run.
func (f *benchFlags) runAll(ctx context.Context, cmd *cobra.Command, plan *bench.Plan, data *bench.Data, stderr io.Writer) (*bench.Outcome, []resultfile.File, error) {
	outcome, err := f.measure(ctx, plan, data, stderr)
	if err != nil {
		return nil, nil, err
	}
	first := resultfile.File{Head: bench.Head(time.Now(), commandLine(cmd), data), Config: bench.Config(), Rows: outcome.Rows, Units: outcome.Units}
	more, err := f.furtherRuns(ctx, cmd, stderr)
	return outcome, append([]resultfile.File{first}, more...), err
}

// furtherRuns starts a process for each run after the first and returns their results. Each process
// has its own layout of code and data in memory.
func (f *benchFlags) furtherRuns(ctx context.Context, cmd *cobra.Command, stderr io.Writer) (files []resultfile.File, err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	debug.FreeOSMemory() // which the others may need
	for run := 2; run <= f.runs; run++ {
		command := exec.CommandContext(ctx, program, f.arguments(cmd, run)...)
		var out bytes.Buffer
		command.Stdout, command.Stderr = &out, stderr
		command.Cancel = func() error {
			if command.Process.Signal(os.Interrupt) == nil {
				return nil
			}
			return command.Process.Kill() // Windows has no such signal
		}
		command.WaitDelay = 10 * time.Second
		err := command.Run()
		if interrupted := context.Cause(ctx); interrupted != nil {
			return nil, interrupted
		}
		if err != nil {
			return nil, fmt.Errorf("run %d of %d: %w; nothing written, %s is as it was", run, f.runs, err, f.out)
		}
		file, err := resultfile.Read(&out, fmt.Sprintf("run %d of %d", run, f.runs))
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// arguments returns the arguments of a further run: the flags that the user set, except kept.
func (f *benchFlags) arguments(cmd *cobra.Command, run int) []string {
	arguments := []string{"bench", fmt.Sprintf("--%s=%d", runFlag, run), fmt.Sprintf("--runs=%d", f.runs)}
	eachSetFlag(cmd, func(name, value string) {
		if !kept[name] {
			arguments = append(arguments, "--"+name+"="+value)
		}
	})
	return arguments
}

// runOne executes a further run.
func (f *benchFlags) runOne(ctx context.Context, plan *bench.Plan, stdout, stderr io.Writer) error {
	plan.Cells = nil
	data, err := f.load(ctx, io.Discard, plan) // the first run has described it
	if err != nil {
		return err
	}
	outcome, err := f.measure(ctx, plan, data, stderr)
	if err != nil {
		return fmt.Errorf("run %d of %d: %w", f.runNumber, f.runs, err)
	}
	head := []resultfile.Field{bench.Date(time.Now()), {Name: "run", Value: fmt.Sprintf("%d of %d", f.runNumber, f.runs)}}
	return resultfile.Write(stdout, resultfile.File{Head: head, Config: bench.Config(), Rows: outcome.Rows, Units: outcome.Units})
}

// checkRuns refuses invalid numbers of runs.
func (f *benchFlags) checkRuns(plan *bench.Plan) error {
	switch {
	case f.runs < 1:
		return fmt.Errorf("--runs %d: expected a positive one", f.runs)
	case f.runs > 1 && !anythingTimed(plan):
		return errors.New("--runs: nothing is timed in what was asked for, and what is computed is the same in every run")
	}
	return nil
}

// anythingTimed reports whether anything of the plan varies from run to run.
func anythingTimed(plan *bench.Plan) bool { return len(plan.Cases) > 0 }

// runsFile returns one file with all runs, and sets the outcome to that of the file.
func runsFile(runs []resultfile.File, outcome *bench.Outcome) ([]byte, error) {
	var text bytes.Buffer
	for _, run := range runs {
		if err := resultfile.Write(&text, run); err != nil {
			return nil, err
		}
	}
	if len(runs) == 1 {
		return text.Bytes(), nil
	}
	all, err := resultfile.Read(bytes.NewReader(text.Bytes()), "all runs")
	if err != nil {
		return nil, err
	}
	outcome.Rows = all.Rows
	return text.Bytes(), nil
}

// howToCompare returns the end of the last line of output: how to compare the file.
func (f *benchFlags) howToCompare(plan *bench.Plan) string {
	line := fmt.Sprintf("compare with another file by: fphash compare OLD %s", f.out)
	if anythingTimed(plan) && f.runs < compare.MinRuns {
		line += fmt.Sprintf(" (to compare times, both want --runs %d or more)", compare.MinRuns)
	}
	return line
}

// commandLine reconstructs the command line from the arguments and the flags that were set.
func commandLine(cmd *cobra.Command) string {
	parts := []string{cmd.CommandPath()}
	eachSetFlag(cmd, func(name, value string) { parts = append(parts, "--"+name+"="+quoted(value)) })
	for i, arg := range cmd.Flags().Args() {
		if i == cmd.ArgsLenAtDash() {
			parts = append(parts, "--")
		}
		parts = append(parts, quoted(arg))
	}
	return strings.Join(parts, " ")
}

// eachSetFlag calls take for every flag that the user set, with its value in re-parsable form.
func eachSetFlag(cmd *cobra.Command, take func(name, value string)) {
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		value := flag.Value.String()
		if _, ok := flag.Value.(pflag.SliceValue); ok {
			// the flag quotes its elements itself
			value = strings.TrimSuffix(strings.TrimPrefix(value, "["), "]")
		}
		take(flag.Name, value)
	})
}

// quoted quotes a word for the shell if it needs quotes.
func quoted(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\n'\"\\|&;<>()$`*?[]#~!{}", r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
