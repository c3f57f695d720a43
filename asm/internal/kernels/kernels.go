// Package kernels runs the tests of an op on all of its kernels, and checks the kernel tables
// against the assembly.
package kernels

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/assembly"
	"simhashkit/asm/internal/registers"
)

// Implementation is a kernel of an op, with the function through which a test calls it.
type Implementation[F any] struct {
	cpu.Kernel
	Call F
}

// List returns the kernels of a table. On amd64, which has the highest tiers, it adds the dispatch
// at a made-up tier above them, which must call the fastest kernel. at returns the function that
// calls the kernel of a tier.
func List[F any](table []cpu.Kernel, at func(tier cpu.Tier) F) (list []Implementation[F]) {
	for _, k := range table {
		list = append(list, Implementation[F]{k, at(k.Tier)})
	}
	if runtime.GOARCH == "amd64" && table[0].Tier != cpu.Generic {
		above := slices.Max(cpu.Tiers()) + 1
		list = append(list, Implementation[F]{cpu.Kernel{Name: "above", Tier: above, Needs: table[0].Needs}, at(above)})
	}
	return list
}

// OnEach runs body on every kernel that can run here, and on the dispatch at every tier. The names
// of the subtests begin with prefix.
func OnEach[F any](t *testing.T, prefix string, kernels []Implementation[F], dispatch F, body func(t *testing.T, call F)) {
	for _, k := range kernels {
		if k.Available() {
			t.Run(prefix+k.Name, func(t *testing.T) { body(t, k.Call) })
		}
	}
	OnTiers(t, prefix+"dispatch=", func(t *testing.T) { body(t, dispatch) })
}

// OnTiers runs body with the dispatch limited to each tier that can run on this machine.
func OnTiers(t *testing.T, prefix string, body func(t *testing.T)) {
	for _, tier := range cpu.Supported() {
		t.Run(prefix+tier.String(), func(t *testing.T) {
			if err := At(tier, func() error { body(t); return nil }); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// At calls f with the dispatch limited to the tier.
func At(tier cpu.Tier, f func() error) error {
	former, err := cpu.SetTier(tier)
	if err != nil {
		return err
	}
	defer cpu.SetTier(former)
	return f()
}

// LeavesClean calls the kernel on n elements and fails if it leaves the upper halves of the vector
// registers in use. It does nothing if the processor cannot report that. If a goroutine is
// preempted, loads restore all of its registers, which count as use. So a single finding need not
// be the kernel's fault, and the test fails only after three such calls in a row. Each call starts
// with a clean state, since pure Go never cleans it.
func LeavesClean(t *testing.T, n int, kernel func()) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for range 3 {
		registers.Wipe()
		kernel()
		if !registers.UpperKnown() || !registers.UpperInUse() {
			return
		}
	}
	t.Fatalf("n=%d: the upper halves of the vector registers are still in use", n)
}

// PanicOf returns the value that the call panics with, or nil if it does not panic.
func PanicOf(call func()) (value any) {
	defer func() { value = recover() }()
	call()
	return nil
}

// CheckTables compares the tables of the package under test with its assembly. The keys of tables
// are the prefixes of the names of an op's files. CheckTables checks that a kernel needs exactly
// the extensions that its file requires, that its tier includes these, that every file belongs to a
// kernel, that the fastest kernel comes first, and that the generic one comes last.
func CheckTables(t *testing.T, tables map[string][]cpu.Kernel) {
	t.Helper()
	suffix := "_" + runtime.GOARCH + ".s"
	files, err := filepath.Glob("*" + suffix)
	if err != nil || len(files) == 0 {
		t.Fatal("no assembly found", err)
	}
	for op, table := range tables {
		for i, k := range table {
			if k.Name != k.Tier.String() {
				t.Errorf("%s: kernel %s has the tier %v", op, k.Name, k.Tier)
			}
			if i > 0 && k.Tier >= table[i-1].Tier {
				t.Errorf("%s: kernel %s comes after %s", op, k.Name, table[i-1].Name)
			}
			if !k.Tier.Needs().Has(k.Needs) {
				t.Errorf("%s, %s needs %v, more than its tier has", op, k.Name, k.Needs&^k.Tier.Needs())
			}
			if k.Tier == cpu.Generic {
				continue
			}
			functions, err := assembly.Read(op + "_" + k.Name + suffix)
			if err != nil {
				t.Fatal(err)
			}
			var requires cpu.Set
			for _, f := range functions {
				requires |= f.Requires
			}
			if requires != k.Needs {
				t.Errorf("%s, %s: the table says %v, the assembly requires %v", op, k.Name, k.Needs, requires)
			}
		}
		if last := table[len(table)-1]; last != cpu.KernelAt(cpu.Generic, 0) {
			t.Errorf("%s: the last kernel is %+v, not the generic one", op, last)
		}
	}
	for _, file := range files {
		name := strings.TrimSuffix(file, suffix)
		cut := strings.LastIndex(name, "_")
		if !slices.ContainsFunc(tables[name[:cut]], func(k cpu.Kernel) bool { return k.Name == name[cut+1:] }) {
			t.Errorf("%s belongs to no kernel of a table", file)
		}
	}
}
