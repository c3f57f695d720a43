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
	"simhashkit/bench/terms"
	"simhashkit/fphash"
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
					reason += ", of which this processor or build has no more than " + cpu.Active().String()
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
		if err := cpu.Check(); err != nil { // before the flag hides it
			return err
		}
		if name = text; name == "" {
			return nil
		}
		if err := fphash.SetKernel(name); err != nil {
			return fmt.Errorf("--kernel: %w", err)
		}
		return nil
	}
	flags.Var(&choiceValue{set, func() string { return name }}, "kernel", "use no kernel above this one: %s")
	offer(flags, "kernel", written(cpu.Tiers()...))
}

// writeKernels lists the tiers and kernels that this processor supports and uses under the cap, and
// why others are not used.
func writeKernels(w io.Writer, architecture string, detected cpu.Set, active cpu.Tier, reason string, ops []bench.Op) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s/%s   active tier: %v (%s)\n\n", runtime.GOOS, runtime.GOARCH, active, reason)

	tiers := texttable.New("tier", "available", "needs")
	for _, t := range cpu.Tiers() {
		available := "yes"
		if !slices.Contains(cpu.TiersOf(architecture), t) {
			available = "not on " + architecture
		} else if missing := t.Needs() &^ detected; missing != 0 {
			available = "lacks " + missing.String()
		} else if t > active {
			available = "yes, but capped"
		}
		tiers.AppendRow(texttable.Row{t.String(), available, needsOver(t)})
	}
	fmt.Fprintf(&out, "%s\n\n", texttable.Render(tiers))

	kernels := texttable.New("operation", "uses", "kernels, fastest first")
	for _, f := range fphash.Families() {
		name := "hash " + f.Name
		if !slices.ContainsFunc(ops, func(op bench.Op) bool { return op.Name == name }) {
			kernels.AppendRow(texttable.Row{name, terms.Library, "its library's calls, one key at a time"})
		}
	}
	for _, op := range ops {
		var names []string
		for _, k := range op.Kernels {
			name := k.Name
			switch {
			case !detected.Has(k.Needs):
				name += " (not available)"
			case k.Tier > active:
				name += " (capped)"
			}
			names = append(names, name)
		}
		kernels.AppendRow(texttable.Row{op.Name, op.Used(active).Name, joined(names)})
	}
	fmt.Fprintln(&out, texttable.Render(kernels))
	_, err := io.WriteString(w, out.String())
	return err
}

// needsOver returns the features that a tier needs in addition to the tier below.
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
