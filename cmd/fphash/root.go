// Command fphash computes and measures simhash fingerprints of sparse vectors.
package main

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/asm/cpu"
	"simhashkit/datasets/text"
	"simhashkit/internal/english"
)

func main() {
	os.Exit(exitCode(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr), os.Stderr))
}

// Exit codes.
const (
	exitSuccess = 0
	exitNo      = 1 // it ran, and the answer is no: a weak hash, a regression, records left out
	exitFailed  = 2 // it could not run
)

// run executes a command line, without the program's name. Results go to stdout or into files,
// progress and warnings to stderr.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	// On SIGTERM, too, the program must remove its temporary files.
	signaled, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(signaled, func() {
		cancel(errInterrupted)
		stop() // a second Ctrl-C ends the program at once
	})
	return runContext(ctx, args, stdin, stdout, stderr)
}

func runContext(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	out := &checkedWriter{w: stdout}
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.ExecuteContext(context.WithValue(ctx, argumentsKey{}, args))
	if out.n > 0 && stdout == os.Stdout && isClosed(1) {
		fmt.Fprintln(stderr, "fphash: standard output is closed or /dev/null:", out.n, "bytes were discarded")
	}
	return cmp.Or(err, out.err)
}

// isClosed reports whether the program was started with a descriptor closed. The Go runtime then
// opens /dev/null for reading and writing, which a shell does for no output; some programs do.
func isClosed(descriptor int) bool {
	target, _ := os.Readlink(fmt.Sprint("/proc/self/fd/", descriptor))
	info, _ := os.ReadFile(fmt.Sprint("/proc/self/fdinfo/", descriptor))
	_, flags, _ := strings.Cut(string(info), "flags:")
	flags, _, _ = strings.Cut(flags, "\n")
	return target == os.DevNull && strings.HasSuffix(flags, "2") // O_RDWR
}

// errInterrupted is the cause of a context that a signal has canceled.
var errInterrupted = errors.New("interrupted")

// checkedWriter remembers the first error, since cobra ignores errors of writing help.
type checkedWriter struct {
	w   io.Writer
	n   int64 // bytes written
	err error
}

func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	c.err = cmp.Or(c.err, err)
	return n, err
}

// exitCode prints the error, if any, and returns the exit code.
func exitCode(err error, stderr io.Writer) int {
	if err == nil {
		return exitSuccess
	}
	if _, ok := err.(reported); !ok { // if it is joined with other errors, all are printed
		fmt.Fprintln(stderr, "fphash:", nameOnce(withoutPackages(err.Error())))
		if errors.Is(err, text.ErrNoDictionary) {
			fmt.Fprintln(stderr, "fphash: to have the dictionary, build with: go build -tags dictionaries ./cmd/fphash")
		}
	}
	var no answerNo
	if errors.As(err, &no) {
		return exitNo
	}
	return exitFailed
}

// reported is an error whose message has already been printed. It only determines the exit code.
type reported struct{ error }

func (r reported) Unwrap() error { return r.error }

// answerNo is the error of a command that ran, and whose answer is no.
type answerNo struct{ reason string }

func (a answerNo) Error() string { return a.reason }

// leftOut returns an answerNo with the number of records that were left out; nil if there are none.
func leftOut(n int, noun string) error {
	if n == 0 {
		return nil
	}
	return answerNo{fmt.Sprintf("%s %s left out", english.Count(n, noun), english.Plural(n, "was", "were"))}
}

// keepGoingFlag adds the flag that leaves out malformed records.
func keepGoingFlag(flags *pflag.FlagSet, keepGoing *bool) {
	flags.BoolVar(keepGoing, "keep-going", false, "report and skip malformed input instead of stopping")
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "fphash",
		Short:         "Simhash fingerprints of sparse high-dimensional vectors",
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Name() == "help" {
				return nil
			}
			if err := cpu.Check(); err != nil { // a misspelt FPHASH_KERNEL must not go unnoticed
				return err
			}
			return checkOutputs(cmd, args)
		},
	}
	addGroup(root, "Near-duplicates:", newDedup(), newSketch(), newIndex(), newData(), newBlocks(), newPairs(), newClusters(), newSelect())
	addGroup(root, "Which hash, width and threshold:", newChoose(), newDoctor(), newBench(), newReport(), newKernels(), newConventions())
	addGroup(root, "Benchmarks of any Go program:", newAB(), newCompare())
	root.AddCommand(newNotices())
	root.AddCommand(newTopics()...)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	for _, name := range []string{"help", "version"} { // every command has them
		_ = root.Flags().MarkHidden(name) // the flag exists
	}
	root.SetUsageTemplate(usageTemplate.Replace(root.UsageTemplate()))
	root.InitDefaultHelpCmd()
	root.SetFlagErrorFunc(showFlags)
	eachCommand(root, func(c *cobra.Command) {
		c.Flags().SortFlags = false // help lists flags in the order of registration
		requireSubcommand(c)
		addPage(c)
		showUse(c)
		forceFlag(c)
		completeFlags(c)
	})
	refuseUnknownTopics(root)
	return root
}

// The help lists commands in the order in which they are added.
func init() { cobra.EnableCommandSorting = false }

// addGroup adds commands that the help shows together, under a title and in this order.
func addGroup(root *cobra.Command, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, c := range commands {
		c.GroupID = title
	}
	root.AddCommand(commands...)
}

// eachCommand calls do for a command and all commands below it.
func eachCommand(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, below := range c.Commands() {
		eachCommand(below, do)
	}
}

// usageTemplate makes cobra's usage shorter: one line of usage, no command help, and topics by the
// name that fphash help takes.
var usageTemplate = strings.NewReplacer(
	"{{if .Runnable}}\n  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}\n  {{.CommandPath}} [command]{{end}}",
	"{{if .HasAvailableSubCommands}}\n  {{.CommandPath}} COMMAND{{else}}\n  {{.UseLine}}{{end}}",
	`(or .IsAvailableCommand (eq .Name "help"))`, ".IsAvailableCommand",
	"Additional Commands:", "Other:",
	"Additional help topics:", "Topics of fphash help:",
	"{{rpad .CommandPath .CommandPathPadding}}", "{{rpad .Name .NamePadding}}",
	"{{if .HasAvailableSubCommands}}\n\nUse \"{{.CommandPath}} [command] --help\" for more information about a command.{{end}}", "",
)

// requireSubcommand makes a command that only groups subcommands fail for an unknown subcommand. By
// default, cobra prints help and succeeds.
func requireSubcommand(c *cobra.Command) {
	if c.Runnable() || !c.HasSubCommands() {
		return
	}
	c.Args = cobra.ArbitraryArgs
	c.SuggestionsMinimumDistance = 2
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		message := fmt.Sprintf("unknown command %q for %q", args[0], cmd.CommandPath())
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			message += fmt.Sprintf("; did you mean %q?", near[0])
		} else {
			message += fmt.Sprintf("; %s --help lists all", cmd.CommandPath())
		}
		return errors.New(message)
	}
}

// refuseUnknownTopics makes help fail for a topic that does not exist. By default, cobra prints the
// help of the program and succeeds.
func refuseUnknownTopics(root *cobra.Command) {
	help, _, _ := root.Find([]string{"help"}) // added by InitDefaultHelpCmd
	help.Args = func(_ *cobra.Command, args []string) error {
		if _, rest, err := root.Find(args); err != nil || len(rest) > 0 {
			return fmt.Errorf("unknown help topic %s; fphash help lists all commands and topics", strings.Join(args, " "))
		}
		return nil
	}
}

// showUse adds the usage line to errors about the number of arguments.
func showUse(c *cobra.Command) {
	if fits := c.Args; fits != nil && c.HasParent() {
		c.Args = func(cmd *cobra.Command, args []string) error {
			if fits(cmd, args) == nil {
				return nil
			}
			if len(args) > 0 && fits(cmd, nil) == nil && fits(cmd, args[:1]) != nil {
				return fmt.Errorf("unexpected argument %q: %s takes none", args[0], cmd.CommandPath())
			}
			return fmt.Errorf("%s: expected %s", english.Count(len(args), "argument"), cmd.UseLine())
		}
	}
}

// showFlags adds to errors of flags which command lists all flags, or which value a flag expects.
func showFlags(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		if unknown.GetSpecifiedName() == "threshold" && cmd.Flags().Lookup("similarity") != nil {
			return fmt.Errorf("%w; did you mean --similarity?", err)
		}
		return fmt.Errorf("%w; %s --help lists all", err, cmd.CommandPath())
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		flag := invalid.GetFlag()
		if _, ok := flag.Value.(*choiceValue); ok {
			return errors.Unwrap(invalid)
		}
		if expected, ok := expectedOfType[flag.Value.Type()]; ok {
			return fmt.Errorf("--%s %s: expected %s", flag.Name, invalid.GetValue(), expected)
		}
		return fmt.Errorf("--%s %s: %w", flag.Name, invalid.GetValue(), errors.Unwrap(invalid))
	}
	return err
}

// expectedOfType describes the values of flags whose own errors contain names of Go functions.
var expectedOfType = map[string]string{
	"bool": "true or false", "bytesHex": "hexadecimal digits, two for each byte", "duration": "a duration such as 30s or 5m", "float64": "a number", "int": "a whole number",
	"intSlice": "whole numbers with commas between them", "uint32": "a whole number, 0 or more", "uint64": "a whole number, 0 or more",
}

// packageName matches the name of a package, with which Go libraries begin their errors.
var packageName = regexp.MustCompile(`^[a-z][a-z0-9]+$`)

// withoutPackages removes package names, which users do not know, from the beginning of each line
// of an error, and after the name of a flag there. It keeps the names of existing files.
func withoutPackages(message string) string {
	lines := strings.Split(message, "\n")
	for i, line := range lines {
		flag := ""
		if name, rest, ok := strings.Cut(line, ": "); ok && strings.HasPrefix(name, "--") {
			flag, line = name+": ", rest
		}
		for {
			name, rest, ok := strings.Cut(line, ": ")
			if _, err := os.Lstat(name); !ok || err == nil || !packageName.MatchString(name) {
				break
			}
			line = rest
		}
		lines[i] = flag + line
	}
	return strings.Join(lines, "\n")
}

// nameOnce removes the name of a file in front of an error that names it itself, as in
// "v.idx: open v.idx: no such file or directory".
func nameOnce(message string) string {
	if name, rest, ok := strings.Cut(message, ": "); ok && strings.HasPrefix(rest, "open "+name+": ") {
		return rest
	}
	return message
}

// version returns the version of the module, which names the commit of a build between releases,
// and the Go version and platform of the program.
func version() string {
	module := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		module = info.Main.Version
	}
	return fmt.Sprintf("%s, %s %s/%s", module, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// notices has the licences and notices of everything that is linked into fphash: the modules, and
// the dictionary, stop words and tables in them. Each module has a heading with its path and
// version.
//
//go:embed notices.txt
var notices string

func newNotices() *cobra.Command {
	return &cobra.Command{
		Use:   "notices",
		Short: "Print the licences of built-in data and modules",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), notices)
			return err
		},
	}
}

// The flags that the help of a command omits. A help topic explains them.
var (
	rareFlags       = []string{"base", "max-line", "charset", "table", "word-weights", "workers", "kernel"}
	rareDefinition  = []string{"encoding", "widen", "seed", "key", "tie", "order", "convention"}
	classicFlags    = slices.Concat(rareFlags, definitionNames, []string{"features", "by", "weights"}) // of dedup, with --k
	sketchFlagsRare = slices.Concat(rareFlags, rareDefinition)
	runFlagsRare    = []string{"remove", "only-duplicates", "memory", "recall"}                                             // of dedup
	verdictFlags    = []string{"alpha", "accept", "strict", "ignore", "table", "row", "cpu", "same", "seed", "pin", "tags"} // of ab and compare
)

// The flags of doctor and bench that are listed in the topics protocol and suites.
var (
	doctorFlagsRare = []string{"encoding", "widen", "base", "max-line", "workers", "timeout"}
	benchFlagsRare  = []string{"encoding", "nnz", "pattern", "list", "base", "max-line", "time"}
)

// hideFlags hides the named flags if the command has them.
func hideFlags(flags *pflag.FlagSet, names []string) {
	for _, name := range names {
		if flags.Lookup(name) != nil {
			_ = flags.MarkHidden(name) // the flag exists
		}
	}
}

// pages has the help of the commands and topics. The page of index build is index-build.txt.
//
//go:embed help
var pages embed.FS

// addPage sets the help and the examples of a command from its page, if it has one.
func addPage(c *cobra.Command) {
	name := strings.ReplaceAll(strings.TrimPrefix(c.CommandPath(), "fphash "), " ", "-")
	if page, err := pages.ReadFile("help/" + name + ".txt"); err == nil {
		c.Long, c.Example, _ = strings.Cut(strings.TrimSuffix(string(page), "\n"), "\n\nExamples:\n")
	}
}

// newTopics returns the help topics.
func newTopics() []*cobra.Command {
	return []*cobra.Command{
		{Use: "fingerprints", Short: "Choose hash, width and features, and compare only fingerprints (--k)"},
		{Use: "runs", Short: "Find near-duplicates in many files, in a run that can be resumed (dedup --run)"},
		{Use: "formats", Short: "Files of vectors, texts and fingerprints"},
		{Use: "protocol", Short: "How doctor asks your program for hashes"},
		{Use: "suites", Short: "What bench measures"},
		{Use: "verdicts", Short: "How ab and compare judge benchmarks, and what a gap is"},
	}
}
