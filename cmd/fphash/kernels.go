package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/asm/cpu"
	"simhashkit/bench"
	"simhashkit/fphash"
	"simhashkit/fphash/conventions"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/texttable"
)

func newKernels() *cobra.Command {
	command := &cobra.Command{
		Use:   "kernels",
		Short: "Show which kernel each operation uses on this machine",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			reason := "the best that this build supports on this processor"
			if value := os.Getenv(cpu.Variable); value != "" {
				reason = cpu.Variable + "=" + value
				if t, err := cpu.ParseTier(value); err == nil && t != cpu.Active() {
					reason += ", but this processor or build supports only " + cpu.Active().String()
				}
			}
			if kernel, _ := cmd.Flags().GetString("kernel"); kernel != "" {
				reason = "--kernel " + kernel
			}
			return writeKernels(cmd.OutOrStdout(), runtime.GOARCH, cpu.Detected(), cpu.Active(), reason, bench.Ops())
		},
	}
	kernelFlag(command.Flags())
	return command
}

// kernelFlag adds the flag that caps the kernels of this process, like FPHASH_KERNEL.
func kernelFlag(flags *pflag.FlagSet) {
	name := ""
	set := func(text string) error {
		if err := cpu.Check(); err != nil { // a misspelt FPHASH_KERNEL is an error even with --kernel
			return err
		}
		if name = text; name == "" {
			return nil
		}
		tier, err := cpu.ParseTier(name)
		if err == nil {
			_, err = cpu.SetTier(tier)
		}
		if err != nil {
			return fmt.Errorf("--kernel: %w", err)
		}
		return nil
	}
	flags.Var(&choiceValue{set, func() string { return name }}, "kernel", "fastest kernel to use: %s")
	offer(flags, "kernel", namesOf(cpu.Tiers("")))
}

// writeKernels writes two tables: the tiers, and the kernels of the operations. It says what a
// processor with the detected features supports, and what it uses below the active tier.
func writeKernels(w io.Writer, architecture string, detected cpu.Set, active cpu.Tier, reason string, ops []bench.Op) error {
	tiers := texttable.New("tier", "available", "needs")
	for _, t := range cpu.Tiers("") {
		available := "yes"
		switch missing := t.Needs() &^ detected; {
		case !slices.Contains(cpu.Tiers(architecture), t):
			available = "not on " + architecture
		case missing != 0:
			available = "lacks " + missing.String()
		case t > active:
			available = "yes, but capped"
		}
		tiers.AppendRow(texttable.Row{t.String(), available, needsOver(t)})
	}
	operations := texttable.New("operation", "uses", "kernels, fastest first")
	for _, f := range fphash.Families() {
		name := "hash " + f.Name
		if !slices.ContainsFunc(ops, func(op bench.Op) bool { return op.Name == name }) {
			operations.AppendRow(texttable.Row{name, terms.Library, "calls its library, one key at a time"})
		}
	}
	for _, op := range ops {
		var names []string
		for _, k := range op.Kernels {
			name := k.String()
			if !detected.Has(k.Needs()) {
				name += " (not available)"
			} else if k > active {
				name += " (capped)"
			}
			names = append(names, name)
		}
		operations.AppendRow(texttable.Row{op.Name, op.Used(active).String(), joined(names)})
	}
	_, err := fmt.Fprintf(w, "%s/%s   active tier: %v (%s)\n\n%s\n\n%s\n", runtime.GOOS, runtime.GOARCH, active, reason, tiers.Render(), operations.Render())
	return err
}

// needsOver returns the tier below and the features that a tier needs in addition.
func needsOver(t cpu.Tier) string {
	if t == cpu.Generic {
		return "nothing"
	}
	below := t.Below()
	added := (t.Needs() &^ below.Needs()).String()
	if below == cpu.Generic {
		return added
	}
	return below.String() + " and " + added
}

func newConventions() *cobra.Command {
	return &cobra.Command{
		Use:   "conventions",
		Short: "List other systems whose fingerprints fphash can compute",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return writeConventions(cmd.OutOrStdout()) },
	}
}

func conventionNames() (names []string) {
	for _, c := range conventions.All() {
		names = append(append(names, c.Name), c.Aliases...)
	}
	return names
}

// differencesWidth is the width of the column of differences, for lines of at most 120 columns.
const differencesWidth = 36

func writeConventions(w io.Writer) error {
	table := texttable.New("name", "hash", "bits", "what differs", "system")
	for _, c := range conventions.All() {
		differs := texttable.Wrap(strings.Join(c.Differences(), ", "), differencesWidth)
		system := c.System
		if c.HasTexts() {
			system += "; with text features"
		}
		name := strings.Join(append([]string{c.Name}, c.Aliases...), "\n")
		table.AppendRow(texttable.Row{name, c.Hash, c.FingerprintBits(), strings.Join(differs, "\n"), strings.Join(texttable.Wrap(system, differencesWidth), "\n")})
	}
	_, err := fmt.Fprintln(w, table.Render())
	return err
}
