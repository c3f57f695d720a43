package main

import (
	"bytes"
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
	"simhashkit/dedup/source"
	"simhashkit/internal/decompress"
	"simhashkit/internal/disk"
	"simhashkit/internal/docformat"
	"simhashkit/internal/wholefile"
)

// eachBatch reads fingerprints from the named file or standard input, and calls take for each
// batch. An empty input has no batches.
func eachBatch(cmd *cobra.Command, args []string, bits int, take func(*dedup.Records) error) error {
	s, err := source.Open(cmd.Context(), args, source.Hints{Fingerprints: true, Bits: bits, Stdin: cmd.InOrStdin(), Once: true})
	if err != nil {
		return err
	}
	defer s.Close()
	_, _, err = s.Read(cmd.Context(), source.Method{}, take)
	return err
}

// openStream opens the file that the first argument names, or standard input, and decompresses it.
// It also returns the name for messages.
func openStream(ctx context.Context, args []string, stdin io.Reader) (name string, stream io.ReadCloser, err error) {
	if len(args) > 0 && args[0] != "" && args[0] != docformat.StandardInput {
		if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
			return args[0], nil, fmt.Errorf("%s is a folder, expected a file", args[0])
		}
		stream, err = decompress.Open(ctx, args[0])
		return args[0], stream, err
	}
	name = "standard input"
	if stream, err = decompress.NewReader(ctx, stdin); err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return name, stream, err
}

// filterStream calls convert with the input that the first argument names, or standard input, and
// with the named output, or standard output.
func filterStream(cmd *cobra.Command, args []string, out string, convert func(r io.Reader, name string, w io.Writer) error) error {
	name, stream, err := openStream(cmd.Context(), args, cmd.InOrStdin())
	if err != nil {
		return err
	}
	defer stream.Close()
	return writeTo(out, cmd.OutOrStdout(), func(w io.Writer) error { return convert(stream, name, w) })
}

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

// The flags whose values name output files, and those whose values name inputs, which no output may
// replace.
var (
	outputFlags = []string{"out", "pairs"}
	pathFlags   = []string{"against", "table", "word-weights", "data", "keys", "fingerprints"}
)

// forceFlag adds --force to a command that replaces files.
func forceFlag(command *cobra.Command) {
	flags := command.Flags()
	if slices.ContainsFunc(outputFlags, func(name string) bool { return flags.Lookup(name) != nil }) {
		flags.Bool("force", false, "overwrite an existing output")
	}
}

// checkOutputs returns an error if an output would overwrite data or cannot be written, before any
// work is done. An output must not be an input under any name: an argument, the value of a flag
// that names an input, a file of a folder, or standard input. Without --force, it must not exist,
// unless its name is the default of the command. Only compare gives its verdict even if it cannot
// write.
func checkOutputs(cmd *cobra.Command, args []string) error {
	var outputs []string
	inputs := slices.Clip(args)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(outputFlags, f.Name) && f.Value.String() != "" {
			outputs = append(outputs, f.Value.String())
		}
		if list, ok := f.Value.(pflag.SliceValue); ok && slices.Contains(pathFlags, f.Name) {
			inputs = append(inputs, list.GetSlice()...)
		} else if slices.Contains(pathFlags, f.Name) {
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
	if err := refuseExisting(cmd, outputs...); err != nil || cmd.Name() == "compare" {
		return err
	}
	for _, name := range outputs {
		if err := wholefile.Try(name); err != nil {
			return err
		}
	}
	return nil
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
		files, _ := documents.Expand([]string{name}) // a missing file is no input
		for _, path := range append(files, name, labelled) {
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
