package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/internal/wholefile"
)

// writeTo lets write write the named file, whole or not at all, or to stdout if there is no name.
func writeTo(name string, stdout io.Writer, write func(io.Writer) error) error {
	if name == "" {
		return write(stdout)
	}
	return wholefile.Write(name, write)
}

// tryOutputs returns why one of the files cannot be written, before any work is done for it. No
// name stands for standard output.
func tryOutputs(names ...string) error {
	for _, name := range names {
		if name == "" {
			continue
		}
		if err := wholefile.Try(name); err != nil {
			return err
		}
	}
	return nil
}

// outputFlags lists the flags of all commands that name a file to write; a command of which an
// argument does so has the annotation outputArgument, with the number of the argument from 0.
var outputFlags = []string{"out", "pairs", "audit"}

const outputArgument = "output"

// refuseReplaced refuses an output that is an input of the same command line, by whatever name: an
// argument, the value of another flag, or standard input.
func refuseReplaced(cmd *cobra.Command, args []string) error {
	var outputs []string
	inputs := slices.Clone(args)
	if i, err := strconv.Atoi(cmd.Annotations[outputArgument]); err == nil && i < len(args) {
		outputs, inputs = append(outputs, args[i]), slices.Delete(inputs, i, i+1)
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch list, isList := f.Value.(pflag.SliceValue); {
		case slices.Contains(outputFlags, f.Name):
			outputs = append(outputs, f.Value.String()) // by its default, too
		case !f.Changed:
		case isList:
			inputs = append(inputs, list.GetSlice()...)
		case f.Value.Type() == "string":
			inputs = append(inputs, f.Value.String())
		}
	})
	for _, name := range outputs {
		out, err := os.Stat(name)
		if err != nil || !out.Mode().IsRegular() {
			continue // there is nothing to lose
		}
		if input := inputThatIs(out, cmd.InOrStdin(), inputs); input != "" {
			return fmt.Errorf("%s: expected another file for the output: this is %s, which is read and would be replaced", name, input)
		}
	}
	return nil
}

// inputThatIs returns which input is that file, "" if none is.
func inputThatIs(out os.FileInfo, stdin io.Reader, inputs []string) string {
	if file, ok := stdin.(*os.File); ok {
		if in, err := file.Stat(); err == nil && os.SameFile(in, out) {
			return "standard input"
		}
	}
	for _, name := range inputs {
		for _, path := range inputFiles(name) {
			if in, err := os.Stat(path); err == nil && os.SameFile(in, out) {
				return path
			}
		}
	}
	return ""
}

// inputFiles returns the files that an input may stand for: itself, what is behind a prefix such as
// files:, and what a pattern matches.
func inputFiles(name string) []string {
	_, behind, _ := strings.Cut(name, ":")
	matched, _ := filepath.Glob(name)
	return append(matched, name, behind)
}

// fact is a line of what commands say of a file.
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
	t.Flush() // a buffer takes everything
	_, err := out.WriteTo(w)
	return err
}
