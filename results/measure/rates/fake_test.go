package main

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"os"
	"runtime"
	"strings"
	"testing"
)

// fakeVariable makes this test program behave like the programs that are run.
const fakeVariable = "FPHASH_RATES_FAKE"

func TestMain(m *testing.M) {
	if os.Getenv(fakeVariable) == "" {
		os.Exit(m.Run())
	}
	if os.Args[1] == "ab" {
		os.Exit(fakeAB(os.Args[2:]))
	}
	os.Exit(fakeBench(os.Args[1:]))
}

// flagsOf reads -flag value and -flag=value.
func flagsOf(args []string) map[string]string {
	flags := map[string]string{}
	for i := 0; i < len(args); i++ {
		if name, value, ok := strings.Cut(args[i], "="); ok {
			flags[name] = value
		} else {
			flags[args[i]] = args[i+1]
			i++
		}
	}
	return flags
}

// fakeAB says what fphash ab says: a regression if the new side has extra work, but for one
// benchmark in four that is unclear; and a broken benchmark is a gap.
func fakeAB(args []string) int {
	flags := flagsOf(args)
	if !strings.Contains(flags["--old"], "FPHASH_EXTRA_WORK=00") || !strings.Contains(flags["--new"], " -test.bench={} ") || flags["--format"] != "jsonl" || flags["--budget"] != "3s" {
		fmt.Fprintf(os.Stderr, "unexpected arguments %q\n", args)
		return 2
	}
	hash := fnv.New32a()
	hash.Write([]byte(flags["--bench"]))
	verdict, effect, code := "no change", `{"change":0.001,"lo":-0.01,"hi":0.01,"p":1}`, 0
	switch slow := !strings.Contains(flags["--new"], "FPHASH_EXTRA_WORK=00"); {
	case strings.Contains(flags["--bench"], "MemoryRead"):
		fmt.Println(`{"type":"gap","kind":"samples","message":"too few","accepted":false}`)
		verdict, effect, code = "unclear", `{"p":1}`, 2
	case slow && hash.Sum32()%4 == 0:
		verdict, effect = "unclear", `{"change":0.05,"lo":-0.01,"p":0.2}`
	case slow:
		verdict, effect, code = "REGRESSION", `{"change":0.06,"lo":0.05,"hi":0.07,"p":0.001}`, 1
	}
	fmt.Printf(`{"type":"comparison","benchmark":"x","verdict":%q,"effect":%s,"old":{"runs":12},"new":{"runs":12}}`+"\n", verdict, effect)
	fmt.Println(`{"type":"note","message":"bound"}`)
	fmt.Println(`{"type":"summary","gaps":0}`)
	return code
}

// fakeBench prints as many results as it is asked for, whose figures tell the extra work: a
// hundredth of a percent above it, and one more each.
func fakeBench(args []string) int {
	flags := flagsOf(args)
	if strings.Contains(flags["-test.bench"], "lookup3") {
		fmt.Println("--- FAIL: lookup3")
		return 1
	}
	extra, count := 0, 0
	fmt.Sscanf(os.Getenv("FPHASH_EXTRA_WORK"), "%d", &extra)
	fmt.Sscanf(flags["-test.count"], "%d", &count)
	for i := range count {
		fmt.Printf("BenchmarkFake 2000 %d ns/key\n", 10_000+100*extra+i)
	}
	return 0
}

// fakeRun runs the program with fakes.
func fakeRun(t *testing.T, args ...string) (stderr string, err error) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
	t.Setenv(fakeVariable, "1")
	t.Setenv("GOCOVERDIR", t.TempDir())
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = run(t.Context(), append([]string{"-fphash", self, "-bench", self, "-budget", "3s", "-busy=false"}, args...), &out, &out)
	return out.String(), err
}
