// Package cpu detects the features of this processor and chooses the tier of kernels to use.
//
// A Set holds the instruction-set extensions that kernels need. A Tier is a named level of such
// extensions that all ops are built for; every op picks the best kernel it has at or below the
// active tier. The active tier is the best supported one, unless the environment variable
// FPHASH_KERNEL or SetTier limits it. All kernels of an op give the same bits, so the tier changes
// the speed and nothing else.
//
// On amd64, the package asks the processor for its extensions. On arm64 it need not, because the
// tier neon uses only Advanced SIMD, which Go requires. Other architectures have only the generic
// tier.
package cpu

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
)

// Variable is the name of the environment variable that limits the tier.
const Variable = "FPHASH_KERNEL"

// Tier is a level of instruction-set extensions; a higher tier includes the lower ones of its
// architecture.
type Tier uint32

// The tiers, slowest first. The tiers of one architecture are adjacent.
const (
	Generic    Tier = iota // pure Go, every architecture
	NEON                   // Advanced SIMD: every processor of arm64
	AVX2                   // AVX2, BMI2, POPCNT, SSE4.2: Haswell, Zen and later
	AVX512                 // AVX-512 F, BW, DQ, VL: Skylake-X, Cascade Lake and later
	AVX512GFNI             // also VBMI, GFNI, VPOPCNTDQ, BITALG, VNNI: Ice Lake, Zen 4 and later
)

var tiers = [...]struct {
	name  string
	needs Set
}{
	Generic:    {"generic", 0},
	NEON:       {"neon", neon},
	AVX2:       {"avx2", avx2},
	AVX512:     {"avx512", avx512},
	AVX512GFNI: {"avx512gfni", avx512gfni},
}

// String returns the tier's name as used in FPHASH_KERNEL and in benchmark names.
func (t Tier) String() string {
	if int(t) < len(tiers) {
		return tiers[t].name
	}
	return fmt.Sprintf("Tier(%d)", uint32(t))
}

// Needs returns the extensions that a processor must have for the tier.
func (t Tier) Needs() Set { return tiers[t].needs }

// Below returns the highest tier that t includes. Its kernels serve ops that have none at t. For
// Generic, Below returns Generic.
func (t Tier) Below() Tier {
	below := Generic
	for lower := Generic; lower < t; lower++ {
		if t.Needs().Has(lower.Needs()) {
			below = lower
		}
	}
	return below
}

// Tiers returns the tiers that processors of an architecture may have, by its GOARCH, slowest
// first. It returns all tiers for "".
func Tiers(architecture string) []Tier {
	switch architecture {
	case "":
		return []Tier{Generic, NEON, AVX2, AVX512, AVX512GFNI}
	case "amd64":
		return []Tier{Generic, AVX2, AVX512, AVX512GFNI}
	case "arm64":
		return []Tier{Generic, NEON}
	}
	return []Tier{Generic}
}

// ParseTier returns the tier of that name.
func ParseTier(name string) (Tier, error) {
	var names []string
	for t := range tiers {
		if tiers[t].name == name {
			return Tier(t), nil
		}
		names = append(names, tiers[t].name)
	}
	return Generic, fmt.Errorf("cpu: unknown kernel %q; the kernels are %s", name, strings.Join(names, ", "))
}

// best returns the highest tier whose extensions are all in s.
func best(s Set) Tier {
	highest := Generic
	for t := range tiers {
		if s.Has(tiers[t].needs) {
			highest = Tier(t)
		}
	}
	return highest
}

var (
	detected    = detect()
	active      atomic.Uint32
	overrideErr atomic.Pointer[error]
)

func init() {
	tier, err := choose(os.Getenv(Variable), detected)
	if err != nil {
		overrideErr.Store(&err)
	}
	active.Store(uint32(tier))
}

// choose returns the best supported tier, limited by override. If override is a tier of another
// architecture, choose falls back to the best tier that it has in common with this one. Unknown
// names are an error. The tier is then Generic, which runs everywhere, and Check returns the error
// to callers that rely on the tier.
func choose(override string, features Set) (Tier, error) {
	if override == "" {
		return best(features), nil
	}
	t, err := ParseTier(override)
	if err != nil {
		return Generic, fmt.Errorf("%s=%s: %w", Variable, override, err)
	}
	return best(features & t.Needs()), nil
}

func supports(features Set, t Tier) error {
	if int(t) >= len(tiers) {
		return fmt.Errorf("cpu: there is no %v", t)
	}
	if missing := t.Needs() &^ features; missing != 0 {
		return fmt.Errorf("cpu: kernel %v is not available here: this build on this processor lacks %v", t, missing)
	}
	return nil
}

// Detected returns the extensions that kernels may use on this machine: those that the processor
// has, the operating system has enabled and the build includes. There are none with the build tag
// purego, and on architectures other than amd64 and arm64.
func Detected() Set { return detected }

// Supported returns the tiers that can run here, slowest first.
func Supported() (list []Tier) {
	for _, t := range Tiers("") {
		if t.Available() {
			list = append(list, t)
		}
	}
	return list
}

// seen reads the variable again, after main has started. The go command reuses a cached test result
// only if the variables that the test read are unchanged, and it does not record reads before main.
var seen = sync.OnceFunc(func() { os.Getenv(Variable) })

// Check returns an error if FPHASH_KERNEL names a tier that does not exist. Constructors of values
// that rely on the tier must return this error, so that a misspelt override never goes unnoticed.
func Check() error {
	seen()
	if err := overrideErr.Load(); err != nil {
		return *err
	}
	return nil
}

// Active returns the tier that limits all ops. It costs one plain load on amd64.
func Active() Tier { return Tier(active.Load()) }

// SetTier limits all ops to t from now on, for the whole process, and returns the former limit. It
// overrides FPHASH_KERNEL, even if that has an invalid value. It is safe to call while kernels run.
// The error says which extension is missing; the limit then does not change.
func SetTier(t Tier) (former Tier, err error) {
	if err := supports(detected, t); err != nil {
		return Active(), err
	}
	overrideErr.Store(nil)
	return Tier(active.Swap(uint32(t))), nil
}

// Available reports whether kernels of the tier can run on this machine. Tables list all kernels of
// a build.
func (t Tier) Available() bool { return detected.Has(t.Needs()) }

// Set is a set of instruction-set extensions.
type Set uint32

// The extensions that kernels may need.
const (
	extAVX Set = 1 << iota
	extAVX2
	extBMI1
	extBMI2
	extPOPCNT
	extSSE42
	extAVX512F
	extAVX512BW
	extAVX512DQ
	extAVX512VL
	extAVX512VBMI
	extAVX512VPOPCNTDQ
	extAVX512BITALG
	extAVX512VNNI
	extGFNI
	extASIMD
)

// setNames are the names that avo uses in the comment "// Requires:" above each kernel in the
// assembly. A test compares these comments with the tiers.
var setNames = [...]string{"AVX", "AVX2", "BMI", "BMI2", "POPCNT", "SSE4.2", "AVX512F", "AVX512BW", "AVX512DQ", "AVX512VL", "AVX512VBMI", "AVX512VPOPCNTDQ", "AVX512BITALG", "AVX512VNNI", "GFNI", "ASIMD"}

const (
	neon       = extASIMD
	avx2       = extAVX | extAVX2 | extBMI1 | extBMI2 | extPOPCNT | extSSE42
	avx512     = avx2 | extAVX512F | extAVX512BW | extAVX512DQ | extAVX512VL
	avx512gfni = avx512 | extAVX512VBMI | extAVX512VPOPCNTDQ | extAVX512BITALG | extAVX512VNNI | extGFNI
)

// Has reports whether all of needs is in s.
func (s Set) Has(needs Set) bool { return needs&^s == 0 }

// String lists the extensions, separated by commas.
func (s Set) String() string {
	if s == 0 {
		return "nothing"
	}
	var list []string
	for i, name := range setNames {
		if s>>i&1 != 0 {
			list = append(list, name)
		}
	}
	return strings.Join(list, ", ")
}
