package main

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/asm/cpu"
	"simhashkit/bench"
)

var update = flag.Bool("update", false, "write testdata/golden anew")

// execute runs a command line and returns its exit code and what it wrote.
func execute(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = exitCode(run(args, strings.NewReader(stdin), &out, &errs), &errs)
	return code, out.String(), errs.String()
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("(-want +got); go test -update writes it anew:\n%s", diff)
	}
}

func TestGolden(t *testing.T) {
	for _, tc := range []struct {
		name  string
		args  string
		stdin string
	}{
		{name: "help", args: "--help"},
		{name: "help-bench", args: "bench --help"},
		{name: "help-kernels", args: "kernels --help"},
		{name: "help-sketch", args: "sketch --help"},
		{name: "help-data", args: "data --help"},
		{name: "help-data-info", args: "data info --help"},
		{name: "help-data-generate", args: "data generate --help"},
		{name: "unknown-command", args: "skech"},
		{name: "unknown-subcommand", args: "data infos"},
		{name: "unknown-flag", args: "sketch --hsh md5"},

		{name: "sketch-text", args: "sketch testdata/small.svm"},
		{name: "sketch-stdin", args: "sketch -", stdin: "1 3:1 4:2\n"},
		{name: "sketch-stdin-error", args: "sketch", stdin: "1 3:1\n1 4\n"},
		{name: "sketch-jsonl", args: "sketch --format jsonl testdata/small.svm"},
		{name: "sketch-jsonl-all", args: "sketch --format jsonl --hash highway128 --bits 100 --seed 7 --key 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f --tie alternate --order sequential --encoding dec --weights f64 testdata/small.svm"},
		{name: "sketch-binary", args: "sketch --format binary --hash md5 --bits 96 testdata/small.svm"},
		{name: "sketch-unit", args: "sketch --weights unit --workers 2 testdata/small.svm"},
		{name: "sketch-fraction", args: "sketch --weights i32 testdata/small.svm"},
		{name: "sketch-base", args: "sketch --base 4 testdata/small.svm"},
		{name: "sketch-bad", args: "sketch testdata/bad.svm"},
		{name: "sketch-bad-binary", args: "sketch --format binary testdata/bad.svm"},
		{name: "sketch-keep-going", args: "sketch --keep-going testdata/bad.svm"},
		{name: "sketch-not-finite", args: "sketch", stdin: "1 1:1 # good\n1 5:3e38 6:3e38\n1 7:1\n"},
		{name: "sketch-no-file", args: "sketch testdata/absent.svm"},
		{name: "sketch-two-inputs", args: "sketch --data go-source testdata/small.svm"},
		{name: "sketch-data", args: "sketch --data testdata/small.svm"},
		{name: "sketch-too-wide", args: "sketch --bits 128 testdata/small.svm"},
		{name: "sketch-no-bits", args: "sketch --bits 0 testdata/small.svm"},
		{name: "sketch-no-hash", args: "sketch --hash xxh46 testdata/small.svm"},
		{name: "sketch-no-seed", args: "sketch --hash md5 --seed 1 testdata/small.svm"},
		{name: "sketch-odd-key", args: "sketch --hash highway64 --key 00x testdata/small.svm"},
		{name: "sketch-short-key", args: "sketch --hash highway64 --key 00ff testdata/small.svm"},
		{name: "sketch-bad-format", args: "sketch --format csv testdata/small.svm"},
		{name: "sketch-bad-weights", args: "sketch --weights f16 testdata/small.svm"},
		{name: "sketch-bad-tie", args: "sketch --tie two testdata/small.svm"},
		{name: "sketch-bad-kernel", args: "sketch --kernel sse2 testdata/small.svm"},

		{name: "data-info", args: "data info testdata/small.svm"},
		{name: "data-generate", args: "data generate --vectors 4 --nnz 4 --dimensions 1000"},
		{name: "data-generate-bad", args: "data generate --plant 0.9"},

		{name: "bench-list", args: "bench --list --kernel naive,library,generic --data testdata/small.svm"},
		{name: "bench-list-kernels", args: "bench --list --suite kernels --kernel generic --run (Accumulate|Hash|Hamming|Memory|Sketch.*generic/nnz)"},
		{name: "bench-list-quality", args: "bench --list --run Quality --hash md5,splitmix64 --encoding le64,dec --pattern strided,data --weights signed,f32 --data testdata/small.svm"},
		{name: "bench-list-folklore", args: "bench --list --suite folklore --run ^(Quality|NearDuplicates)"},
		{name: "bench-list-projections", args: "bench --list --suite projections --run D=1000/nnz"},
		{name: "bench-bad-pattern", args: "bench --list --pattern stride"},
		{name: "bench-bad-weights", args: "bench --list --weights sign"},
		{name: "bench-bad-suite", args: "bench --list --suite speed"},
		{name: "bench-bad-kernel", args: "bench --list --kernel avx3"},
		{name: "bench-bad-run", args: "bench --list --run ("},
		{name: "bench-bad-encoding", args: "bench --list --encoding utf8"},
		{name: "bench-bad-widen", args: "bench --list --widen zeros"},
		{name: "bench-nothing-widened", args: "bench --list --hash sha256 --widen counter"},
		{name: "bench-no-samples", args: "bench --samples 0"},
		{name: "bench-no-case", args: "bench --run nothing"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, stdout, stderr := execute(t, tc.stdin, strings.Fields(tc.args)...)
			if strings.HasPrefix(stdout, binaryMagic) {
				stdout = hex.Dump([]byte(stdout))
			}
			compareGolden(t, tc.name, fmt.Sprintf("$ fphash %s\nexit code %d\n--- stdout\n%s--- stderr\n%s", tc.args, code, stdout, stderr))
		})
	}
}

// What kernels prints depends on the machine, so here is a made-up one: no GFNI, and capped at
// AVX2.
func TestKernelsGolden(t *testing.T) {
	kernel := func(tier cpu.Tier) cpu.Kernel {
		return cpu.Kernel{Name: tier.String(), Tier: tier, Needs: tier.Needs()}
	}
	all := []cpu.Kernel{kernel(cpu.AVX512GFNI), kernel(cpu.AVX512), kernel(cpu.AVX2), kernel(cpu.Generic)}
	ops := []bench.Op{{Name: "hash xxh64", Kernels: all}, {Name: "accumulate i64", Kernels: all[3:]}, {Name: "hamming scan", Kernels: all[1:]}}
	var out bytes.Buffer
	if err := writeKernels(&out, cpu.AVX512.Needs(), cpu.AVX2, "FPHASH_KERNEL=avx2", ops); err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "kernels", strings.Replace(out.String(), runtime.GOOS+"/"+runtime.GOARCH, "OS/ARCH", 1))
}

func TestKernelsHere(t *testing.T) {
	former := cpu.Active()
	code, stdout, stderr := execute(t, "", "kernels", "--kernel", "generic")
	if code != exitSuccess || !strings.Contains(stdout, "active tier: generic (--kernel generic)") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if cpu.Active() != former {
		t.Errorf("the cap %v outlives the command", cpu.Active())
	}
	for _, op := range bench.Ops() {
		if !strings.Contains(stdout, op.Name) {
			t.Errorf("%s is not shown", op.Name)
		}
	}
}
