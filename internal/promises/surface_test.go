package promises

import (
	"flag"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

var update = flag.Bool("update", false, "record the public names instead of comparing them")

// The public names of the module are those of testdata/surface.txt, so that none is added or
// removed unnoticed. A line has a package with its names, and another one its methods.
func TestSurface(t *testing.T) {
	module := ourName(t)
	var text strings.Builder
	listed, total := 0, 0
	for _, p := range loaded(t, false) {
		path := strings.TrimPrefix(p.PkgPath, module+"/")
		if p.Name == "main" || slices.Contains(strings.Split(path, "/"), "internal") || in(path, "examples") {
			continue
		}
		names, methods := exported(t, p)
		if len(names) == 0 {
			continue
		}
		listed, total = listed+1, total+len(names)
		fmt.Fprintf(&text, "%s: %s\n", path, strings.Join(names, " "))
		if len(methods) > 0 {
			fmt.Fprintf(&text, "\tmethods: %s\n", strings.Join(methods, " "))
		}
	}
	got := fmt.Sprintf("%d packages, %d names\n", listed, total) + text.String()
	path := filepath.Join("testdata", "surface.txt")
	if *update {
		write(t, path, got)
		return
	}
	recorded, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(string(recorded), "\n")
	for _, line := range strings.Split(got, "\n") {
		if !slices.Contains(want, line) {
			t.Errorf("%s has no such line; if this is intended, run the test with -update:\n%s", path, line)
		}
	}
	if got != string(recorded) && !t.Failed() {
		t.Errorf("%s has names that are gone; run the test with -update", path)
	}
}

// exported returns the exported names of a package and, as Type.Method, the methods of its exported
// types, in alphabetical order.
func exported(t *testing.T, p *packages.Package) (names, methods []string) {
	t.Helper()
	found := map[string]bool{}
	for _, file := range parsed(t, p) {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if name := nameOf(d); name != "" {
					found[name] = true
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						found[spec.Name.Name] = true
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							found[name.Name] = true
						}
					}
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if of, method, ok := strings.Cut(name, "."); ok && ast.IsExported(of) && ast.IsExported(method) {
			methods = append(methods, name)
		} else if !ok && ast.IsExported(name) {
			names = append(names, name)
		}
	}
	return names, methods
}

// nameOf returns the name of a function, or Type.Method.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	for {
		switch x := of.(type) {
		case *ast.StarExpr:
			of = x.X
		case *ast.IndexExpr:
			of = x.X
		case *ast.IndexListExpr:
			of = x.X
		case *ast.Ident:
			return x.Name + "." + f.Name.Name
		default:
			return ""
		}
	}
}
