package main

import (
	"runtime"
	"strings"
	"testing"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/terms"
)

func TestCatalog(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	units, err := catalog()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, units, err string }{
		// wherever this runs
		{"Accumulate/weights=f32/f=64/kernel=avx512gfni/nnz=100", terms.NanosecondsPerFeature, ""},
		{"Sketch/hash=xxh64/weights=f32/f=64/kernel=avx2/cpus=2/nnz=100", terms.NanosecondsPerFeature, ""},
		{"HammingScan/layout=split/f=64/k=3/kernel=avx512/n=100000000", terms.MegabytesPerSecond, ""},
		{"Hash/hash=md5/encoding=le64/kernel=library/n=1024", terms.NanosecondsPerKey, ""},
		{"Build/index=blocks/f=64/k=3/kernel=avx2/n=50000000", terms.NanosecondsPerOperation + " " + terms.BytesPerEntry, ""},
		// on however few cores
		{"Pairs/index=blocks/f=64/k=3/kernel=avx2/cpus=2/n=1000000", terms.NanosecondsPerOperation, ""},
		{"Accumulate/weights=f32/f=64/kernel=avx3/nnz=100", "", `there is no kernel "avx3"`},
		{"Accumulate/weights=f32/f=64/kernel=avx2/nnz=99", "", `there is no case "Accumulate/weights=f32/f=64/kernel=avx2/nnz=99"`},
		{"Sketch/hash=xxh64/weights=f32/f=64/kernel=avx2/cpus=0/nnz=100", "", "there is no case"},
		{"MemoryRead", "", "there is no case"},
	} {
		name, err := benchname.Parse(tc.name)
		if err != nil {
			t.Fatal(err)
		}
		list, err := units(name)
		if got := strings.Join(list, " "); got != tc.units || (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
			t.Errorf("%s: %q, error %v", tc.name, got, err)
		}
	}
}
