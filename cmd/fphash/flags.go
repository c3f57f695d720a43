package main

import (
	"encoding"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/fphash"
)

// joined lists the values of a flag for help and messages.
func joined[S ~string](list []S) string { return strings.Join(namesOf(list), ", ") }

func namesOf[S ~string](list []S) []string {
	var names []string
	for _, s := range list {
		names = append(names, string(s))
	}
	return names
}

// expectOneOf returns an error unless the value is in the list.
func expectOneOf(what, value string, list []string) error {
	if slices.Contains(list, value) {
		return nil
	}
	return fmt.Errorf("unknown %s %q; expected %s", what, value, joined(list))
}

// written returns the names of values.
func written[S fmt.Stringer](list ...S) []string {
	var names []string
	for _, s := range list {
		names = append(names, s.String())
	}
	return names
}

// parsed parses the values of a flag that takes a list.
func parsed[T any](values []string, parse func(string) (T, error)) (list []T, err error) {
	for _, value := range values {
		one, err := parse(value)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// offered is the annotation of a flag with its values for shell completion.
const offered = "fphash_offered"

// offer replaces %s in the usage of a flag by the allowed values, and registers these for shell
// completion.
func offer[S ~string](flags *pflag.FlagSet, name string, values []S) {
	flag := flags.Lookup(name)
	flag.Usage = strings.ReplaceAll(flag.Usage, "%s", joined(values))
	_ = flags.SetAnnotation(name, offered, namesOf(values)) // the flag exists
}

// suggestion adds a flag with suggested values; other code checks the value.
func suggestion[S ~string](flags *pflag.FlagSet, value *string, name, usual, usage string, values []S) {
	flags.StringVar(value, name, usual, usage)
	offer(flags, name, values)
}

// suggestions is suggestion for a flag that takes a list.
func suggestions[S ~string](flags *pflag.FlagSet, value *[]string, name string, usual []string, usage string, values []S) {
	flags.StringSliceVar(value, name, usual, usage)
	offer(flags, name, values)
}

// choice adds a flag that takes one of the values.
func choice[S ~string](flags *pflag.FlagSet, value *string, name, usual, usage string, values []S) {
	*value = usual
	set := func(text string) error {
		if text != usual {
			if err := expectOneOf("--"+name, text, namesOf(values)); err != nil {
				return err
			}
		}
		*value = text
		return nil
	}
	flags.Var(&choiceValue{set, func() string { return *value }}, name, usage)
	offer(flags, name, values)
}

// formatFlag adds --format to a command that writes text or a JSON object.
func formatFlag(flags *pflag.FlagSet, format *string) {
	choice(flags, format, "format", "text", "format of the output: %s", []string{"text", "json"})
}

// enumeration adds a flag of a type with named values. The current value is the default.
func enumeration(flags *pflag.FlagSet, value interface {
	encoding.TextUnmarshaler
	fmt.Stringer
}, name, usage string, values []string) {
	set := func(text string) error { return value.UnmarshalText([]byte(text)) }
	flags.Var(&choiceValue{set, value.String}, name, usage)
	offer(flags, name, values)
}

// choiceValue is the value of a flag with few values. Its errors are complete messages.
type choiceValue struct {
	set func(text string) error
	get func() string
}

func (c *choiceValue) Set(text string) error { return c.set(text) }
func (c *choiceValue) String() string        { return c.get() }
func (c *choiceValue) Type() string          { return "string" }

// fraction is a flag value given as a number or a percentage: 0.95 or 95%.
type fraction float64

func (f *fraction) Set(text string) error {
	number, isPercentage := strings.CutSuffix(text, "%")
	if isPercentage {
		number += "e-2" // dividing would turn 99.9% into 0.9990000000000001
	}
	value, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return errors.New("expected a number such as 0.95, or a percentage such as 95%")
	}
	*f = fraction(value)
	return nil
}

func (f *fraction) String() string { return strconv.FormatFloat(float64(*f), 'g', -1, 64) }

func (f *fraction) Type() string { return "fraction" }

// workerCount is the value of --workers; 0 is the number of cores.
type workerCount int

const maxWorkers = 1024 // each worker has its own buffers

func (w *workerCount) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > maxWorkers {
		return fmt.Errorf("expected a whole number, 0 to %d", maxWorkers)
	}
	*w = workerCount(n)
	return nil
}

func (w *workerCount) String() string { return strconv.Itoa(int(*w)) }

func (w *workerCount) Type() string { return "N" }

// width is the value of --bits.
type width int

func (w *width) Set(text string) error {
	bits, err := strconv.Atoi(text)
	if err != nil || bits < 1 || bits > fphash.MaxBits {
		return fmt.Errorf("expected a whole number, 1 to %d", fphash.MaxBits)
	}
	*w = width(bits)
	return nil
}

func (w *width) String() string { return strconv.Itoa(int(*w)) }

func (w *width) Type() string { return "N" }

// completeFlags registers the shell completion of the flags of a command.
func completeFlags(command *cobra.Command) {
	command.Flags().VisitAll(func(flag *pflag.Flag) {
		if values, ok := flag.Annotations[offered]; ok {
			complete := func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return completions(values, typed, flag.Value.Type() == "stringSlice")
			}
			_ = command.RegisterFlagCompletionFunc(flag.Name, complete) // the flag exists and has no completion yet
		}
	})
}

// completions returns the completions of the last entry of a list, without the entries that the
// list already has.
func completions(values []string, typed string, list bool) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := ""
	if comma := strings.LastIndexByte(typed, ','); list && comma >= 0 {
		before = typed[:comma+1]
	}
	var all []cobra.Completion
	for _, value := range values {
		if strings.HasPrefix(before+value, typed) && !slices.Contains(strings.Split(before, ","), value) {
			all = append(all, before+value)
		}
	}
	directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	if list {
		directive |= cobra.ShellCompDirectiveNoSpace // a comma may follow
	}
	return all, directive
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
			// String has quoted the elements
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
