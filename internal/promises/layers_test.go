package promises

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"

	"simhashkit/internal/testing/tools"
)

// layers lists the layers of the module, lowest first. A package may import only packages of its
// own layer and of lower layers.
var layers = []string{
	"asm/cpu", "asm/internal", "asm",
	"internal",
	"fphash", "fphash/families", "fphash/conventions",
	"datasets",
	"textsketch",
	"internal/columnar", "internal/docsketch", "internal/blocks", "internal/filter", "internal/similarity",
	"bench/gobench", "internal/gobench/ab", "internal/gobench/gotest", "internal/bench/terms", "internal/bench/naive",
	"internal/bench/libraries",
	"bench/quality", "bench",
	"internal/bench/advice", "internal/bench/table", "internal/bench/doctor", "internal/bench/report",
	"internal/bench/choose",
	"bench/recipes",
	"dedup", "internal/dedup",
	"dedup/source",
	"cmd/fphash",
	"internal/promises", "examples",
}

// closed lists the packages that could be moved out of this module, with the packages of this
// module that they may import. If tests is true, this also applies to the imports of their tests.
var closed = []struct {
	path  string
	may   []string
	tests bool
}{
	{"asm", []string{"asm"}, true},
	{"fphash", []string{"fphash", "asm"}, false},
	{"fphash/conventions", []string{"fphash", "asm", "internal"}, false},
	{"fphash/index", []string{"fphash", "asm", "internal"}, false},
	{"datasets", []string{"datasets", "asm", "internal"}, false},
	{"bench/gobench", []string{"bench/gobench", "internal"}, true},
	{"internal/bench/terms", nil, true},
	{"internal/process", nil, true},
}

// load returns the packages of this module with their imports, including the variants of packages
// with tests.
var load = sync.OnceValues(func() ([]*packages.Package, error) {
	return packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedForTest, Dir: root, Tests: true,
	}, "./...")
})

// loaded returns the packages of load, with or without the variants with tests.
func loaded(t *testing.T, tests bool) (list []*packages.Package) {
	t.Helper()
	tools.Need(t, "go")
	all, err := load()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if len(p.Errors) > 0 {
			t.Fatal(p.Errors)
		}
		if !strings.HasSuffix(p.PkgPath, ".test") && (tests || p.ForTest == "") {
			list = append(list, p)
		}
	}
	return list
}

// ours returns the packages of this module that a package imports, without the module's name.
func ours(p *packages.Package, module string) (list []string) {
	for path := range p.Imports {
		if within, ok := strings.CutPrefix(path, module+"/"); ok {
			list = append(list, within)
		}
	}
	return list
}

// in reports whether path is within, or a package below it.
func in(path, within string) bool { return path == within || strings.HasPrefix(path, within+"/") }

// closedOf returns the closed package with the longest path that contains the package.
func closedOf(path string) (within string) {
	for _, c := range closed {
		if in(path, c.path) && len(c.path) > len(within) {
			within = c.path
		}
	}
	return within
}

// layerOf returns the layer with the longest path that contains the package, or -1.
func layerOf(path string) int {
	layer := -1
	for i, within := range layers {
		if in(path, within) && (layer < 0 || len(within) > len(layers[layer])) {
			layer = i
		}
	}
	return layer
}

func TestImportsOfLayers(t *testing.T) {
	module := ourName(t)
	for _, p := range loaded(t, false) {
		path := strings.TrimPrefix(p.PkgPath, module+"/")
		if layerOf(path) < 0 {
			t.Errorf("%s is in no layer: add it to layers, and to design.md", path)
		}
		for _, imported := range ours(p, module) {
			if layerOf(imported) > layerOf(path) {
				t.Errorf("%s imports %s, which is above it", path, imported)
			}
		}
	}
}

func TestPackagesThatCanLeave(t *testing.T) {
	module := ourName(t)
	list := loaded(t, true)
	for _, c := range closed {
		found := false
		for _, p := range list {
			path := strings.TrimPrefix(cmp.Or(p.ForTest, p.PkgPath), module+"/")
			if closedOf(path) != c.path || p.ForTest != "" && !c.tests {
				continue
			}
			found = true
			for _, imported := range ours(p, module) {
				if !slices.ContainsFunc(c.may, func(within string) bool { return in(imported, within) }) {
					t.Errorf("%s imports %s: expected nothing of this module but %q", path, imported, c.may)
				}
			}
		}
		if !found {
			t.Errorf("there is no package in %s", c.path)
		}
	}
}

// If a package imports a package of bench only for constants, these constants belong in
// internal/bench/terms.
func TestNoPackageIsImportedForAConstant(t *testing.T) {
	public, inner := ourName(t)+"/bench", ourName(t)+"/internal/bench"
	list := loaded(t, false)
	names := map[string]string{}              // names of packages of bench, by path
	constants := map[string]map[string]bool{} // whether a name is a constant, by path and name
	for _, p := range list {
		if !in(p.PkgPath, public) && !in(p.PkgPath, inner) || p.PkgPath == inner+"/terms" {
			continue
		}
		names[p.PkgPath], constants[p.PkgPath] = p.Name, map[string]bool{}
		for _, file := range parsed(t, p) {
			for name, object := range file.Scope.Objects {
				constants[p.PkgPath][name] = object.Kind == ast.Con
			}
		}
	}
	uses := 0
	for _, p := range list {
		used := map[string]map[string]bool{} // used names, by path
		for _, file := range parsed(t, p) {
			for path, names := range usedIn(t, file, names) {
				if used[path] == nil {
					used[path] = map[string]bool{}
				}
				maps.Copy(used[path], names)
				uses += len(names)
			}
		}
		for path, list := range used {
			names := slices.Sorted(maps.Keys(list))
			if !slices.ContainsFunc(names, func(name string) bool { return !constants[path][name] }) {
				t.Errorf("%s imports %s for its constants alone: %q", p.PkgPath, path, names)
			}
		}
	}
	if uses < 100 {
		t.Errorf("%d names of bench are used in other packages, expected many", uses)
	}
}

// parsed returns the files of a package.
func parsed(t *testing.T, p *packages.Package) (files []*ast.File) {
	t.Helper()
	for _, path := range p.GoFiles {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// usedIn returns the names that a file uses of some packages, by path. packages has the names of
// these packages, by path.
func usedIn(t *testing.T, file *ast.File, packages map[string]string) map[string]map[string]bool {
	t.Helper()
	paths, used := map[string]string{}, map[string]map[string]bool{}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if packages[path] == "" {
			continue
		}
		name := packages[path]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		paths[name], used[path] = path, map[string]bool{}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			// an identifier with an object is a variable, not a package
			if x, ok := selector.X.(*ast.Ident); ok && x.Obj == nil && paths[x.Name] != "" {
				used[paths[x.Name]][selector.Sel.Name] = true
			}
		}
		return true
	})
	return used
}
