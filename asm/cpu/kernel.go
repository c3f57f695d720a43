package cpu

import "fmt"

// Kernel names one implementation of an op and says what it needs; the kernel tables of the ops
// embed it.
type Kernel struct {
	Name  string // the name of its tier
	Tier  Tier   // the tier at which the op's dispatch picks it
	Needs Set    // the extensions it uses, a subset of the tier's
}

// KernelAt returns the kernel of a tier.
func KernelAt(tier Tier, needs Set) Kernel { return Kernel{tier.String(), tier, needs} }

// Row returns the kernel itself: what the rows of all ops' tables have in common.
func (k Kernel) Row() Kernel { return k }

// Available reports whether the kernel can run here. Tables list all kernels of a build; those that
// are not available panic when they are called.
func (k Kernel) Available() bool { return detected.Has(k.Needs) }

// Usable returns the tier. It panics with the missing features if the kernel cannot run here, so
// that calling it does not end in an illegal instruction.
func (k Kernel) Usable() Tier {
	if missing := k.Needs &^ detected; missing != 0 {
		panic(fmt.Sprintf("cpu: kernel %s cannot run here: it lacks %v", k.Name, missing))
	}
	return k.Tier
}
