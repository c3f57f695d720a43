package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagGroups are the groups of flags of commands that read documents as well as vectors, which have
// many; those of the command itself come before them.
var flagGroups = []struct {
	title string
	names []string
}{
	{"Flags of texts", textNames},
	{"Flags of vectors", []string{"data", "base", "max-line"}},
	{"Flags of the fingerprints", definitionNames},
	{"Flags of the run", []string{"memory", "shard", "keep-going", "workers", "kernel", "explain", "help"}},
}

// groupFlags makes the help show many flags by what they are about.
func groupFlags(command *cobra.Command) {
	usage := command.UsageTemplate()
	command.SetUsageTemplate(strings.Replace(usage, "Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}", "{{groupedFlags . | trimTrailingWhitespaces}}", 1))
}

func init() { cobra.AddTemplateFunc("groupedFlags", groupedFlags) }

func groupedFlags(command *cobra.Command) string {
	all := command.LocalFlags()
	many := all.Lookup("documents") != nil && all.Lookup("similarity") == nil
	var text strings.Builder
	write := func(title string, keep func(name string) bool) {
		list := pflag.NewFlagSet("", pflag.ContinueOnError)
		list.SortFlags = all.SortFlags
		all.VisitAll(func(f *pflag.Flag) {
			if !many || keep(f.Name) {
				list.AddFlag(f)
			}
		})
		if list.HasAvailableFlags() {
			fmt.Fprintf(&text, "%s:\n%s\n", title, list.FlagUsages())
		}
	}
	grouped := func(name string) bool {
		return slices.ContainsFunc(flagGroups, func(g struct {
			title string
			names []string
		}) bool {
			return slices.Contains(g.names, name)
		})
	}
	write("Flags", func(name string) bool { return !grouped(name) })
	for _, group := range flagGroups {
		if many {
			write(group.title, func(name string) bool { return slices.Contains(group.names, name) })
		}
	}
	return text.String()
}
