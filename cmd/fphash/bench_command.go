package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandLine puts the command together again from the flags that were set.
func commandLine(cmd *cobra.Command) string {
	parts := []string{cmd.CommandPath()}
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		value := flag.Value.String()
		if slice, ok := flag.Value.(pflag.SliceValue); ok {
			value = strings.Join(slice.GetSlice(), ",")
		}
		parts = append(parts, "--"+flag.Name+"="+quoted(value))
	})
	return strings.Join(parts, " ")
}

// quoted puts quotes around what a shell would take apart.
func quoted(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\n'\"\\|&;<>()$`*?[]#~!{}", r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
