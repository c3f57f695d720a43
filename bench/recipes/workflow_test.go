package recipes

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/internal/testing/long"
	"simhashkit/internal/testing/tools"
)

// All steps run, even if an earlier step fails. The worst step decides the result of the workflow,
// and there is always a report.
func TestWorkflow(t *testing.T) {
	long.Skip(t, "measures three changes in all steps")
	r := newRepository(t, ".")
	r.git("checkout", "--quiet", "-b", "topic")
	r.changeNothing()
	r.commit("nothing")

	for _, tc := range []struct {
		name    string
		prepare func()
		failed  map[string]int // exit codes of steps
		summary string
	}{
		{"without a baseline", func() {}, map[string]int{}, "this is the first run, and"},
		{"nothing changed", func() {
			r.git("checkout", "--quiet", "main")
			r.expect(0, nil, "--only", "quality", "--bootstrap", "main")
			r.commit("baseline")
			r.git("checkout", "--quiet", "topic")
		}, map[string]int{}, "- quality: no regression"},
		{"weaker and slower", func() {
			r.git("checkout", "--quiet", "topic")
			r.weakenHash()
			r.slowDown()
			r.commit("worse")
		}, map[string]int{"Gate": 1}, "constant-bits"},
	} {
		tc.prepare()
		run := runWorkflow(t, r, realKit, nil)
		if diff := cmp.Diff(tc.failed, run.failed()); diff != "" || len(run.skipped()) > 0 {
			t.Errorf("%s: skipped: %q; exit codes (-want +got):\n%s\n%s", tc.name, run.skipped(), diff, run)
			continue
		}
		regressions := strings.Count(run.String(), "\n::error title=Regression of ")
		if worse := len(tc.failed) > 0; worse && regressions < 2 || !worse && regressions > 0 {
			t.Errorf("%s: %d annotations:\n%s", tc.name, regressions, run)
		}
		summary, err := os.ReadFile(filepath.Join(run.temp, "summary"))
		if err != nil || !strings.Contains(string(summary), "## fphash: ") || !strings.Contains(string(summary), tc.summary) {
			t.Errorf("%s: %v, the summary lacks %q:\n%s", tc.name, err, tc.summary, summary)
		}
		for _, name := range []string{"summary.md", "report.html", "time.md", "time/new.txt", "hashes.txt", "quality-new.txt"} {
			if info, err := os.Stat(filepath.Join(run.artifacts["fphash-gate-0"], name)); err != nil || info.Size() == 0 {
				t.Errorf("%s: the artifact lacks %s: %v", tc.name, name, err)
			}
		}
	}
}

// If fphash does not build, the workflow fails, and there is no report.
func TestWorkflowWithoutProgram(t *testing.T) {
	r := newModule(t, ".")
	r.git("branch", "topic")
	kit := stubKit(t, "", "")
	run := runWorkflow(t, r, kit, nil)
	if diff := cmp.Diff(map[string]int{"Install fphash": 1}, run.failed()); diff != "" {
		t.Errorf("exit codes (-want +got):\n%s\n%s", diff, run)
	}
	want := []string{"Gate", "Summary", "Publish the report"}
	if diff := cmp.Diff(want, run.skipped()); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
}

// simhashkit is checked out inside the repository, but is part of neither the repository nor its Go
// workspace.
func TestWorkflowInstallsFromWithin(t *testing.T) {
	r := newModule(t, ".")
	r.git("branch", "topic")
	run := runWorkflow(t, r, stubKit(t, "println(\"installed\")", "fphash\n"), nil)
	if code := run.failed()["Install fphash"]; code != 0 {
		t.Errorf("exit code %d\n%s", code, run)
	}
	w := *run.workspace
	w.path = filepath.Join(run.temp, "fphash") + string(filepath.ListSeparator) + w.path
	w.sh("fphash 2>&1 | grep installed && go list ./... | grep -v simhashkit && ! go list ./... | grep simhashkit")
}

// The inputs of the action define the folder, the packages and the base of the gate.
func TestActionInputs(t *testing.T) {
	r := newModule(t, "service")
	r.git("branch", "topic")
	kit := stubKit(t, " ", "#!/bin/sh\necho \"in ${PWD##*/}:\" \"$#\" \"$@\"\nmkdir fphash-gate\necho ended >fphash-gate/summary.md\n")
	run := runWorkflow(t, r, kit, map[string]string{"base": "v1", "packages": "./a ./b"}, "service")
	if text := run.String(); !strings.Contains(text, "in service: 3 v1 ./a ./b\n") || len(run.failed()) > 0 {
		t.Error(text)
	}
	if text, err := os.ReadFile(filepath.Join(run.artifacts["fphash-gate-0"], "summary.md")); err != nil || string(text) != "ended\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// The modules of a repository have artifacts of their own.
func TestTwoModules(t *testing.T) {
	r := newModule(t, "service")
	r.dir = filepath.Join(r.top, "tools")
	r.write("go.mod", "module example.com/tools\n\ngo 1.26.0\n")
	r.commit("tools")
	r.git("branch", "topic")
	run := runWorkflow(t, r, stubKit(t, " ", "#!/bin/sh\nmkdir fphash-gate\necho \"${PWD##*/}\" >fphash-gate/summary.md\n"), nil, "service", "tools")
	for name, want := range map[string]string{"fphash-gate-0": "service\n", "fphash-gate-1": "tools\n"} {
		if text, err := os.ReadFile(filepath.Join(run.artifacts[name], "summary.md")); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// The default branch may have another name than main, in a pull request and on your machine.
func TestDefaultBranch(t *testing.T) {
	r := newRepository(t, ".")
	r.configure("FPHASH_DATA=\nFPHASH_BENCH=\n")
	r.git("branch", "--move", "main", "trunk")
	r.expect(2, []string{"there is no branch origin/HEAD, main or master"})
	r.git("branch", "--move", "trunk", "master")
	r.base = "master"
	r.expect(0, []string{"quality: left out", "time: left out"})
	r.git("branch", "topic")
	if run := runWorkflow(t, r, stubKit(t, " ", (&repository{t: t}).read("gate.sh")), nil); len(run.failed()) > 0 || !strings.Contains(run.String(), "time: left out") {
		t.Error(run)
	}
}

// The comment of a workflow is on the pull request of its branch, which may be in a fork. A second
// comment replaces the first. There is none if the branch has newer commits.
func TestComment(t *testing.T) {
	tools.Need(t, "bash")
	var w struct {
		Name            string
		On, Permissions any
		Jobs            map[string]struct {
			If      string
			RunsOn  string `yaml:"runs-on"`
			Minutes int    `yaml:"timeout-minutes"`
			Steps   []step
		}
	}
	decode(t, "comment.yml", &w)
	if diff := cmp.Diff(any(map[string]any{"actions": "read", "pull-requests": "write"}), w.Permissions); diff != "" {
		t.Errorf("permissions (-want +got):\n%s", diff)
	}
	steps := w.Jobs["comment"].Steps
	if len(steps) != 1 || steps[0].Uses != "" || strings.Contains(steps[0].Run, "${{") {
		t.Fatalf("the job may only download and comment: %+v", steps)
	}
	const gh = `#!/bin/sh
echo "$*" >>calls
case "$1 $2" in
  'pr view') echo '7 abc' ;;
  'run download')
    mkdir -p reports/fphash-gate-0 reports/fphash-gate-1
    echo 'one @you' >reports/fphash-gate-0/summary.md
    seq 99999 >reports/fphash-gate-1/summary.md ;;
  *) [ ! -e old ] || echo 12 ;;
esac
`
	for _, tc := range []struct{ owner, commit, old, want string }{
		{"us", "abc", "", "-- fix\n"},
		{"them", "abc", "12", "-- them:fix\n"},
		{"them", "def", "", "-- them:fix\n"},
	} {
		r := &repository{t: t, dir: t.TempDir(), path: os.Getenv("PATH")}
		r.write("gh", gh)
		r.run("chmod", "+x", "gh")
		r.path = r.dir + string(filepath.ListSeparator) + r.path
		if tc.old != "" {
			r.write("old", "")
		}
		command := r.command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", steps[0].Run)
		command.Env = append(command.Env, "GH_REPO=us/kit", "RUN=5", "BRANCH=fix", "OWNER="+tc.owner, "COMMIT="+tc.commit)
		if out, err := command.CombinedOutput(); err != nil {
			t.Errorf("%+v: %v\n%s", tc, err, out)
			continue
		}
		calls := r.read("calls")
		posts, edits := strings.Contains(calls, "pr comment 7 --body-file comment.md"), strings.Contains(calls, "PATCH repos/us/kit/issues/comments/12")
		if !strings.Contains(calls, tc.want) || posts != (tc.old == "" && tc.commit == "abc") || edits != (tc.old != "") {
			t.Errorf("%+v: %s", tc, calls)
		}
		if tc.commit != "abc" {
			continue
		}
		if text := r.read("comment.md"); !strings.HasPrefix(text, "<!-- fphash -->\n") || !strings.Contains(text, "\none &#64;you\n1\n2\n") || len(text) > 60000 {
			t.Errorf("%d bytes: %.200s", len(text), text)
		}
	}
}

// The workflow has only the permissions that it needs, since a pull request runs untrusted code.
func TestWorkflowIsMinimal(t *testing.T) {
	var w workflow
	text := decode(t, "github.yml", &w)
	if diff := cmp.Diff(map[string]string{"contents": "read"}, w.Permissions); diff != "" {
		t.Errorf("permissions (-want +got):\n%s", diff)
	}
	if w.On != "pull_request" {
		t.Errorf("on: %v", w.On)
	}
	var a composite
	text += decode(t, "action.yml", &a)
	if strings.Contains(text, "secrets") {
		t.Error("secrets are used")
	}
	steps := a.Runs.Steps
	for _, job := range w.Jobs {
		steps = append(steps, job.Steps...)
	}
	for _, step := range steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("a script contains an expression:\n%s", step.Run)
		}
	}
}

// Every action of another repository is pinned to a commit, since a tag can move. A comment names
// its version.
func TestActionsArePinned(t *testing.T) {
	workflows, err := filepath.Glob(filepath.Join(realKit, ".github", "workflows", "*.yml"))
	recipes, errRecipes := filepath.Glob("*.yml")
	if err := errors.Join(err, errRecipes); err != nil || len(workflows) == 0 || len(recipes) < 2 {
		t.Fatalf("%q, %q: %v", workflows, recipes, err)
	}
	uses := regexp.MustCompile(`(?m)^[ -]*uses: *(.*)$`)
	pinned := regexp.MustCompile(`^[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	for _, path := range append(workflows, recipes...) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range uses.FindAllStringSubmatch(string(text), -1) {
			if !strings.HasPrefix(m[1], "./") && !pinned.MatchString(m[1]) {
				t.Errorf("%s: uses: %s: expected a commit and its version, as in OWNER/NAME@COMMIT # v1.2.3", path, m[1])
			}
		}
	}
}
