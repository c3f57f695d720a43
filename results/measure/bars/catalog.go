package main

import (
	"fmt"
	"slices"
	"strconv"

	"simhashkit/asm/cpu"
	"simhashkit/bench"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/terms"
)

// catalog returns a function that tells the units of a case's figures, that of its time or rate
// first, or says that no suite has such a case. Kernels and numbers of cores need not be what this
// machine has.
func catalog() (func(benchname.Name) (units []string, err error), error) {
	units := map[string][]string{}
	for _, suite := range bench.Suites() {
		for _, full := range []bool{false, true} {
			plan, err := bench.NewPlan(bench.Options{Suite: suite, Full: full, Data: bench.DefaultData, AnyCores: true})
			if err != nil {
				return nil, err
			}
			for _, c := range plan.Cases {
				units[anywhere(c.Name)] = append([]string{c.Unit}, c.Counted...)
			}
		}
	}
	return func(name benchname.Name) ([]string, error) {
		if kernel := name.Get("kernel"); kernel != "" && !isKernel(kernel) {
			return nil, fmt.Errorf("there is no kernel %q", kernel)
		}
		list, ok := units[anywhere(name)]
		if !ok {
			return nil, fmt.Errorf("there is no case %q", name)
		}
		return list, nil
	}, nil
}

// anywhere is the name without what depends on the machine.
func anywhere(name benchname.Name) string {
	name = name.With("kernel", "*")
	if n, err := strconv.Atoi(name.Get("cpus")); err == nil && n > 0 {
		name = name.With("cpus", "*")
	}
	return name.String()
}

func isKernel(name string) bool {
	_, err := cpu.ParseTier(name)
	return err == nil || slices.Contains([]string{terms.Naive, terms.Library}, name)
}
