package gotest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/internal/testing/long"
)

// A workspace makes the benchmarks use another module of the repository. This module must be the
// one of the revision, not of the working tree.
func TestWorkspaces(t *testing.T) {
	long.Skip(t, "builds modules of its own")
	for file, use := range map[string]string{"go.work": ".", "../go.work": "./repository", "../elsewhere/go.work": "../repository", "../../go.work": "absolute"} {
		r := newRepository(t)
		lib := func(number string) { r.write("lib/lib.go", "package lib\n\nconst Number = "+number+"\n") }
		r.write("lib/go.mod", "module example.com/lib\n\ngo 1.24\n")
		lib("1")
		r.benchmark("a", "lib.Number")
		r.write("module/a/x.go", "package x\n\nimport \"example.com/lib\"\n\nconst Number = lib.Number\n")
		r.write("module/go.mod", "module example.com/m\n\ngo 1.24\n\nrequire example.com/lib v0.0.0\n")
		switch use {
		case "absolute":
			use = r.top
		case "../repository":
			t.Setenv("GOWORK", filepath.Join(r.top, file))
		}
		r.write(file, fmt.Sprintf("go 1.24\n\nuse (\n\t%s/lib\n\t%s/module\n)\n", use, use))
		r.commit()
		lib("2")
		b := prepare(t, Options{Folder: r.module(), Packages: []string{"./a"}, Old: "main"})
		if diff := cmp.Diff([]string{"example.com/m/a BenchmarkNumber/n=1 1.000 2.000"}, numbers(t, b)); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
}

// An untracked go.work is a setting of the user. Both sides are built with it, even if the revision
// does not have all modules that it names.
func TestWorkspaceNotCommitted(t *testing.T) {
	long.Skip(t, "builds modules of its own")
	for _, ofUser := range []bool{false, true} { // in a folder that the revision does not have
		t.Run(fmt.Sprint(ofUser), func(t *testing.T) { testNotCommitted(t, ofUser) })
	}
}

func testNotCommitted(t *testing.T, ofUser bool) {
	r := newRepository(t)
	lib := func(number string) { r.write("lib/lib.go", "package lib\n\nconst Number = "+number+"\n") }
	r.write("lib/go.mod", "module example.com/lib\n\ngo 1.24\n")
	lib("1")
	r.benchmark("a", "")
	r.write("module/a/x.go", "package x\n\nimport \"example.com/lib\"\n\nconst Number = lib.Number\n")
	r.write("module/go.mod", "module example.com/m\n\ngo 1.24\n\nrequire example.com/lib v0.0.0\n")
	r.commit()
	lib("2")
	r.write("later/go.mod", "module example.com/later\n\ngo 1.24\n")
	text := "go 1.24\n\nuse (\n\t./module\n\t./later\n)\n\nreplace example.com/lib => ./lib\n"
	if ofUser {
		r.write("of user/go.work", strings.ReplaceAll(text, "./", "../"))
		t.Setenv("GOWORK", filepath.Join(r.top, "of user", "go.work"))
	} else {
		r.write("go.work", strings.Replace(text, "=> .", "=> "+r.top, 1))
	}
	before := r.state()
	b := prepare(t, Options{Folder: r.module(), Packages: []string{"./a"}, Old: "main"})
	if diff := cmp.Diff([]string{"example.com/m/a BenchmarkNumber/n=1 1.000 2.000"}, numbers(t, b)); diff != "" || len(b.Notes) > 0 {
		t.Errorf("notes %q: %s", b.Notes, diff)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(before, r.state()); diff != "" {
		t.Errorf("something was left behind: %s", diff)
	}
}

// A go.work that is staged is a change like others, and is reported.
func TestWorkspaceIsNew(t *testing.T) {
	long.Skip(t, "builds modules of its own")
	r := newRepository(t)
	r.benchmark("a", "1")
	r.commit()
	r.benchmark("a", "2")
	r.write("go.work", "go 1.24\n\nuse ./module\n")
	r.git("add", "go.work")
	b := prepare(t, Options{Folder: r.module(), Packages: []string{"./a"}, Old: "main"})
	if diff := cmp.Diff([]string{"main was built without a workspace, since it does not have go.work of the working tree"}, b.Notes); diff != "" {
		t.Error(diff)
	}
}

// A worktree finds the modules outside the repository that a go.mod or go.work names by a relative
// path, and those of a module in a workspace.
func TestModulesOutside(t *testing.T) {
	long.Skip(t, "builds modules of its own")
	for name, prepareModules := range map[string]func(r *repository){
		"replace": func(r *repository) {
			r.write("module/go.mod", "module example.com/m\n\ngo 1.24\n\nrequire example.com/lib v0.0.0\n\nreplace example.com/lib => \"../../out side/lib\"\n")
		},
		"use": func(r *repository) {
			r.write("module/go.mod", "module example.com/m\n\ngo 1.24\n\nrequire example.com/lib v0.0.0\n")
			r.write("go.work", "go 1.24\n\nuse (\n\t./module\n\t\"../out side/lib\"\n)\n")
		},
		"workspace outside": func(r *repository) {
			r.write("module/go.mod", "module example.com/m\n\ngo 1.24\n\nrequire example.com/lib v0.0.0\n\nreplace example.com/lib => \"../../out side/lib\"\n")
			r.write("../go.work", "go 1.24\n\nuse ./repository/module\n")
		},
		"replace in a workspace outside": func(r *repository) {
			r.write("module/go.mod", "module example.com/m\n\ngo 1.24\n\nrequire example.com/lib v0.0.0\n")
			r.write("../go.work", "go 1.24\n\nuse ./repository/module\n\nreplace example.com/lib v0.0.0 => \"./out side/lib\"\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			r.write("../out side/lib/go.mod", "module example.com/lib\n\ngo 1.24\n")
			r.write("../out side/lib/lib.go", "package lib\n\nconst Number = 3\n")
			prepareModules(r)
			r.benchmark("a", "")
			r.write("module/a/x.go", "package x\n\nimport \"example.com/lib\"\n\nconst Number = lib.Number + 1\n")
			r.commit()
			r.write("module/a/x.go", "package x\n\nimport \"example.com/lib\"\n\nconst Number = lib.Number + 2\n")
			b := prepare(t, Options{Folder: r.module(), Packages: []string{"./a"}, Old: "main"})
			if diff := cmp.Diff([]string{"example.com/m/a BenchmarkNumber/n=1 4.000 5.000"}, numbers(t, b)); diff != "" {
				t.Error(diff)
			}
			if err := b.Close(); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(r.top), "out side", "lib", "lib.go")); err != nil {
				t.Errorf("the module outside was removed: %v", err)
			}
		})
	}
}

// Benchmarks of both sides have environments of the same size.
func TestEqualEnvironments(t *testing.T) {
	long.Skip(t, "builds modules of its own")
	r := newRepository(t)
	r.benchmark("a", "")
	r.write("module/a/x.go", "package x\n\nimport (\n\t\"os\"\n\t\"strings\"\n)\n\nvar Number = float64(len(strings.Join(os.Environ(), \" \")))\n")
	r.commit()
	b := prepare(t, Options{Folder: r.module(), Packages: []string{"./a"}, Old: "main", Same: true})
	fields := strings.Fields(numbers(t, b)[0])
	if old, new := fields[2], fields[3]; old != new {
		t.Errorf("environments of %s and %s bytes", old, new)
	}
}
