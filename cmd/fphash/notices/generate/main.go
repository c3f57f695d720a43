// Command generate writes notices.txt from the licence files of the modules that fphash links when
// it is built with dictionaries. Run it with go generate ./cmd/fphash.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	text, err := notices("../..")
	if err == nil {
		err = os.WriteFile("notices/notices.txt", []byte(text), 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// notices returns the content of notices.txt for the module at root.
func notices(root string) (string, error) {
	list, err := modules(root)
	if err != nil {
		return "", err
	}
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

// modules lists the linked modules: path and version, a tab, and the folder of each.
func modules(root string) ([]string, error) {
	c := exec.Command("go", "list", "-deps", "-tags", "dictionaries", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", "./cmd/fphash")
	c.Dir, c.Stderr = root, os.Stderr
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
