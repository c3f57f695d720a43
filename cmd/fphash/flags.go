package main

import (
	"context"
	"encoding"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/dedup"
	"simhashkit/fphash"
)

// joined lists the values of a flag for help and messages.
func joined[S ~string](list []S) string { return strings.Join(namesOf(list), ", ") }

// namesOf returns the names of values, which are strings or Stringers.
func namesOf[S any](list []S) []string {
	var names []string
	for _, s := range list {
		names = append(names, fmt.Sprint(s))
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

// below1 is the largest value of shares that must be less than 1.
const below1 = 0.9999

// share is the value of a flag for a number or a percentage within limits: 0.95 or 95%. It is never
// set to 0.
type share struct {
	value       *float64
	least, most float64
}

func (s share) Set(text string) error {
	number, isPercentage := strings.CutSuffix(text, "%")
	if isPercentage {
		number += "e-2" // dividing would turn 99.9% into 0.9990000000000001
	}
	value, err := strconv.ParseFloat(number, 64)
	switch {
	case err == nil && value > 0 && value >= s.least && value <= s.most:
		*s.value = value
		return nil
	case s.least == 0:
		return fmt.Errorf("expected more than 0 and at most %v, such as 0.95 or 95%%", s.most)
	}
	return fmt.Errorf("expected %v to %v, such as 0.9 or 90%%", s.least, s.most)
}

func (s share) String() string { return strconv.FormatFloat(*s.value, 'g', -1, 64) }

func (s share) Type() string { return "fraction" }

// similarityOf returns the value of --similarity.
func similarityOf(value *float64) share { return share{value, dedup.LeastSimilarity, 1} }

// number is the value of a flag for a whole number with limits.
type number struct {
	value       *int
	least, most int
}

func (n number) Set(text string) error {
	value, err := strconv.Atoi(text)
	switch {
	case err == nil && value >= n.least && value <= n.most:
		*n.value = value
		return nil
	case n.most == math.MaxInt:
		return fmt.Errorf("expected a whole number, %d or more", n.least)
	}
	return fmt.Errorf("expected a whole number, %d to %d", n.least, n.most)
}

func (n number) String() string { return strconv.Itoa(*n.value) }

func (n number) Type() string { return "N" }

// workers returns the value of --workers; 0 means the number of cores. Each worker has its own
// buffers.
func workers(value *int) number { return number{value, 0, 1024} }

// widthOf returns the value of --bits.
func widthOf(value *int) number { return number{value, 1, fphash.MaxBits} }

// refuse returns an error for the first of the named flags that was set. The reason follows its
// name in the message.
func refuse(changed func(flag string) bool, reason string, names ...string) error {
	for _, name := range names {
		if changed(name) {
			return fmt.Errorf("--%s %s", name, reason)
		}
	}
	return nil
}

// completeFlags registers the shell completion of the flags of a command.
func completeFlags(command *cobra.Command) {
	command.Flags().VisitAll(func(flag *pflag.Flag) {
		if values, ok := flag.Annotations[offered]; ok {
			complete := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveKeepOrder)
			_ = command.RegisterFlagCompletionFunc(flag.Name, complete) // the flag exists and has no completion yet
		}
	})
}

// argumentsKey is the key of the arguments of the program in a context.
type argumentsKey struct{}

// arguments returns the arguments of the program.
func arguments(ctx context.Context) []string {
	args, _ := ctx.Value(argumentsKey{}).([]string)
	return args
}

// commandLine returns the command line of the program, for a shell.
func commandLine(ctx context.Context) string {
	line := "fphash"
	for _, arg := range arguments(ctx) {
		line += " " + quoted(arg)
	}
	return line
}

// quoted quotes a word for the shell if it needs quotes.
func quoted(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\n'\"\\|&;<>()$`*?[]#~!{}", r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
