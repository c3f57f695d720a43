package promises

import (
	"encoding/json"
	"errors"
	"go/types"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
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
	ImportPath                         string
	Imports, TestImports, XTestImports []string
	Module                             struct{ Path string }
}

func listed(t *testing.T) []pkg {
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
	for _, p := range listed(t) {
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
	list := listed(t)
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
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo
	list, err := packages.Load(&packages.Config{Mode: mode, Dir: root}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	room := ourName(t) + "/bench"
	for _, p := range list {
		if len(p.Errors) > 0 {
			t.Fatal(p.Errors)
		}
		used := map[string][]string{} // names by package
		more := map[string]bool{}     // packages of which not only constants are used
		for _, object := range p.TypesInfo.Uses {
			of := object.Pkg()
			if of == nil || of == p.Types || object.Parent() != of.Scope() || !in(of.Path(), room) || of.Path() == room+"/terms" {
				continue
			}
			used[of.Path()] = append(used[of.Path()], object.Name())
			if _, constant := object.(*types.Const); !constant {
				more[of.Path()] = true
			}
		}
		for path, names := range used {
			if !more[path] {
				t.Errorf("%s imports %s for its constants alone: %q", p.PkgPath, path, names)
			}
		}
	}
}
