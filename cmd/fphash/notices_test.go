package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simhashkit/internal/testing/tools"
)

// notices.txt lists exactly the linked modules with their versions. With -update, the test writes
// it from their licence files.
func TestNoticesAreThoseOfTheModules(t *testing.T) {
	tools.Need(t, "go")
	list, err := linkedModules()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		text, err := noticesOf(list)
		if err == nil {
			err = os.WriteFile("notices.txt", []byte(text), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	want := []string{"the standard library of Go"}
	for _, line := range list {
		name, _, _ := strings.Cut(line, "\t")
		want = append(want, name)
	}
	var got []string
	for line := range strings.Lines(notices) {
		if name, ok := strings.CutPrefix(line, "== "); ok {
			got = append(got, strings.TrimSpace(name))
		}
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w || len(list) < 20 {
		t.Errorf("notices.txt has\n%s\nand the tool links\n%s\nrun this test with -update", g, w)
	}
	if _, err := noticesIn(t.TempDir()); err == nil {
		t.Error("a module without a licence passes")
	}
}

// noticesOf returns the content of notices.txt for modules.
func noticesOf(list []string) (string, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	list = slices.Insert(list, 0, "the standard library of Go\t"+strings.TrimSpace(string(goroot)))
	var out strings.Builder
	for _, line := range list {
		name, dir, _ := strings.Cut(line, "\t")
		files, err := noticesIn(dir)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(&out, "== %s\n", name)
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&out, "\n%s\n", strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
		}
		out.WriteByte('\n')
	}
	return out.String(), nil
}

// linkedModules lists the modules of fphash with dictionaries: path and version, a tab, and the
// folder of each.
func linkedModules() ([]string, error) {
	c := exec.Command("go", "list", "-deps", "-tags", "dictionaries", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", ".")
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	list := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(line string) bool { return line == "" }), nil
}

var noticeFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|copyright|notice|patents|unlicense)(\.[a-z]+)?$`)

// noticesIn lists the licence and notice files in the folder of a module. It fails if there are
// none.
func noticesIn(dir string) (files []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if noticeFile.MatchString(e.Name()) && e.Type().IsRegular() {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("there is no licence in %s", dir)
	}
	return files, nil
}
