package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/text/encoding/htmlindex"

	"simhashkit/asm/cpu"
	"simhashkit/bench"
	"simhashkit/internal/testing/long"
)

var update = flag.Bool("update", false, "write anew what the scripts in testdata/script expect")

// realData is the folder of the project's real data. It is not distributed.
const realData = "../../../shared/data/sparse"

// TestScripts runs the files of testdata/script: command lines with their expected outputs. The
// command fphash is this test binary. Every script begins in a folder with the files of
// testdata/inputs.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                "testdata/script",
		UpdateScripts:      *update,
		RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			collection, err := filepath.Abs(realData)
			if err != nil {
				return err
			}
			program, err := exec.LookPath("fphash")
			if err != nil {
				return err
			}
			// with the race detector, a program otherwise sleeps for a second before it exits
			env.Setenv("GORACE", strings.TrimSpace("atexit_sleep_ms=0 "+os.Getenv("GORACE")))
			env.Setenv("REAL_DATA", collection)
			env.Setenv("BIN", filepath.Dir(program))
			env.Setenv("GO_VERSION", runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH)
			return os.CopyFS(env.WorkDir, os.DirFS("testdata/inputs"))
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "real-data":
				_, err := os.Stat(realData)
				return err == nil, nil
			case "dictionaries":
				_, err := chineseIDF()
				return err == nil, nil
			case "long":
				return long.Enabled(), nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":          scriptStatus,
			"refusals":        scriptRefusals,
			"damage":          scriptDamage,
			"encode":          scriptEncode,
			"kernels-made-up": scriptKernelsMadeUp,
		},
	})
}

// exits runs a command, fails unless it exits with this code, and returns its output.
func exits(ts *testscript.TestScript, want int, command string, args ...string) (stdout, stderr string) {
	code := 0
	if err := ts.Exec(command, args...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit code %d, expected %d", code, want)
	}
	return ts.ReadFile("stdout"), ts.ReadFile("stderr")
}

// varies lists patterns for output that differs between runs or machines.
var varies = []struct {
	what    *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(` in [0-9.]+m?s of at most`), " in TIME of at most"},
	{regexp.MustCompile(`(more rounds?) \([0-9.]+m?s\)`), "$1 (TIME)"},
	{regexp.MustCompile(` in TIME of at most [0-9.]+s,`), " in TIME of at most LIMIT,"}, // longer if rounds take long
	{regexp.MustCompile(`(?m)^(note  |- |note: )?(other programs|the processor has|a fixed comp|the hypervisor|the clock freq|there is one processor).*\n`), ""},
	{regexp.MustCompile(`[0-9.]+[nµm]?s per key|command [0-9]+ times? \([^)]*\)`), "…"},
	{regexp.MustCompile(`take \S+ on [0-9]+ cores?, \S+ with the first hash`), "…"},
	// printed by commands that take more than ten seconds on a slow machine
	{regexp.MustCompile(`(?m)^(preparing|asking|measuring|comparing all pairs)  ?.*\n`), ""},
}

// status CODE PROGRAM [ARG...] runs a program and fails unless it exits with the code. It masks the
// patterns of varies in the output.
func scriptStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args[0]) != 1 {
		ts.Fatalf("usage: status CODE PROGRAM [ARG...]")
	}
	stdout, stderr := exits(ts, int(args[0][0]-'0'), args[1], args[2:]...)
	for _, v := range varies {
		stdout, stderr = v.what.ReplaceAllString(stdout, v.instead), v.what.ReplaceAllString(stderr, v.instead)
	}
	if stdout != ts.ReadFile("stdout") || stderr != ts.ReadFile("stderr") {
		fmt.Fprint(ts.Stdout(), stdout)
		fmt.Fprint(ts.Stderr(), stderr)
	}
}

// refusals FILE runs the lines of the file that begin with a dollar sign, and fails unless all of
// them exit with 2 and without results. It prints each line with its messages, and the comments of
// the file. If all is well, this is the content of the file.
func scriptRefusals(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: refusals FILE")
	}
	var transcript strings.Builder
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		command, isCommand := strings.CutPrefix(line, "$ ")
		if isCommand || strings.HasPrefix(line, "#") {
			transcript.WriteString(line)
		}
		if !isCommand {
			continue
		}
		words := strings.Fields(command)
		for i, word := range words {
			words[i] = os.Expand(word, ts.Getenv)
		}
		stdout, stderr := exits(ts, 2, words[0], words[1:]...)
		if stdout != "" {
			ts.Fatalf("%q has results", command)
		}
		transcript.WriteString(stderr)
	}
	fmt.Fprint(ts.Stdout(), transcript.String())
}

// damage changes a byte of the last batch of an index.
func scriptDamage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: damage INDEX")
	}
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	data[bytes.LastIndex(data, []byte("FPHB"))+60] ^= 1
	ts.Check(os.WriteFile(path, data, 0o666))
}

// encode writes copies of files in another charset: cafe.txt becomes latin1.txt.
func scriptEncode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: encode CHARSET FILE...")
	}
	charset, err := htmlindex.Get(args[0])
	ts.Check(err)
	for _, file := range args[1:] {
		text, err := charset.NewEncoder().String(ts.ReadFile(file))
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(args[0]+filepath.Ext(file)), []byte(text), 0o666))
	}
}

// kernels-made-up prints the output of fphash kernels on a machine without GFNI, capped at
// AVX2.
func scriptKernelsMadeUp(ts *testscript.TestScript, neg bool, args []string) {
	all := []cpu.Tier{cpu.AVX512GFNI, cpu.AVX512, cpu.AVX2, cpu.Generic}
	ops := []bench.Op{{Name: "hash xxh64", Kernels: all}, {Name: "accumulate i64", Kernels: all[3:]}, {Name: "hamming scan", Kernels: all[1:]}}
	var out bytes.Buffer
	ts.Check(writeKernels(&out, "amd64", cpu.AVX512.Needs(), cpu.AVX2, "FPHASH_KERNEL=avx2", ops))
	fmt.Fprint(ts.Stdout(), strings.Replace(out.String(), runtime.GOOS+"/"+runtime.GOARCH, "OS/ARCH", 1))
}
