package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The packages whose names are cut off are those of the module whose errors begin with their name:
// what the source says, of all that the tool is built from.
func TestPackagesAreAsTheSource(t *testing.T) {
	list, err := exec.Command("go", "list", "-deps", "-f", "{{.Name}} {{.ImportPath}} {{.Dir}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for line := range strings.Lines(string(list)) {
		name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if path, folder, _ := strings.Cut(rest, " "); strings.HasPrefix(path, "simhashkit/") && namesItself(t, name, folder) {
			want = append(want, name)
		}
	}
	slices.Sort(want)
	if want = slices.Compact(want); len(want) == 0 || !slices.Equal(packages, want) {
		t.Errorf("packages are %q,\nwant %q", packages, want)
	}
}

// namesItself reports whether errors that the package makes begin with its name.
func namesItself(t *testing.T, name, folder string) (found bool) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			made, ok := call.Fun.(*ast.SelectorExpr)
			text, literal := call.Args[0].(*ast.BasicLit)
			if ok && literal && (made.Sel.Name == "Errorf" || made.Sel.Name == "New") {
				message, _ := strconv.Unquote(text.Value)
				found = found || strings.HasPrefix(message, name+": ")
			}
			return true
		})
	}
	return found
}

// Users do not read names of packages, but those of their files.
func TestErrorsWithoutPackages(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("text", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for message, want := range map[string]string{
		"datasets: open x: no such file":             "open x: no such file",
		"bench: datasets: open x: no such file":      "open x: no such file",
		"--remove: corpus: x: expected another":      "--remove: x: expected another",
		"--run: error parsing regexp: missing )":     "--run: error parsing regexp: missing )",
		"corpus: text: expected a file":              "text: expected a file",
		"text:2: expected words":                     "text:2: expected words",
		"store: one\ngotest: other\n--run: ab: more": "one\nother\n--run: more",
		"x: datasets: stays":                         "x: datasets: stays",
		"fphash: unknown hash":                       "unknown hash",
		"gotest":                                     "gotest",
		"documents: store: expected a file, got 2":   "expected a file, got 2",
	} {
		if got := withoutPackages(message); got != want {
			t.Errorf("%q: got %q, want %q", message, got, want)
		}
	}
}
