// Package dispatch reads which assembly the exported functions of a package can come to at each
// tier, for the tests that hold the dispatch to what a processor of that tier has.
//
// Running the kernels does not show a switch that climbs a tier: on the machine of the tests, which
// has everything, the kernel of a higher tier gives the right result.
package dispatch

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/assembly"
)

// Package is the source of a package as it is built for one architecture.
type Package struct {
	files     *token.FileSet
	functions map[string][]*ast.FuncDecl // methods by ".name", of all types that have one
	kernels   map[string]kernel
}

type kernel struct {
	assembly.Function
	path string
}

// Call says that an exported function can come to a function in assembly.
type Call struct {
	Entry    string // the function that asks for the active tier
	Position string // the file and line of the call
	Path     string // the assembly file
	assembly.Function
}

// Read reads the package in the folder as it is built for the architecture.
func Read(dir, architecture string) (*Package, error) {
	p := &Package{token.NewFileSet(), map[string][]*ast.FuncDecl{}, map[string]kernel{}}
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return nil, err
	}
	context := build.Default
	context.GOARCH, context.BuildTags = architecture, nil
	for _, path := range paths {
		switch built, err := context.MatchFile(dir, filepath.Base(path)); {
		case err != nil:
			return nil, err
		case !built || strings.HasSuffix(path, "_test.go"):
		case strings.HasSuffix(path, ".s"):
			if err := p.addAssembly(path); err != nil {
				return nil, err
			}
		case strings.HasSuffix(path, ".go"):
			if err := p.addGo(path, nil); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

func (p *Package) addAssembly(path string) error {
	functions, err := assembly.Read(path)
	for _, f := range functions {
		p.kernels[f.Name] = kernel{f, path}
	}
	return err
}

// addGo adds a Go file, from source unless that is nil.
func (p *Package) addGo(path string, source any) error {
	file, err := parser.ParseFile(p.files, path, source, 0)
	if err != nil {
		return err
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		name := f.Name.Name
		if f.Recv != nil {
			name = "." + name
		}
		p.functions[name] = append(p.functions[name], f)
	}
	return nil
}

// Calls returns the calls of assembly that are possible while the tier is the active one, sorted by
// entry and position. What does not hang on the tier, such as a length, counts as possible.
func (p *Package) Calls(tier cpu.Tier) ([]Call, error) {
	var calls []Call
	for name, declared := range p.functions {
		for _, f := range declared {
			if !asksForTier(f) {
				continue
			}
			w := &walk{pkg: p, active: tier, entry: strings.TrimPrefix(name, "."), seen: map[visit]bool{}}
			w.function(f, nil)
			if w.err != nil {
				return nil, w.err
			}
			calls = append(calls, w.calls...)
		}
	}
	slices.SortFunc(calls, func(a, b Call) int {
		return strings.Compare(a.Entry+" "+a.Position, b.Entry+" "+b.Position)
	})
	return calls, nil
}

func asksForTier(f *ast.FuncDecl) (asks bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		asks = asks || ok && isActive(call)
		return !asks
	})
	return asks
}

// isActive reports whether the call is cpu.Active().
func isActive(call *ast.CallExpr) bool { return ofCPU(call.Fun) == "Active" }

// ofCPU returns the name behind "cpu.", empty for anything else.
func ofCPU(e ast.Expr) string {
	if s, ok := e.(*ast.SelectorExpr); ok {
		if x, ok := s.X.(*ast.Ident); ok && x.Name == "cpu" {
			return s.Sel.Name
		}
	}
	return ""
}
