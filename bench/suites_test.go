package bench

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/hamming"
	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/bench/libraries"
	"simhashkit/internal/bench/terms"
)

// The speed table of the kernels needs these rows, so their names must not change.
func TestKernelsSuite(t *testing.T) {
	got := names(t, Options{Suite: "kernels"})
	full := names(t, Options{Suite: "kernels", Full: true})
	want := []string{
		"Accumulate/weights=unit/f=64/kernel=generic/nnz=1",
		"Accumulate/weights=unit/f=64/kernel=generic/nnz=8192",
		"Accumulate/weights=f32/f=64/kernel=generic/nnz=8",
		"Accumulate/weights=i32/f=64/kernel=generic/range=small/nnz=100",
		"Accumulate/weights=f64/f=64/kernel=generic/order=sequential/nnz=1000",
		"Accumulate/weights=f32/f=1024/kernel=generic/nnz=100",
		"Accumulate/weights=set/f=1024/kernel=generic/nnz=100",
		"Hash/hash=splitmix64/encoding=le64/kernel=generic/n=1024",
		"Sketch/hash=xxh64/weights=f32/f=64/kernel=generic/nnz=100",
		"Sketch/hash=xxh64/weights=set/f=128/kernel=generic/nnz=100",
		"Sketch/hash=xxh64/weights=f32/f=64/kernel=generic/cpus=1/nnz=100",
		"Sketch/hash=xxh64/weights=f32/f=64/kernel=generic/cpus=1/vectors=1000/nnz=100",
		"HammingScan/layout=plain/f=64/k=3/kernel=generic/n=1000000",
		"HammingScan/layout=plain/f=64/k=3/kernel=generic/queries=64/n=10000",
		"MemoryRead/n=10000",
	}
	for _, name := range want {
		if !slices.Contains(got, name) {
			t.Errorf("the suite lacks %s", name)
		}
	}
	if twoCores := "Sketch/hash=xxh64/weights=f32/f=64/kernel=generic/cpus=2/nnz=100"; slices.Contains(got, twoCores) != (runtime.GOMAXPROCS(0) >= 2) {
		t.Errorf("%s must be in the suite if and only if there are two cores", twoCores)
	}
	for _, name := range got {
		if strings.Contains(name, "n=100000000") || strings.Contains(name, "kernel=naive") || strings.Contains(name, "kernel=library") {
			t.Errorf("%s is in the suite", name)
		}
		if !slices.Contains(full, name) {
			t.Errorf("%s is missing from the full suite", name)
		}
	}
	if huge := "HammingScan/layout=plain/f=64/k=3/kernel=generic/n=100000000"; !slices.Contains(full, huge) {
		t.Errorf("the full suite lacks %s", huge)
	}
	if naive := names(t, Options{Suite: "kernels", Kernels: []string{terms.Naive}}); len(naive) == 0 {
		t.Error("naive loops cannot be requested")
	}
}

// The suite has every operation at every tier that has a kernel for it and runs here.
func TestKernelsSuiteHasEveryTier(t *testing.T) {
	got := names(t, Options{Suite: "kernels"})
	for weights := range weightTypes {
		for _, tier := range tiersOf(cpu.Active(), kernelsOf(weights)) {
			if name := "Accumulate/weights=" + weights + "/f=64/kernel=" + tier.String() + "/nnz=100"; !slices.Contains(got, name) {
				t.Errorf("the suite lacks %s", name)
			}
		}
	}
	for _, tier := range tiersOf(cpu.Active(), hamming.Kernels("scan")) {
		if name := "HammingScan/layout=plain/f=64/k=3/kernel=" + tier.String() + "/n=10000"; !slices.Contains(got, name) {
			t.Errorf("the suite lacks %s", name)
		}
	}
}

// Every hash has a row for its library, if there is one, for every tier with a kernel, and for
// sketches at every tier.
func TestHashesSuite(t *testing.T) {
	got := names(t, Options{Suite: "hashes"})
	want := func(name string, args ...any) {
		t.Helper()
		if name := fmt.Sprintf(name, args...); !slices.Contains(got, name) {
			t.Errorf("the suite lacks %s", name)
		}
	}
	for _, f := range fphash.Families() {
		if f.Name == "identity" { // see familyNames
			continue
		}
		for _, n := range []int{1, 2, 4, 8, 16, 1024} {
			if _, ok := libraries.Of(f); ok || len(hashTable(f.Name)) == 0 {
				want("Hash/hash=%s/encoding=le64/kernel=library/n=%d", f.Name, n)
			}
			for _, tier := range tiersOf(cpu.Active(), hashTable(f.Name)) {
				want("Hash/hash=%s/encoding=le64/kernel=%v/n=%d", f.Name, tier, n)
			}
		}
		for _, tier := range tiersOf(cpu.Active(), kernelsOf("f32")) {
			want("Sketch/hash=%s/weights=f32/f=%d/kernel=%v/nnz=100", f.Name, min(64, f.Bits), tier)
			want("Sketch/hash=%s/weights=unit/f=%d/kernel=%v/nnz=100", f.Name, min(64, f.Bits), tier)
		}
	}
	for _, name := range names(t, Options{Suite: "hashes", Bits: []int{64}, Match: regexp.MustCompile("Sketch")}) {
		if strings.Contains(name, "hash=crc32c") {
			t.Errorf("%s does not have the requested 64 bits", name)
		}
	}
}

// The suite has the lengths just below and above each number of chunks, at every tier.
func TestKernelsSuiteHasLengths(t *testing.T) {
	got := names(t, Options{Suite: "kernels"})
	for _, weights := range []string{datasets.Unit, datasets.Float32} {
		for _, tier := range tiersOf(cpu.Active(), kernelsOf(weights)) {
			for _, nnz := range []int{1, 128, 129, 256, 257, 512, 513, 8192} {
				if name := fmt.Sprintf("Sketch/hash=xxh64/weights=%s/f=64/kernel=%v/nnz=%d", weights, tier, nnz); !slices.Contains(got, name) {
					t.Errorf("the suite lacks %s", name)
				}
			}
		}
	}
}

func TestVariantsThatDoNotExistAreLeftOut(t *testing.T) {
	o := Options{Suite: "kernels", Weights: []string{"unit", "i64"}, Match: regexp.MustCompile("order=|range=")}
	for _, name := range names(t, o) {
		if !strings.Contains(name, "weights=i64/") || !strings.Contains(name, "range=small") {
			t.Errorf("%s is in the grid", name)
		}
	}
}

func TestSampling(t *testing.T) {
	for _, s := range suites {
		if s.samples < 6 || s.sampleTime <= 0 {
			t.Errorf("suite %s: %d samples of %v give no interval", s.name, s.samples, s.sampleTime)
		}
	}
}

func TestWeightsAreWhatNamesSay(t *testing.T) {
	for _, small := range []bool{false, true} {
		least, most := int32(0), int32(0)
		for _, w := range someWeights[int32](features, small) {
			least, most = min(least, w), max(most, w)
		}
		if inside := least >= -127 && most <= 127; inside != small || least >= 0 || most <= 0 {
			t.Errorf("small=%v: weights from %d to %d", small, least, most)
		}
	}
	beyond := false
	for _, w := range someWeights[int64](features, false) {
		beyond = beyond || w > 1<<32 || w < -1<<32
	}
	if !beyond {
		t.Error("all i64 weights fit into 33 bits")
	}
}
