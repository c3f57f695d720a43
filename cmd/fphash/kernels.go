package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/asm/cpu"
	"simhashkit/bench"
	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/jsonout"
	"simhashkit/internal/texttable"
)

func newKernels() *cobra.Command {
	var format string
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
			return writeKernels(cmd.OutOrStdout(), reportKernels(runtime.GOARCH, cpu.Detected(), cpu.Active(), reason, bench.Ops()), format)
		},
	}
	kernelFlag(command.Flags())
	formatFlag(command.Flags(), &format)
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
	offer(flags, "kernel", written(cpu.Tiers()...))
}

// kernelReport lists the kernels that this processor and build support, and those in use.
type kernelReport struct {
	Platform   string            `json:"platform"`
	ActiveTier string            `json:"active_tier"`
	Reason     string            `json:"reason"` // for the active tier
	Tiers      []kernelTier      `json:"tiers"`  // slowest first
	Operations []kernelOperation `json:"operations"`
}

// kernelTier is a tier, or the kernel of an operation at a tier.
type kernelTier struct {
	Name      string `json:"name"`
	Available bool   `json:"available"`        // on this processor and build
	Reason    string `json:"reason,omitempty"` // why it is not available
	Capped    bool   `json:"capped,omitempty"` // it is faster than the cap
	Needs     string `json:"needs,omitempty"`
}

// kernelOperation is an operation with its kernels, the fastest first. It has no kernels if it
// calls a library.
type kernelOperation struct {
	Name    string       `json:"name"`
	Uses    string       `json:"uses"`
	Kernels []kernelTier `json:"kernels,omitempty"`
}

// reportKernels lists the tiers and kernels that this processor supports and uses under the cap,
// and why others are not used.
func reportKernels(architecture string, detected cpu.Set, active cpu.Tier, reason string, ops []bench.Op) *kernelReport {
	r := &kernelReport{Platform: runtime.GOOS + "/" + runtime.GOARCH, ActiveTier: active.String(), Reason: reason}
	for _, t := range cpu.Tiers() {
		tier := kernelTier{Name: t.String(), Needs: needsOver(t)}
		if !slices.Contains(cpu.TiersOf(architecture), t) {
			tier.Reason = "not on " + architecture
		} else if missing := t.Needs() &^ detected; missing != 0 {
			tier.Reason = "lacks " + missing.String()
		} else {
			tier.Available, tier.Capped = true, t > active
		}
		r.Tiers = append(r.Tiers, tier)
	}
	for _, f := range fphash.Families() {
		name := "hash " + f.Name
		if !slices.ContainsFunc(ops, func(op bench.Op) bool { return op.Name == name }) {
			r.Operations = append(r.Operations, kernelOperation{Name: name, Uses: terms.Library})
		}
	}
	for _, op := range ops {
		operation := kernelOperation{Name: op.Name, Uses: op.Used(active).Name}
		for _, k := range op.Kernels {
			available := detected.Has(k.Needs)
			operation.Kernels = append(operation.Kernels, kernelTier{Name: k.Name, Available: available, Capped: available && k.Tier > active})
		}
		r.Operations = append(r.Operations, operation)
	}
	return r
}

// writeKernels writes the report as two tables, or as a JSON object.
func writeKernels(w io.Writer, r *kernelReport, format string) error {
	if format == "json" {
		return jsonout.Write(w, r)
	}
	tiers := texttable.New("tier", "available", "needs")
	for _, t := range r.Tiers {
		available := "yes"
		if !t.Available {
			available = t.Reason
		} else if t.Capped {
			available = "yes, but capped"
		}
		tiers.AppendRow(texttable.Row{t.Name, available, t.Needs})
	}
	operations := texttable.New("operation", "uses", "kernels, fastest first")
	for _, op := range r.Operations {
		var names []string
		for _, k := range op.Kernels {
			name := k.Name
			if !k.Available {
				name += " (not available)"
			} else if k.Capped {
				name += " (capped)"
			}
			names = append(names, name)
		}
		operations.AppendRow(texttable.Row{op.Name, op.Uses, cmp.Or(joined(names), "calls its library, one key at a time")})
	}
	_, err := fmt.Fprintf(w, "%s   active tier: %s (%s)\n\n%s\n\n%s\n", r.Platform, r.ActiveTier, r.Reason, tiers.Render(), operations.Render())
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
