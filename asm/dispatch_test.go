package asm_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/assembly"
	"simhashkit/asm/internal/dispatch"
)

// At every tier, what an exported function can come to needs no more than the tier has, or it
// crashes on the processor that the tier was written for. Where the tier has a kernel of the op, it
// comes to that. And no kernel is left that nothing comes to.
func TestDispatchIsAsTheTiers(t *testing.T) {
	for _, architecture := range architectures {
		t.Run(architecture, func(t *testing.T) { dispatchIsAsTheTiers(t, architecture) })
	}
}

func dispatchIsAsTheTiers(t *testing.T, architecture string) {
	dirs := map[string]bool{}
	for _, path := range assemblyFiles(t, architecture) {
		dirs[filepath.Dir(path)] = true
	}
	called := map[string]bool{}
	for dir := range dirs {
		p, err := dispatch.Read(dir, architecture)
		if err != nil {
			t.Fatal(err)
		}
		own := map[[2]string][]string{} // by entry and op, the files that it comes to
		for _, tier := range cpu.TiersOf(architecture) {
			calls, err := p.Calls(tier)
			if err != nil {
				t.Fatal(err)
			}
			for _, call := range calls {
				if more := call.Requires &^ tier.Needs(); more != 0 {
					t.Errorf("%s: at tier %v, %s can come to %s, which needs %v; expected no more than the tier has", call.Position, tier, call.Entry, call.Name, more)
				}
				key := [2]string{call.Entry, opOf(call.Path, architecture)}
				own[key] = append(own[key], tier.String()+" "+call.Path)
				called[call.Path+" "+call.Name] = true
			}
		}
		for key, reached := range own {
			checkOwnKernels(t, architecture, key[0], key[1], strings.Join(reached, "\n")+"\n")
		}
	}
	for _, path := range assemblyFiles(t, architecture) {
		functions, err := assembly.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range functions {
			if !called[path+" "+f.Name] {
				t.Errorf("%s: no exported function comes to %s", path, f.Name)
			}
		}
	}
}

// checkOwnKernels fails unless the entry comes to the op's kernel of each tier that has one.
func checkOwnKernels(t *testing.T, architecture, entry, op, reached string) {
	for _, tier := range cpu.TiersOf(architecture) {
		path := op + "_" + tier.String() + "_" + architecture + ".s"
		if _, err := os.Stat(path); err == nil && !borrowed[entry+" "+path] && !strings.Contains(reached, tier.String()+" "+path+"\n") {
			t.Errorf("at tier %v, %s comes to nothing in %s, expected a call of the tier's kernel", tier, entry, path)
		}
	}
}

// borrowed are the entries and kernels where a tier takes the kernel of the one below it instead of
// its own.
var borrowed = map[string]bool{
	// it counts in numbers of 16 bits, and a UnitCounter is bit-sliced
	"Add accumulate/unit_avx512gfni_amd64.s": true,
}

// opOf returns what the paths of an op's assembly begin with.
func opOf(path, architecture string) string {
	path = strings.TrimSuffix(path, "_"+architecture+".s")
	return path[:strings.LastIndex(path, "_")]
}

// architectures have kernels in assembly.
var architectures = []string{"amd64", "arm64"}

func assemblyFiles(t *testing.T, architecture string) []string {
	paths, err := filepath.Glob("*/*_" + architecture + ".s")
	if err != nil || len(paths) == 0 {
		t.Fatal("no assembly found", err)
	}
	return paths
}
