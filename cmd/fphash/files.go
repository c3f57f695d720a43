package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/datasets/documents"
	"simhashkit/dedup"
	"simhashkit/internal/decompress"
	"simhashkit/internal/dedup/fingerprints"
	"simhashkit/internal/dedup/fingerprints/parquet"
	"simhashkit/internal/disk"
	"simhashkit/internal/filetree"
	"simhashkit/internal/wholefile"
)

// formats lists the names of the formats of fingerprints.
var formats = namesOf(fingerprints.Formats())

// newFingerprintWriter returns a writer of the format for fingerprints of the definition.
func newFingerprintWriter(format string, w io.Writer, s hasher) (fingerprints.Writer, error) {
	if format == string(fingerprints.Parquet) {
		return parquet.NewWriter(w, s.String(), s.Bits()), nil
	}
	return fingerprints.NewWriter(w, fingerprints.Format(format), s.Definition())
}

// eachBatch reads fingerprints from the named file or standard input, and calls take for each
// batch. An empty input has no batches.
func eachBatch(ctx context.Context, args []string, stdin io.Reader, bits int, take func(*dedup.Records) error) error {
	path, stream, err := openStream(ctx, args, stdin)
	if err != nil {
		return err
	}
	defer stream.Close()
	name := inputName(path)
	buffered := bufio.NewReaderSize(stream, 64<<10)
	if _, err := buffered.Peek(1); err == io.EOF {
		return nil
	}
	format := fingerprints.SniffKnown(buffered)
	if format == fingerprints.None {
		if _, err := buffered.Peek(1); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return fmt.Errorf("%s: expected fingerprints: lines in hexadecimal, or a file of fphash sketch", name)
	}
	each := func(records *dedup.Records) error {
		if bits > 0 && records.Set.Bits != bits {
			return fmt.Errorf("--bits %d: expected %d, which the fingerprints in %s have", bits, records.Set.Bits, name)
		}
		return take(records)
	}
	records, err := parquet.ReadStream(ctx, buffered, path, format, fingerprints.Options{Name: name, Bits: bits, Take: each})
	if err == nil {
		err = records.PassRest(each)
	}
	return err
}

// openStream opens the file that the first argument names, or standard input, and decompresses it.
// It also returns the path.
func openStream(ctx context.Context, args []string, stdin io.Reader) (path string, stream io.ReadCloser, err error) {
	if len(args) > 0 && !isStdin(args[0]) {
		if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
			return args[0], nil, fmt.Errorf("%s is a folder, expected a file", args[0])
		}
		stream, err = decompress.Open(ctx, args[0])
		return args[0], stream, err
	}
	if stream, err = decompress.NewReader(ctx, stdin); err != nil {
		err = fmt.Errorf("%s: %w", inputName(""), err)
	}
	return "", stream, err
}

// inputName returns the name of an input in messages.
func inputName(path string) string { return cmp.Or(path, "standard input") }

func isStdin(name string) bool { return name == "" || name == "-" }

// writeTo calls write with the named file, which is written whole or not at all, or with stdout if
// there is no name.
func writeTo(name string, stdout io.Writer, write func(io.Writer) error) error {
	if name == "" {
		return write(stdout)
	}
	return wholefile.Write(name, write)
}

// unwritten returns a message that the output was not written, and whether the file existed before.
func unwritten(name string) string {
	if _, err := os.Lstat(name); err != nil {
		return name + " was not written"
	}
	return "nothing was written, " + name + " is unchanged"
}

// outFlag adds --out to a command that writes to standard output without it.
func outFlag(flags *pflag.FlagSet, out *string) {
	flags.StringVarP(out, "out", "o", "", "output `file`, compressed if it ends in .gz or .zst (default stdout)")
}

// outputFlags lists the flags that name output files.
var outputFlags = []string{"out", "pairs"}

// outputArgument is the annotation of a command whose first argument names a new file.
const outputArgument = "output"

// inputFlag is the annotation of a flag whose value names an input.
const inputFlag = "fphash_input"

// namesInput marks flags whose values name inputs, which no output may replace.
func namesInput(flags *pflag.FlagSet, names ...string) {
	for _, name := range names {
		_ = flags.SetAnnotation(name, inputFlag, []string{"true"}) // the flag exists
	}
}

// forceFlag adds --force to a command that replaces files.
func forceFlag(command *cobra.Command) {
	writes := false
	for _, name := range outputFlags {
		writes = writes || command.Flags().Lookup(name) != nil
	}
	if writes {
		command.Flags().Bool("force", false, "overwrite an existing output")
	}
}

// tryOutputs returns an error if an output cannot be written, before any work is done. It skips
// compare, which gives its verdict even if it cannot write.
func tryOutputs(cmd *cobra.Command) error {
	for _, name := range outputFlags {
		flag := cmd.Flags().Lookup(name)
		if cmd.Name() == "compare" || flag == nil || !flag.Changed || flag.Value.String() == "" {
			continue
		}
		if err := wholefile.Try(flag.Value.String()); err != nil {
			return err
		}
	}
	return nil
}

// refuseReplaced refuses outputs that would overwrite data. An output must not be another output,
// or an input under any name: an argument, the value of a flag that names an input, a file of a
// folder, or standard input. Without --force, it must not exist, unless its name is the default of
// the command.
func refuseReplaced(cmd *cobra.Command, args []string) error {
	var outputs []string
	inputs := slices.Clip(args)
	if cmd.Annotations[outputArgument] != "" {
		outputs, inputs = args[:1:1], args[1:]
	}
	replaced := slices.Clone(outputs) // without defaults
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch list, isList := f.Value.(pflag.SliceValue); {
		case slices.Contains(outputFlags, f.Name):
			outputs = append(outputs, f.Value.String()) // with defaults
			if f.Changed {
				replaced = append(replaced, f.Value.String())
			}
		case !f.Changed || f.Annotations[inputFlag] == nil:
		case isList:
			inputs = append(inputs, list.GetSlice()...)
		default:
			inputs = append(inputs, f.Value.String())
		}
	})
	taken := map[string]string{}
	for _, name := range outputs {
		out, err := os.Stat(name)
		if key := filetree.Key(name); name != "" && (err != nil || out.Mode().IsRegular() || out.IsDir()) {
			if other, ok := taken[key]; ok {
				return fmt.Errorf("%s cannot be an output twice: it is the same file as %s", name, other)
			}
			taken[key] = name
			left, _ := disk.ListTemp(name, wholefile.Ending)
			for _, temp := range left {
				fmt.Fprintf(cmd.ErrOrStderr(), "fphash: %s is unfinished output; delete it, unless another process is writing %s now\n", temp, name)
			}
		}
		if err != nil || !out.Mode().IsRegular() {
			continue // a file that is not regular has no contents to lose
		}
		if input := inputThatIs(cmd, out, inputs); input != "" {
			return fmt.Errorf("%s cannot be the output: it is the same file as the input %s", name, input)
		}
	}
	return refuseExisting(cmd, replaced...)
}

// refuseExisting refuses to replace a nonempty file unless --force is given.
func refuseExisting(cmd *cobra.Command, names ...string) error {
	if force, err := cmd.Flags().GetBool("force"); force || err != nil { // a command without the flag checks its outputs itself
		return nil
	}
	for _, name := range names {
		if wholefile.Replaces(name) {
			return fmt.Errorf("%s already exists; use --force to overwrite it", name)
		}
	}
	return nil
}

// inputThatIs returns the input that is the same file as out, or "".
func inputThatIs(cmd *cobra.Command, out os.FileInfo, inputs []string) string {
	if file, ok := cmd.InOrStdin().(*os.File); ok {
		if in, err := file.Stat(); err == nil && os.SameFile(in, out) {
			return "standard input"
		}
	}
	folders := cmd.Flags().Lookup("documents") != nil // other commands do not read folders
	for _, name := range inputs {
		for _, path := range inputFiles(name, folders) {
			if in, err := os.Stat(path); err == nil && os.SameFile(in, out) {
				return path
			}
		}
	}
	return ""
}

// inputFiles returns the files that an input may mean: its own name, the name after a prefix such
// as files: or LABEL=, the matches of a pattern, and the files of folders if the command reads
// these.
func inputFiles(name string, folders bool) []string {
	_, behind, _ := strings.Cut(name, ":")
	_, labelled, _ := strings.Cut(name, "=")
	paths, _ := filepath.Glob(name)
	paths = append(paths, name, behind, labelled)
	if folders {
		for _, pattern := range []string{name, behind} {
			files, _ := documents.Expand([]string{pattern}) // a missing file is no input
			paths = append(paths, files...)
		}
	}
	return paths
}

// fact is a line of output about a file.
type fact struct {
	name  string
	value any
}

// writeFacts writes a heading and a line for each fact, in two columns.
func writeFacts(w io.Writer, heading string, facts []fact) error {
	out := bytes.NewBufferString(heading)
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, f := range facts {
		fmt.Fprintf(t, "%s\t%v\n", f.name, f.value)
	}
	t.Flush() // a buffer has no errors
	_, err := out.WriteTo(w)
	return err
}
