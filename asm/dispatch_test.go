package asm_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
)

// TestKernelsRunAtTheirTier checks that every kernel is called, and only at the tier that its name
// ends in: in a case or an if that selects that tier, or in a function whose name ends in the same
// tier. A call at a lower tier would crash on some processors, but no other test can detect that on
// a machine that supports all tiers.
//
// On arm64, every processor supports the only tier with kernels. So the test checks only that
// kernels are called.
func TestKernelsRunAtTheirTier(t *testing.T) {
	for _, architecture := range []string{"amd64", "arm64"} {
		dirs := map[string]*dispatch{}
		for _, path := range assemblyFiles(t, architecture) {
			dir := filepath.Dir(path)
			if dirs[dir] == nil {
				dirs[dir] = readDispatch(t, filepath.Join(dir, "*_"+architecture+".go"))
			}
			functions, err := readAssembly(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range functions {
				if want := "_" + tierOf(f.Name).String() + "_" + architecture + ".s"; !strings.HasSuffix(path, want) {
					t.Errorf("%s: the name of %s does not end in the tier of the file", path, f.Name)
				}
				if !dirs[dir].called[f.Name] {
					t.Errorf("%s: %s is never called", path, f.Name)
				}
			}
		}
		for _, d := range dirs {
			for _, fault := range d.faults {
				if architecture == "amd64" {
					t.Error(fault)
				}
			}
		}
	}
}

// dispatch describes how the Go files of a package call the functions whose names end in a tier.
type dispatch struct {
	called map[string]bool
	faults []string
}

func readDispatch(t *testing.T, pattern string) *dispatch {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatal("no files match ", pattern, err)
	}
	files, declared, parsed := token.NewFileSet(), map[string]bool{}, map[*ast.File]condition{}
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(files, path, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		parsed[file] = condition{source, file.FileStart}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && tierOf(f.Name.Name) != cpu.Generic {
				declared[f.Name.Name] = true
			}
		}
	}
	d := &dispatch{called: map[string]bool{}}
	fault := func(at ast.Node, text string) {
		d.faults = append(d.faults, files.Position(at.Pos()).String()+": "+text)
	}
	for file, c := range parsed {
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			switch n := n.(type) {
			case *ast.SwitchStmt:
				if text := c.fault(n); text != "" {
					fault(n, text)
				}
			case *ast.Ident:
				if _, declaration := stack[len(stack)-1].(*ast.FuncDecl); declaration || !declared[n.Name] {
					break
				}
				d.called[n.Name] = true
				if got, want := c.tierAt(n, stack), tierOf(n.Name); got != want {
					fault(n, n.Name+" is called at tier "+got.String()+", expected "+want.String())
				}
			}
			return true
		})
	}
	return d
}

// tierOf returns the tier that the name ends in, or Generic.
func tierOf(name string) cpu.Tier {
	for _, tier := range cpu.Tiers("") {
		if strings.HasSuffix(name, strings.ToUpper(tier.String())) {
			return tier
		}
	}
	return cpu.Generic
}

// condition reads conditions on the tier from the source of a file.
type condition struct {
	source []byte
	start  token.Pos
}

// ofTier matches a condition that selects a tier: its name in a switch on the tier, or a comparison
// by == or >=. Further conditions may follow after &&.
var ofTier = regexp.MustCompile(`^(?:tier (==|>=) )?cpu\.(\w+)(?: && [^|]*)?$`)

// asked returns the tier that the condition selects, or Generic, and whether the condition includes
// higher tiers.
func (c condition) asked(e ast.Expr) (tier cpu.Tier, higher bool) {
	m := ofTier.FindSubmatch(c.source[e.Pos()-c.start : e.End()-c.start])
	if m == nil {
		return cpu.Generic, false
	}
	return tierOf(string(m[2])), string(m[1]) == ">="
}

// tierAt returns the lowest tier at which n is reached, according to the conditions and the
// function around n.
func (c condition) tierAt(n ast.Node, stack []ast.Node) (tier cpu.Tier) {
	for i := len(stack) - 1; i >= 0 && tier == cpu.Generic; i-- {
		switch s := stack[i].(type) {
		case *ast.IfStmt:
			if s.Body.Pos() <= n.Pos() && n.Pos() < s.Body.End() {
				tier, _ = c.asked(s.Cond)
			}
		case *ast.CaseClause:
			for _, e := range s.List {
				tier, _ = c.asked(e) // the last tier is the lowest, unless the switch has a fault
			}
		case *ast.FuncDecl:
			tier = tierOf(s.Name.Name)
		}
	}
	return tier
}

// fault describes what is wrong with a switch on the tier, or returns "". A tier without a case
// would get no kernel, and a tier after a lower one would get the kernel of the lower one.
func (c condition) fault(s *ast.SwitchStmt) string {
	next := cpu.AVX512GFNI
	for _, clause := range s.Body.List {
		for _, e := range clause.(*ast.CaseClause).List {
			tier, higher := c.asked(e)
			switch {
			case tier == cpu.Generic:
				continue
			case tier > next:
				return tier.String() + " comes after a lower tier"
			case tier < next && !higher:
				return next.String() + " has no case, but a lower tier has"
			}
			next = tier.Below()
		}
	}
	return ""
}

func assemblyFiles(t *testing.T, architecture string) []string {
	paths, err := filepath.Glob("*/*_" + architecture + ".s")
	if err != nil || len(paths) == 0 {
		t.Fatal("no assembly found", err)
	}
	return paths
}
