package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"simhashkit/cmd/fpbeam/pipeline"
	"simhashkit/internal/english"
)

// Exit codes, those of fphash.
const (
	exitSuccess = 0
	exitNo      = 1 // it has answered, but left something out
	exitFailed  = 2
)

// leftOut is the error of a run that has answered without some documents.
type leftOut struct{ n int64 }

func (l leftOut) Error() string {
	return fmt.Sprintf("%d %s left out", l.n, english.Plural(int(l.n), "document was", "documents were"))
}

func exitCode(err error, stderr io.Writer) int {
	if err == nil {
		return exitSuccess
	}
	fmt.Fprintln(stderr, "fpbeam:", strings.TrimPrefix(err.Error(), "fpbeam: "))
	var out leftOut
	if errors.As(err, &out) {
		return exitNo
	}
	return exitFailed
}

// run executes a command line, without the program's name. A runner starts the same program for its
// workers, with flags of Beam's own.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	if isWorker(args) {
		if err := flag.CommandLine.Parse(args); err != nil {
			return err
		}
		beam.Init() // serves as a worker, and does not return
		return errors.New("the worker has ended")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return root.ExecuteContext(ctx)
}

func isWorker(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		name := strings.TrimLeft(arg, "-")
		return name != arg && (name == "worker" || name == "worker=true")
	})
}

// execute runs the pipeline and says what came of it.
func (f *flags) execute(ctx context.Context, stdout, stderr io.Writer) error {
	options, err := f.options(ctx, stderr)
	if err != nil {
		return err
	}
	if err := f.claim(options.Inputs); err != nil {
		return err
	}
	if !beam.Initialized() {
		beam.Init() // sets logs of its own
	}
	setLogs(stderr, f.verbose)
	p, s := beam.NewPipelineWithRoot()
	pipeline.Build(s, options)
	result, err := beamx.RunWithMetrics(ctx, p)
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted")
	case err != nil:
		return cause(err)
	}
	if result == nil {
		return nil // a job that was only shown: --dry_run
	}
	counts := pipeline.CountsOf(result.Metrics())
	summary(stdout, options, counts)
	if counts.LeftOut > 0 {
		return leftOut{counts.LeftOut}
	}
	return nil
}

// summary writes the answer for people.
func summary(w io.Writer, o pipeline.Options, c pipeline.Counts) {
	if c.Documents > 0 {
		fmt.Fprintf(w, "%d %s in %d %s: %d are near-duplicates, in %d %s; %d to keep.\n", c.Documents, english.Plural(int(c.Documents), "document", "documents"),
			len(o.Inputs), english.Plural(len(o.Inputs), "input", "inputs"), c.Members, c.Groups, english.Plural(int(c.Groups), "group", "groups"), c.Documents-c.Dropped)
		fmt.Fprintf(w, "%d distinct %s, %d %s of them within %d of %d bits; %d %s without one.\n", c.Distinct, english.Plural(int(c.Distinct), "fingerprint", "fingerprints"),
			c.Pairs, english.Plural(int(c.Pairs), "pair", "pairs"), o.Search.K, o.Search.Bits, c.WithoutFingerprint, english.Plural(int(c.WithoutFingerprint), "document", "documents"))
		fmt.Fprintf(w, "%d %s, the largest of %d %s; %d of them hot, and cut; at most %d %s in one.\n", c.Blocks, english.Plural(int(c.Blocks), "block", "blocks"), c.LargestBlock,
			english.Plural(int(c.LargestBlock), "fingerprint", "fingerprints"), c.HotBlocks, c.MostPairs, english.Plural(int(c.MostPairs), "pair", "pairs"))
	}
	fmt.Fprintf(w, "Which record is in which group, and which to keep, is in %s/*.%s.\n", strings.TrimSuffix(o.Output.Folder, "/"), o.Output.Format)
}
