package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/datasets/documents"
	"simhashkit/dedup"
	"simhashkit/internal/decompress"
	"simhashkit/internal/dedup/fingerprints"
	"simhashkit/internal/disk"
	"simhashkit/internal/wholefile"
)

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
	records, err := fingerprints.Read(ctx, buffered, path, format, fingerprints.Options{Name: name, Bits: bits, Take: each})
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

// refuseReplaced refuses outputs that would overwrite data. An output must not be an input under
// any name: an argument, the value of a flag that names an input, a file of a folder, or standard
// input. Without --force, it must not exist, unless its name is the default of the command.
func refuseReplaced(cmd *cobra.Command, args []string) error {
	var outputs []string
	inputs := slices.Clip(args)
	if cmd.Annotations[outputArgument] != "" {
		outputs, inputs = args[:1:1], args[1:]
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch list, isList := f.Value.(pflag.SliceValue); {
		case slices.Contains(outputFlags, f.Name):
			outputs = append(outputs, f.Value.String())
		case f.Annotations[inputFlag] == nil:
		case isList:
			inputs = append(inputs, list.GetSlice()...)
		default:
			inputs = append(inputs, f.Value.String())
		}
	})
	for _, name := range outputs {
		left, _ := disk.ListTemp(name, wholefile.Ending)
		for _, temp := range left {
			fmt.Fprintf(cmd.ErrOrStderr(), "fphash: %s is unfinished output; delete it, unless another process is writing %s now\n", temp, name)
		}
		if input := inputThatIs(cmd, name, inputs); input != "" {
			return fmt.Errorf("%s cannot be the output: it is the same file as the input %s", name, input)
		}
	}
	return refuseExisting(cmd, outputs...)
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

// inputThatIs returns the input that is the same file as an output, or "". An output that is not a
// regular file has no contents to lose.
func inputThatIs(cmd *cobra.Command, output string, inputs []string) string {
	out, err := os.Stat(output)
	if err != nil || !out.Mode().IsRegular() {
		return ""
	}
	if file, ok := cmd.InOrStdin().(*os.File); ok {
		if in, err := file.Stat(); err == nil && os.SameFile(in, out) {
			return "standard input"
		}
	}
	for _, name := range inputs {
		_, labelled, _ := strings.Cut(name, "=")
		paths := []string{name, labelled}
		if cmd.Flags().Lookup("documents") != nil { // other commands do not read patterns and folders
			files, _ := documents.Expand([]string{name}) // a missing file is no input
			paths = append(paths, files...)
		}
		for _, path := range paths {
			if in, err := os.Stat(path); err == nil && os.SameFile(in, out) {
				return path
			}
		}
	}
	return ""
}

// writeFacts writes a heading and a line for each fact, in two columns. The facts are names, each
// followed by its value.
func writeFacts(w io.Writer, heading string, facts ...any) error {
	out := bytes.NewBufferString(heading)
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for i := 0; i < len(facts); i += 2 {
		fmt.Fprintf(t, "%v\t%v\n", facts[i], facts[i+1])
	}
	t.Flush() // a buffer has no errors
	_, err := out.WriteTo(w)
	return err
}
