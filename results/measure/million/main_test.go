package main

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/testing/long"
	"simhashkit/internal/testing/tools"
)

// The stages run in a process of their own, which the tests are when they are told so.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args, "-stages") {
		main()
		return
	}
	os.Exit(m.Run())
}

// measured runs the command and returns what it files.
func measured(t *testing.T, args ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.txt")
	before, set := os.Args, flag.CommandLine
	defer func() { os.Args, flag.CommandLine = before, set }()
	flag.CommandLine = flag.NewFlagSet("million", flag.ContinueOnError)
	os.Args = append([]string{before[0], "-n", "300", "-folder", t.TempDir(), "-out", out, "-cpus", "1 2"}, args...)
	if err := run(t.Context()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), t.TempDir()) {
		t.Errorf("the file has folders of this machine:\n%s", text)
	}
	return string(text)
}

// Every stage has a row on one core and on two, and exact copies are found.
func TestStages(t *testing.T) {
	text := measured(t, "-tools", "words,n=3,fold/k=5 words/k=2/unsure=4 bytes,n=8")
	for _, features := range []string{"words,n=3,fold/k=5", "words/k=2/t=4", "bytes,n=8"} {
		for _, stage := range []string{"sketch", "join", "attributes", "remove", "total"} {
			for _, cpus := range []string{"", "/cpus=2"} {
				if want := "\nBenchmarkCorpus/tool=fphash/features=" + features + "/stage=" + stage + cpus + "/n=300 1 "; strings.Count(text, want) != 1 {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
		}
		if want := "/features=" + features + "/edit=none/n=300 1 1 recall "; !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if _, err := resultfile.Read(strings.NewReader(text), "x"); err != nil {
		t.Error(err)
	}
}

// python writes a program that says what text-dedup's script would.
func python(t *testing.T, script string) string {
	tools.Need(t, "sh")
	tools.NeedExecutable(t)
	path := filepath.Join(t.TempDir(), "python")
	// the arguments: the script, the method, the number of processors, the folder
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho pid $$\necho version 1.2 of Python 3\n"+script), 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}

// The other library's stages and groups are filed beside ours.
func TestPeer(t *testing.T) {
	text := measured(t, "-tools", "bytes,n=8", "-python", python(t, `echo begin total; echo some words
echo begin clustering; echo end clustering 1.5; echo end total 2.5
echo 1 0 > $4/clusters.txt
`))
	for _, want := range []string{
		"# text-dedup: 1.2 of Python 3\n",
		"# datasketch: 1.2 of Python 3\n",
		"/tool=text-dedup-simhash/stage=clustering/n=300 1 1.5e+09 ns/op",
		"/tool=text-dedup-minhash/stage=total/cpus=2/n=300 1 2.5e+09 ns/op",
		"BenchmarkCorpusFound/tool=text-dedup-minhash/n=300 1 0 recall 0 precision 0 precision-jaccard 1 dropped ",
		"/tool=datasketch-minhash/stage=total/cpus=2/n=300 1 2.5e+09 ns/op",
	} {
		if strings.Count(text, want) != 1 {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// A run that does not end in time, and one that fails, are rows that say so, with the stages that
// they had behind them.
func TestPeerThatDoesNotEnd(t *testing.T) {
	long.Skip(t, "waits for the limit, which leaves time enough to begin")
	text := measured(t, "-tools", "bytes,n=8", "-cpus", "2", "-limit", "5s", "-python", python(t, `echo begin total
echo begin reading; echo end reading 0.1
echo begin hashing
test $2 = minhash && exit 1
sleep 100
`))
	for _, want := range []string{
		"# skipped: Corpus/tool=text-dedup-simhash/stage=total/cpus=2/n=300: it had not ended after 5s, in the stage hashing of total\n",
		"# skipped: Corpus/tool=text-dedup-minhash/stage=total/cpus=2/n=300: it failed in the stage hashing of total: exit status 1\n",
		"BenchmarkCorpus/tool=text-dedup-simhash/stage=reading/cpus=2/n=300 1 1e+08 ns/op",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
