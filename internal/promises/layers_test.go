package promises

import (
	"cmp"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"simhashkit/internal/testing/long"
)

// floors lists the rooms of the house from the ground up. A package imports packages of lower
// floors and of its own room: data flows up only.
var floors = []string{
	"asm/cpu", "asm/internal", "asm",
	"internal",
	"fphash", "fphash/families", "fphash/conventions",
	"datasets",
	"textsketch", "explain",
	"bench/terms", "bench/gobench", "bench/measure", "bench/naive",
	"bench/quality", "bench/projections", "bench/unsure", "bench",
	"bench/advice", "bench/bars", "bench/table", "bench/calibrate", "bench/doctor", "bench/report",
	"bench/choose",
	"bench/recipes",
	"dedup",
	"cmd/fphash",
	"internal/proof", "internal/testing/engine", "internal/promises",
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
	{"fphash/index", []string{"fphash", "asm", "internal"}, false},
	{"datasets", []string{"datasets", "internal"}, false},
	{"bench/gobench", []string{"bench/gobench", "internal"}, true},
	{"bench/terms", nil, true},
	{"internal/process", nil, true},
}

// load returns the packages of this module with what the mode asks for. With tests there are,
// beside each package, those that the go command makes of it and its tests.
func load(t *testing.T, tests bool, mode packages.LoadMode) []*packages.Package {
	t.Helper()
	list, err := packages.Load(&packages.Config{Mode: mode | packages.NeedName | packages.NeedImports | packages.NeedForTest, Dir: root, Tests: tests}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		if len(p.Errors) > 0 {
			t.Fatal(p.Errors)
		}
	}
	return list
}

// ours returns what a package imports of this module, without the module's name.
func ours(p *packages.Package, module string) (list []string) {
	for path := range p.Imports {
		if within, ok := strings.CutPrefix(path, module+"/"); ok {
			list = append(list, within)
		}
	}
	return list
}

// in reports whether a package belongs to a room.
func in(path, room string) bool { return path == room || strings.HasPrefix(path, room+"/") }

// roomOf returns the smallest of the closed rooms that a package is in.
func roomOf(path string) (room string) {
	for _, c := range closed {
		if in(path, c.room) && len(c.room) > len(room) {
			room = c.room
		}
	}
	return room
}

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
	module := ourName(t)
	for _, p := range load(t, false, 0) {
		path := strings.TrimPrefix(p.PkgPath, module+"/")
		if floorOf(path) < 0 {
			t.Errorf("%s is in no room of the house: expected its room in floors, and in design.md", path)
		}
		for _, imported := range ours(p, module) {
			if floorOf(imported) > floorOf(path) {
				t.Errorf("%s imports %s, which is above it", path, imported)
			}
		}
	}
}

func TestRoomsThatCanLeave(t *testing.T) {
	module := ourName(t)
	list := load(t, true, 0)
	for _, c := range closed {
		found := false
		for _, p := range list {
			path := strings.TrimPrefix(cmp.Or(p.ForTest, p.PkgPath), module+"/")
			if roomOf(path) != c.room || strings.HasSuffix(path, ".test") || p.ForTest != "" && !c.tests {
				continue
			}
			found = true
			for _, imported := range ours(p, module) {
				if !slices.ContainsFunc(c.may, func(room string) bool { return in(imported, room) && !in(imported, "internal/proof") }) {
					t.Errorf("%s imports %s: expected nothing of this module but %q", path, imported, c.may)
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
	long.Skip(t, "checks the types of all packages")
	room := ourName(t) + "/bench"
	for _, p := range load(t, false, packages.NeedFiles|packages.NeedSyntax|packages.NeedTypes|packages.NeedTypesInfo) {
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
