package promises

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// floors lists the rooms of the house from the ground up. A package imports packages of lower
// floors and of its own room: data flows up only.
var floors = []string{
	"asm/cpu", "asm/internal", "asm",
	"internal",
	"fphash", "fphash/families",
	"datasets",
	"bench/terms", "bench/gobench", "bench/measure", "bench/naive",
	"bench/quality", "bench/projections", "bench",
	"bench/advice", "bench/bars", "bench/table", "bench/calibrate", "bench/doctor", "bench/report",
	"bench/recipes",
	"cmd/fphash",
	"internal/proof", "internal/promises",
}

// closed lists the rooms that can leave this module, with all of it that they may import. What
// their tests import counts too where the value is true.
var closed = []struct {
	room  string
	may   []string
	tests bool
}{
	{"asm", []string{"asm"}, true},
	{"fphash", []string{"fphash", "asm"}, false},
	{"datasets", []string{"datasets", "internal"}, false},
	{"bench/gobench", []string{"bench/gobench", "internal"}, true},
	{"bench/terms", nil, true},
	{"internal/process", nil, true},
}

// pkg is what the go command says of a package of this module.
type pkg struct {
	path                               string // below the module's
	Dir, ImportPath                    string
	GoFiles, CgoFiles                  []string
	Imports, TestImports, XTestImports []string
	Module                             struct{ Path string }
}

func packages(t *testing.T) []pkg {
	t.Helper()
	command := exec.Command("go", "list", "-json", "./...")
	command.Dir = root
	out, err := command.Output()
	if err != nil {
		t.Fatal("go list:", err)
	}
	var list []pkg
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		p.path = strings.TrimPrefix(p.ImportPath, p.Module.Path+"/")
		list = append(list, p)
	}
}

// ours returns those of the paths that are packages of this module, without its name.
func (p pkg) ours(paths []string) (list []string) {
	for _, path := range paths {
		if within, ok := strings.CutPrefix(path, p.Module.Path+"/"); ok {
			list = append(list, within)
		}
	}
	return list
}

// in reports whether a package belongs to a room.
func in(path, room string) bool { return path == room || strings.HasPrefix(path, room+"/") }

// floorOf returns the floor of a package, that of the room with the longest name.
func floorOf(path string) int {
	floor := -1
	for i, room := range floors {
		if in(path, room) && (floor < 0 || len(room) > len(floors[floor])) {
			floor = i
		}
	}
	return floor
}

func TestDataFlowsUp(t *testing.T) {
	for _, p := range packages(t) {
		if floorOf(p.path) < 0 {
			t.Errorf("%s is in no room of the house: expected its room in floors, and in design.md", p.path)
		}
		for _, imported := range p.ours(p.Imports) {
			if floorOf(imported) > floorOf(p.path) {
				t.Errorf("%s imports %s, which is above it", p.path, imported)
			}
		}
	}
}

func TestRoomsThatCanLeave(t *testing.T) {
	list := packages(t)
	for _, c := range closed {
		found := false
		for _, p := range list {
			if !in(p.path, c.room) {
				continue
			}
			found = true
			imports := p.ours(p.Imports)
			if c.tests {
				imports = append(imports, p.ours(slices.Concat(p.TestImports, p.XTestImports))...)
			}
			for _, imported := range imports {
				if !slices.ContainsFunc(c.may, func(room string) bool { return in(imported, room) && !in(imported, "internal/proof") }) {
					t.Errorf("%s imports %s: expected nothing of this module but %q", p.path, imported, c.may)
				}
			}
		}
		if !found {
			t.Errorf("there is no package in %s", c.room)
		}
	}
}

// A package of bench that is imported only for its constants has the wrong room for them: they
// belong to bench/terms.
func TestNoPackageIsImportedForAConstant(t *testing.T) {
	constants := map[string]map[string]bool{} // by package
	list := packages(t)
	for _, p := range list {
		constants[p.path] = constantsOf(t, p)
	}
	for _, p := range list {
		used := selectors(t, p)
		for _, imported := range p.ours(p.Imports) {
			if !in(imported, "bench") || imported == "bench/terms" {
				continue
			}
			if names := used[imported]; len(names) > 0 && !slices.ContainsFunc(names, func(n string) bool { return !constants[imported][n] }) {
				t.Errorf("%s imports %s for its constants alone: %q", p.path, imported, names)
			}
		}
	}
}

func parsed(t *testing.T, p pkg) (files []*ast.File) {
	t.Helper()
	set := token.NewFileSet()
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// constantsOf returns the constants of a package.
func constantsOf(t *testing.T, p pkg) map[string]bool {
	names := map[string]bool{}
	for _, file := range parsed(t, p) {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.CONST {
				for _, spec := range d.Specs {
					for _, name := range spec.(*ast.ValueSpec).Names {
						names[name.Name] = true
					}
				}
			}
		}
	}
	return names
}

// selectors returns what a package uses of each package of this module that it imports.
func selectors(t *testing.T, p pkg) map[string][]string {
	used := map[string][]string{}
	for _, file := range parsed(t, p) {
		paths := map[string]string{} // by the name that the file calls it
		for _, s := range file.Imports {
			path := strings.Trim(s.Path.Value, `"`)
			name := path[strings.LastIndex(path, "/")+1:]
			if s.Name != nil {
				name = s.Name.Name
			}
			paths[name] = strings.TrimPrefix(path, p.Module.Path+"/")
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && paths[x.Name] != "" {
					used[paths[x.Name]] = append(used[paths[x.Name]], s.Sel.Name)
				}
			}
			return true
		})
	}
	return used
}
