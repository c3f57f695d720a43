package recipes

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// runner simulates GitHub's runner for a workflow with one job. It runs composite actions of the
// workspace step by step, and simulates other actions.
type runner struct {
	t         *testing.T
	kit       string            // the root of simhashkit
	origin    *repository       // with the branches main and topic
	workspace *repository       // the checkout
	temp      string            // RUNNER_TEMP
	env       map[string]string // of the workflow
	matrix    map[string]string // of the job
	strategy  map[string]string
	inputs    map[string]string // of the current composite action
	action    string            // folder of that action
	outcomes  map[string]string // by id of the step
	steps     []stepOutcome
	artifacts map[string]string // folders by name
}

type stepOutcome struct {
	name    string
	outcome string // success, failure or skipped
	code    int
	output  string
}

// workflow has the keys that github.yml may contain.
type workflow struct {
	Name, On                      string
	Permissions, Concurrency, Env map[string]string
	Jobs                          map[string]struct {
		RunsOn   string `yaml:"runs-on"`
		Minutes  int    `yaml:"timeout-minutes"`
		Strategy struct {
			FailFast bool `yaml:"fail-fast"`
			Matrix   map[string][]string
		}
		Steps []step
	}
}

type step struct {
	Name, ID, If, Uses, Run, Shell string
	Folder                         string `yaml:"working-directory"`
	With, Env                      map[string]string
}

// composite has the keys that action.yml may contain.
type composite struct {
	Name, Description string
	Inputs            map[string]struct{ Description, Default string }
	Runs              struct {
		Using string
		Steps []step
	}
}

// decode reads a YAML file. A key that this test does not know is an error.
func decode(t *testing.T, path string, into any) (text string) {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(file))
	decoder.KnownFields(true)
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return string(file)
}

// runWorkflow runs github.yml for a pull request from topic to the default branch, for modules in
// these folders (by default, those of the file), and with additional inputs of the action. Each
// module has its own machine. The result is that of the last one, with the artifacts of all.
func runWorkflow(t *testing.T, origin *repository, kit string, inputs map[string]string, modules ...string) *runner {
	t.Helper()
	var w workflow
	decode(t, "github.yml", &w)
	var r *runner
	artifacts := map[string]string{}
	for _, job := range w.Jobs {
		if len(modules) == 0 {
			modules = job.Strategy.Matrix["module"]
		}
		for i, module := range modules {
			temp := t.TempDir()
			r = &runner{t: t, kit: kit, origin: origin, temp: temp, env: w.Env, outcomes: map[string]string{}, artifacts: artifacts}
			r.matrix, r.strategy = map[string]string{"module": module}, map[string]string{"job-index": fmt.Sprint(i)}
			r.workspace = &repository{t: t, top: filepath.Join(temp, "workspace"), dir: filepath.Join(temp, "workspace"), path: os.Getenv("PATH")}
			for _, name := range []string{"path", "env", "output", "summary"} {
				if err := os.WriteFile(filepath.Join(temp, name), nil, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			for _, s := range job.Steps {
				if strings.HasPrefix(s.Uses, "./") {
					maps.Copy(s.With, inputs)
				}
				r.step(s)
			}
		}
	}
	return r
}

func (r *runner) step(s step) {
	r.t.Helper()
	o := stepOutcome{name: s.Name, outcome: "skipped"}
	if r.wanted(s.If) {
		o.outcome = "success"
		switch folder, local := strings.CutPrefix(s.Uses, "./"); {
		case local:
			r.composite(filepath.Join(r.workspace.dir, folder), r.texts(s.With))
			return // its steps have their own outcomes
		case s.Uses != "":
			r.foreign(s.Uses, r.texts(s.With))
		default:
			if o.code, o.output = r.script(s); o.code != 0 {
				o.outcome = "failure"
			}
		}
	}
	r.outcomes[s.ID] = o.outcome
	r.steps = append(r.steps, o)
}

// composite runs the steps of an action that is in the workspace.
func (r *runner) composite(folder string, with map[string]string) {
	r.t.Helper()
	var a composite
	decode(r.t, filepath.Join(folder, "action.yml"), &a)
	if a.Runs.Using != "composite" {
		r.t.Fatalf("using: %s: this test runs composite actions", a.Runs.Using)
	}
	inner := *r
	inner.action, inner.inputs, inner.outcomes = folder, map[string]string{}, map[string]string{}
	for name, input := range a.Inputs {
		inner.inputs[name] = input.Default
	}
	for name, value := range with {
		if _, ok := a.Inputs[name]; !ok {
			r.t.Fatalf("with: %s: the action has no such input", name)
		}
		inner.inputs[name] = value
	}
	for _, s := range a.Runs.Steps {
		if s.Run != "" && s.Shell == "" {
			r.t.Fatalf("step %s of an action names no shell", s.Name)
		}
		inner.step(s)
	}
	r.steps = inner.steps
}

// wanted evaluates an if condition. Without a condition, a step runs if no step before has failed.
func (r *runner) wanted(condition string) bool {
	if condition == "" {
		for _, s := range r.steps {
			if s.outcome == "failure" {
				return false
			}
		}
		return true
	}
	inner, ok := strings.CutPrefix(condition, "${{ ")
	inner, closed := strings.CutSuffix(inner, " }}")
	if !ok || !closed {
		r.t.Fatalf("if: %s: expected ${{ ... }}", condition)
	}
	for term := range strings.SplitSeq(inner, " && ") {
		if m := regexp.MustCompile(`^steps\.(\w+)\.outcome == '(\w+)'$`).FindStringSubmatch(term); m != nil {
			if r.outcomes[m[1]] != m[2] {
				return false
			}
		} else if term != "!cancelled()" {
			r.t.Fatalf("if: %s: this test cannot evaluate it", term)
		}
	}
	return true
}

var expression = regexp.MustCompile(`\$\{\{ (.*?) \}\}`)

// expand replaces expressions. Scripts must not contain any, since the title of a pull request must
// not get into a shell.
func (r *runner) expand(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		context, name, _ := strings.Cut(expression.FindStringSubmatch(e)[1], ".")
		value, known := map[string]map[string]string{"env": r.env, "inputs": r.inputs, "matrix": r.matrix, "strategy": r.strategy}[context][name]
		if !known {
			r.t.Fatalf("%s: this test cannot evaluate it", e)
		}
		return value
	})
}

func (r *runner) texts(mapping map[string]string) map[string]string {
	texts := map[string]string{}
	for name, value := range mapping {
		texts[name] = r.expand(value)
	}
	return texts
}

// foreign simulates an action of another repository.
func (r *runner) foreign(uses string, with map[string]string) {
	r.t.Helper()
	name, _, _ := strings.Cut(uses, "@")
	switch name {
	case "actions/checkout":
		r.checkout(with)
	case "actions/setup-go":
		if _, err := os.Stat(filepath.Join(r.workspace.dir, with["go-version-file"])); err != nil {
			r.t.Fatal(err)
		}
	case "actions/upload-artifact":
		path, folder := filepath.Join(r.workspace.dir, with["path"]), filepath.Join(r.temp, "artifact-"+with["name"])
		if _, err := os.Stat(path); err != nil {
			return // GitHub warns
		}
		if err := os.CopyFS(folder, os.DirFS(path)); err != nil {
			r.t.Fatal(err)
		}
		r.artifacts[with["name"]] = folder
	default:
		r.t.Fatalf("uses: %s: this test does not know what that does", uses)
	}
}

// checkout simulates actions/checkout. For a pull request, it checks out the branch merged into the
// base. It does not clone simhashkit, since the files to test may be uncommitted.
func (r *runner) checkout(with map[string]string) {
	r.t.Helper()
	if with["repository"] != "" {
		if with["repository"] != "OWNER/simhashkit" || with["ref"] != "COMMIT" {
			r.t.Fatalf("checkout of %s at %s: README.md says to replace OWNER/simhashkit and COMMIT", with["repository"], with["ref"])
		}
		if err := r.place(filepath.Join(r.workspace.dir, with["path"])); err != nil {
			r.t.Fatal(err)
		}
		return
	}
	o := r.origin
	o.git("checkout", "--quiet", "--detach", o.base)
	o.git("merge", "--quiet", "--no-ff", "--message", "merge", "topic")
	o.git("update-ref", "refs/pull/1/merge", "HEAD")
	if err := os.Mkdir(r.workspace.dir, 0o777); err != nil {
		r.t.Fatal(err)
	}
	w := r.workspace
	w.git("init", "--quiet")
	w.git("remote", "add", "origin", "file://"+filepath.ToSlash(o.top))
	fetch := []string{"fetch", "--quiet"}
	if with["fetch-depth"] != "0" {
		fetch = append(fetch, "--depth=1", "origin", "+refs/pull/1/merge:refs/remotes/pull/1/merge")
	} else {
		fetch = append(fetch, "origin", "+refs/heads/*:refs/remotes/origin/*", "+refs/pull/1/merge:refs/remotes/pull/1/merge")
	}
	w.git(fetch...)
	w.git("checkout", "--quiet", "--detach", "refs/remotes/pull/1/merge")
}

// place makes simhashkit available in a folder. With a link, the go command does not compile it
// again.
func (r *runner) place(folder string) error {
	if r.kit != realKit {
		return os.CopyFS(folder, os.DirFS(r.kit))
	}
	root, err := filepath.Abs(r.kit)
	if err != nil {
		return err
	}
	return os.Symlink(root, folder)
}

var realKit = filepath.Join("..", "..")

// script runs a script in the same way as GitHub's runner, with the variables that the recipe may
// use.
func (r *runner) script(s step) (code int, output string) {
	r.t.Helper()
	text, env := r.expand(s.Run), r.texts(s.Env)
	file := filepath.Join(r.temp, "script.sh")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		r.t.Fatal(err)
	}
	added, err := os.ReadFile(filepath.Join(r.temp, "path"))
	if err != nil {
		r.t.Fatal(err)
	}
	w := *r.workspace
	for line := range strings.SplitSeq(strings.TrimSpace(string(added)), "\n") {
		w.path = line + string(filepath.ListSeparator) + w.path
	}
	w.dir = filepath.Join(w.dir, r.expand(s.Folder))
	command := w.command("bash", "-e", file)
	if s.Shell == "bash" {
		command = w.command("bash", "--noprofile", "--norc", "-eo", "pipefail", file)
	}
	all := map[string]string{
		"CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request", "GITHUB_BASE_REF": r.origin.base, "GITHUB_HEAD_REF": "topic", "GITHUB_REF": "refs/pull/1/merge",
		"GITHUB_WORKSPACE": r.workspace.dir, "GITHUB_ACTION_PATH": r.action, "RUNNER_TEMP": r.temp, "GITHUB_PATH": filepath.Join(r.temp, "path"), "GITHUB_ENV": filepath.Join(r.temp, "env"),
		"GITHUB_OUTPUT": filepath.Join(r.temp, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(r.temp, "summary"),
	}
	maps.Copy(all, r.env)
	maps.Copy(all, env)
	for name, value := range all {
		command.Env = append(command.Env, name+"="+value)
	}
	out, err := command.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	return command.ProcessState.ExitCode(), string(out)
}

// failed returns the exit codes of the steps that have failed.
func (r *runner) failed() map[string]int {
	codes := map[string]int{}
	for _, s := range r.steps {
		if s.outcome == "failure" {
			codes[s.name] = s.code
		}
	}
	return codes
}

func (r *runner) skipped() (names []string) {
	for _, s := range r.steps {
		if s.outcome == "skipped" {
			names = append(names, s.name)
		}
	}
	return names
}

// String returns the text of the page of a run.
func (r *runner) String() string {
	var b strings.Builder
	for _, s := range r.steps {
		fmt.Fprintf(&b, "-- %s: %s (%d)\n%s", s.name, s.outcome, s.code, s.output)
	}
	return b.String()
}
