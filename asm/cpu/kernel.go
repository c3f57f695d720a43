package cpu

// Kernel names one implementation of an op and says what it needs; the kernel tables of the ops
// embed it.
type Kernel struct {
	Name  string // the name of its tier
	Tier  Tier   // the tier at which the op's dispatch picks it
	Needs Set    // the extensions it uses, a subset of the tier's
}

// KernelAt returns the kernel of a tier.
func KernelAt(tier Tier, needs Set) Kernel { return Kernel{tier.String(), tier, needs} }

// Available reports whether the kernel can run here.
func (k Kernel) Available() bool { return detected.Has(k.Needs) }
