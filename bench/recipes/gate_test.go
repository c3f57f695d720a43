// Package recipes tests the recipes for CI in this folder, which README.md explains.
package recipes

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/internal/testing/long"
)

// expect runs gate.sh in the folder of the module. It fails unless the exit code is code and the
// output contains all texts.
func (r *repository) expect(code int, wants []string, args ...string) {
	r.t.Helper()
	script, err := filepath.Abs("gate.sh")
	if err != nil {
		r.t.Fatal(err)
	}
	command := r.command(script, args...)
	output, err := command.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	if got := command.ProcessState.ExitCode(); got != code {
		r.t.Errorf("gate.sh %q: exit code %d, want %d\n%s", args, got, code, output)
		return
	}
	for _, want := range wants {
		if !strings.Contains(string(output), want) {
			r.t.Errorf("gate.sh %q: no %q in\n%s", args, want, output)
		}
	}
}

// The first run has no baseline, reports this and succeeds. A baseline that was removed is an
// error.
func TestGate(t *testing.T) {
	long.Skip(t, "measures a change in all steps")
	r := newRepository(t, "service") // the module is not at the top of its repository
	r.expect(0, []string{"Nothing was compared: this is the first run"}, "--only", "quality", "main")
	r.expect(0, []string{"fphash-quality.txt was written"}, "--only", "quality", "--bootstrap", "main")
	r.commit("baseline")

	r.git("rm", "--quiet", "fphash-quality.txt")
	r.commit("gone")
	r.expect(2, []string{"There is no baseline: commit "}, "--only", "quality", "main")
	r.git("revert", "--no-edit", "HEAD")

	r.git("checkout", "--quiet", "-b", "same")
	r.changeNothing()
	r.expect(0, []string{"baseline: fphash-quality.txt at ", "No regression", "hashes: measured", "quality: no regression", "time: no regression"}, "main")
	for _, name := range []string{"hashes.txt", "quality-old.txt", "quality-new.txt", "quality.html", "report.html", "time/old.txt", "time/new.txt"} {
		if r.read("fphash-gate/"+name) == "" {
			t.Errorf("%s is empty", name)
		}
	}
	summary := r.read("fphash-gate/summary.md")
	for _, want := range []string{"- quality: no regression", "\n## quality", "\n## time", "\n## hashes", "### Benchmarks: No regression"} {
		if !strings.Contains(summary, want) {
			t.Errorf("no %q in the summary:\n%s", want, summary)
		}
	}
	if out, err := r.command("git", "status", "--short").CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "M sketch/sketch.go" {
		t.Errorf("the gate left files in the repository: %v\n%s", err, out)
	}

	r.weakenHash()
	r.expect(1, []string{"effective-bits", "constant-bits", "REGRESSION"}, "--only", "quality", "main")
	r.git("checkout", "--quiet", ".")
	r.slowDown()
	r.expect(1, []string{"sec/op", "REGRESSION"}, "--only", "time", "main", "./sketch")
	r.expect(1, []string{"quality: regression", "time: regression"}, "--only", "verdict", "main")

	// Later changes of main do not count as changes of this branch.
	r.git("commit", "--quiet", "--all", "--message", "slower")
	r.git("checkout", "--quiet", "main")
	r.weakenHash()
	r.write("fphash-quality.txt", "nothing\n")
	r.commit("main goes on")
	r.git("checkout", "--quiet", "same")
	r.expect(0, []string{"baseline: fphash-quality.txt at ", "no regression in 4 comparisons"}, "--only", "quality", "main")
}

// Without FPHASH_QUALITY, the gate measures one of fphash's hashes. Neither the machine of the
// baseline nor the name of the hash matters.
func TestGateOfAFamily(t *testing.T) {
	r := newRepository(t, ".")
	r.configure("FPHASH_DATA=vectors.svm\nFPHASH_BENCH=\n")
	r.expect(0, []string{"fphash-quality.txt was written"}, "--only", "quality", "--bootstrap", "main")
	elsewhere := strings.NewReplacer("goos: linux", "goos: plan9", "\ncpu: ", "\ncpu: Another ").Replace(r.read("fphash-quality.txt"))
	r.write("fphash-quality.txt", elsewhere)
	r.commit("baseline")
	r.expect(0, []string{"hashes: left out", "quality: no regression", "time: left out"}, "main")
	r.configure(r.read("fphash-gate.conf") + "FPHASH_HASH=fnv1a64\nFPHASH_ENCODING=dec\n")

	// Another good hash has different figures, but within the thresholds that README.md suggests. A
	// weak hash does not.
	allow := "FPHASH_UNITS=effective-bits,effective-bits-cos90,constant-bits,copied-bits\nFPHASH_QUALITY_FLAGS='--threshold effective-bits=5% --threshold effective-bits-cos90=5%'\n"
	readme, err := os.ReadFile("README.md")
	if err != nil || !strings.Contains(string(readme), allow) {
		t.Errorf("README.md does not suggest %s: %v", allow, err)
	}
	r.expect(1, []string{"REGRESSION"}, "--only", "quality", "main")
	weak := r.read("fphash-gate.conf")
	r.configure(weak + allow)
	r.expect(1, []string{"REGRESSION"}, "--only", "quality", "main")
	r.configure(weak + allow + "FPHASH_HASH=splitmix64\nFPHASH_ENCODING=le64\n")
	r.expect(0, []string{"no regression in 4 comparisons"}, "--only", "quality", "main")
}

// A change cannot pass by the settings that it brings, and the gate says that they were not used.
func TestSettingsOfTheBase(t *testing.T) {
	r := newRepository(t, ".")
	r.configure("FPHASH_DATA=vectors.svm\nFPHASH_BENCH=\nFPHASH_HASH=xxh64\nFPHASH_QUALITY='go run ./cmd/figures'\n")
	r.write("cmd/figures/main.go", figures)
	r.expect(0, []string{"fphash-quality.txt was written"}, "--only", "quality", "--bootstrap", "main")
	r.commit("baseline")
	r.git("checkout", "--quiet", "-b", "change")
	r.write("cmd/figures/main.go", strings.Replace(figures, " 60 ", " 6 ", 1))
	for name, settings := range map[string]string{
		"exit":         "exit 0\n",
		"no step":      "FPHASH_DATA=\nFPHASH_BENCH=\n",
		"an allowance": "FPHASH_QUALITY_FLAGS='--threshold 99%'\nFPHASH_QUALITY='go run ./cmd/figures'\nFPHASH_BENCH=\n",
	} {
		r.write("fphash-gate.conf", settings)
		r.commit(name)
		r.expect(1, []string{"This change edits fphash-gate.conf. The settings of ", "quality: regression"}, "main")
		if summary := r.read("fphash-gate/summary.md"); !strings.Contains(summary, "This change edits fphash-gate.conf") {
			t.Errorf("%s: %s", name, summary)
		}
	}
	if err := os.Remove(filepath.Join(r.dir, "fphash-gate.conf")); err != nil {
		t.Fatal(err)
	}
	r.commit("no settings")
	r.expect(1, []string{"This change edits fphash-gate.conf", "quality: regression"}, "main")
}

// If the base has no settings, a change cannot bring its own: the defaults apply.
func TestNoSettingsAtTheBase(t *testing.T) {
	r := newRepository(t, ".")
	r.git("rm", "--quiet", "fphash-gate.conf")
	r.commit("no settings")
	r.git("checkout", "--quiet", "-b", "change")
	const notice = " has no fphash-gate.conf. The defaults apply until this change is merged."
	for name, settings := range map[string]string{"exit": "exit 0\n", "a step": "FPHASH_DATA=absent.svm\n", "a program": "FPHASH=true\n"} {
		r.configure(settings)
		r.expect(0, []string{notice, "quality: left out"}, "--only", "quality", "--only", "report", "--only", "verdict", "main")
		if summary := r.read("fphash-gate/summary.md"); !strings.Contains(summary, notice) {
			t.Errorf("%s: %s", name, summary)
		}
	}
	r.configure("FPHASH_DATA=vectors.svm\n")
	r.expect(0, []string{"fphash-quality.txt was written"}, "--only", "quality", "--bootstrap", "main")
}

// figures is a program that writes a figure of quality to the file $FPHASH_OUT.
const figures = `package main

import "os"

func main() {
	os.WriteFile(os.Getenv("FPHASH_OUT"), []byte("Unit effective-bits assume=exact better=higher\nBenchmarkQuality 1 60 effective-bits\n"), 0o666)
}
`

// If something cannot run or cannot be compared, the gate fails.
func TestGateRefuses(t *testing.T) {
	r := newRepository(t, ".")
	for _, tc := range []struct{ args, conf, want string }{
		{args: "--onyl quality main", want: "unknown flag --onyl"},
		{args: "--only speed main", want: "--only speed: expected hashes, quality, time, report or verdict"},
		{args: "--only", want: "expected hashes"},
		{args: "v9", want: "there is no revision v9; in a shallow clone"},
		{args: "main", conf: "FPHASH=no-such-program", want: "there is no program no-such-program"},
		{args: "--only quality main", conf: "FPHASH_GATE=sketch", want: "FPHASH_GATE=sketch: expected a new folder"},
		{args: "--only quality main", conf: "FPHASH_QUALITY='exit 3'", want: "failed with exit code 3"},
		{args: "--only quality main", conf: "FPHASH_QUALITY=true", want: "wrote nothing"},
		{args: "--only quality main", conf: "FPHASH_QUALITY=\nFPHASH_DATA=absent.svm", want: "absent.svm"},
		{args: "--only hashes main", conf: "FPHASH_DATA=absent.svm\nFPHASH_HASHES=xxh64", want: "absent.svm"},
		{args: "--only time main ./cmd/hash", want: "no benchmarks"},
		{args: "--only time main", conf: "FPHASH_THRESHOLD=ten", want: "expected a percentage"},
	} {
		r.configure(tc.conf + "\n")
		r.expect(2, []string{tc.want}, strings.Fields(tc.args)...)
	}
	r.configure("")
	r.git("checkout", "--quiet", "--orphan", "unrelated")
	r.commit("unrelated")
	r.expect(2, []string{"have no commit in common"}, "main")
	r.expect(0, []string{"Usage: gate.sh"}, "--help")
}

// If the time is too short for a verdict, the gate fails and names the variable that its users set.
func TestGateWithoutTime(t *testing.T) {
	long.Skip(t, "compiles the standard library again, with -trimpath")
	r := newRepository(t, ".")
	r.configure("FPHASH_BUDGET=1ms\n")
	r.slowDown()
	r.expect(2, []string{"No verdict", "; a larger FPHASH_BUDGET decides more of them", "undecided: Sketch sec/op had 1 round, needs about "}, "--only", "time", "main", "./sketch")
	if summary := r.read("fphash-gate/time.md"); strings.Contains(summary, "--budget") {
		t.Error(summary)
	}
}

// The worst result counts: a regression and a gap together are a regression.
func TestGateVerdict(t *testing.T) {
	r := newRepository(t, ".")
	r.expect(2, []string{"No step has run"}, "--only", "verdict", "main")
	for _, tc := range []struct {
		hashes, quality, time string
		code                  int
		want                  string
	}{
		{"0", "0", "0", 0, "hashes: measured\nquality: no regression\ntime: no regression\n"},
		{"100", "100", "100", 0, "quality: left out"},
		{"0", "101", "0", 0, "quality: not compared: there is no baseline yet\ntime: no regression\n"},
		{"0", "101", "1", 1, "time: regression"},
		{"0", "1", "0", 1, "quality: regression"},
		{"0", "2", "1", 1, "quality: could not be compared"},
		{"0", "1", "2", 1, "time: could not be compared"},
		{"2", "0", "0", 2, "hashes: could not be compared"},
		{"0", "0", "137", 2, "time: could not be compared"},
		{"0", "100", "0", 0, "quality: left out\ntime: no regression\n"},
	} {
		for step, code := range map[string]string{"hashes": tc.hashes, "quality": tc.quality, "time": tc.time} {
			r.write("fphash-gate/status-"+step, code+"\n")
		}
		r.expect(tc.code, []string{tc.want}, "--only", "verdict", "main")
	}
}
