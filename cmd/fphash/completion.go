package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// completeFlags has the shell offer values for the flags of the command and of those below it.
func completeFlags(command *cobra.Command) {
	command.Flags().VisitAll(func(flag *pflag.Flag) {
		if values, ok := flag.Annotations[offered]; ok {
			complete := func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return completions(values, typed, flag.Value.Type() == "stringSlice")
			}
			_ = command.RegisterFlagCompletionFunc(flag.Name, complete) // the flag exists, and has none
		}
	})
	for _, c := range command.Commands() {
		completeFlags(c)
	}
}

// completions completes what is typed, which of a list is its last entry. What the list has already is
// not offered again.
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
