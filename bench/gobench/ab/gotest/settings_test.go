package gotest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simhashkit/internal/testing/long"
)

// Benchmarks of both sides inherit the same environment, to the byte.
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

// Settings that make the revision be built with files of the working tree are known to the reader.
func TestSettingsAreNoted(t *testing.T) {
	long.Skip(t, "builds modules of its own")
	r := newRepository(t)
	r.benchmark("a", "1")
	r.write("module/other.mod", "module example.com/m\n\ngo 1.24\n")
	r.commit()
	setting := "-modfile=" + filepath.Join(r.module(), "other.mod")
	t.Setenv("GOFLAGS", setting)
	b := prepare(t, Options{Folder: r.module(), Packages: []string{"./a"}, Old: "main", Same: true})
	if want := "GOFLAGS=" + setting + " names files of the working tree, which both sides are built with"; !slices.Contains(b.Notes, want) {
		t.Errorf("notes %q, want %s", b.Notes, want)
	}
}

func TestNamesFileIn(t *testing.T) {
	top, err := filepath.Abs(filepath.FromSlash("/somewhere/top"))
	if err != nil {
		t.Fatal(err)
	}
	for setting, want := range map[string]bool{
		"": false, "gcc": false, "-mod=vendor": false, "-modfile=other.mod": false, "-overlay=/elsewhere/x.json": false,
		"-modfile=" + top + "/other.mod": true, "-O2 -I" + top + "/include -g": true, "-I" + top: true, "-I" + top + "x": false, "-trimpath '-overlay=" + top + "/o.json'": true,
	} {
		if got := namesFileIn(top, setting); got != want {
			t.Errorf("%q: %v", setting, got)
		}
	}
}
