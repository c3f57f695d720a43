package main

import (
	"encoding"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// joined lists the values that a flag may have, for help and messages.
func joined[S ~string](list []S) string { return strings.Join(namesOf(list), ", ") }

func namesOf[S ~string](list []S) []string {
	var names []string
	for _, s := range list {
		names = append(names, string(s))
	}
	return names
}

// expectOneOf returns an error for a value that is none of the list; what names it.
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

// offered is the annotation of a flag that has the values that a shell offers for it.
const offered = "fphash_offered"

// offer has the help of a flag list values, where its usage has %s, and a shell offer them.
func offer[S ~string](flags *pflag.FlagSet, name string, values []S) {
	flag := flags.Lookup(name)
	flag.Usage = strings.ReplaceAll(flag.Usage, "%s", joined(values))
	_ = flags.SetAnnotation(name, offered, namesOf(values)) // the flag exists
}

// suggestion adds a flag for which values are offered; others check what it is given.
func suggestion[S ~string](flags *pflag.FlagSet, value *string, name, usual, usage string, values []S) {
	flags.StringVar(value, name, usual, usage)
	offer(flags, name, values)
}

// suggestions adds such a flag that takes a list.
func suggestions[S ~string](flags *pflag.FlagSet, value *[]string, name string, usual []string, usage string, values []S) {
	flags.StringSliceVar(value, name, usual, usage)
	offer(flags, name, values)
}

// choice adds a flag that takes the usual value, or one of these.
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

// enumeration adds a flag of a type that has names for its values. What it is now is the default.
func enumeration(flags *pflag.FlagSet, value interface {
	encoding.TextUnmarshaler
	fmt.Stringer
}, name, usage string, values []string) {
	set := func(text string) error { return value.UnmarshalText([]byte(text)) }
	flags.Var(&choiceValue{set, value.String}, name, usage)
	offer(flags, name, values)
}

// choiceValue is the value of a flag that takes few values. Its errors say all that there is to say.
type choiceValue struct {
	set func(text string) error
	get func() string
}

func (c *choiceValue) Set(text string) error { return c.set(text) }
func (c *choiceValue) String() string        { return c.get() }
func (c *choiceValue) Type() string          { return "string" }
