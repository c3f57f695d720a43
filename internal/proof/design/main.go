// Command design writes the table of packages in design.md anew, by what the go command says of
// them. From the root of simhashkit:
//
//	go run ./internal/proof/design
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"simhashkit/internal/proof/pages"
)

const name = "design.md"

var blocks = []pages.Block{{Name: "packages", Write: func(root, _ string) (string, error) {
	packages, err := list(root)
	return table(packages), err
}}}

func main() { pages.Main(name, blocks) }

// pkg is what the go command says of a package.
type pkg struct {
	ImportPath, Name, Doc string
	Imports, GoFiles      []string
	Module                struct{ Path string }
}

// list returns the packages below root that are more than tests.
func list(root string) ([]pkg, error) {
	command := exec.Command("go", "list", "-json=ImportPath,Name,Doc,Imports,GoFiles,Module", "./...")
	command.Dir = root
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var packages []pkg
	for decoder := json.NewDecoder(bytes.NewReader(out)); decoder.More(); {
		var p pkg
		if err := decoder.Decode(&p); err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if len(p.GoFiles) > 0 {
			packages = append(packages, p)
		}
	}
	return packages, nil
}

// table shows each package with the first sentence of its documentation, and what it imports of
// this module.
func table(packages []pkg) string {
	var out strings.Builder
	out.WriteString("\n| package | | imports |\n|---|---|---|\n")
	for _, p := range packages {
		var imports []string
		for _, path := range p.Imports {
			if within, ok := strings.CutPrefix(path, p.Module.Path+"/"); ok {
				imports = append(imports, within)
			}
		}
		slices.Sort(imports)
		path := strings.TrimPrefix(p.ImportPath, p.Module.Path+"/")
		fmt.Fprintf(&out, "| [%s](%s) | %s | %s |\n", path, path, sentence(p), strings.Join(imports, ", "))
	}
	out.WriteString("\n")
	return out.String()
}

// sentence is the first one of the package's documentation without the package's name, which the
// table has already.
func sentence(p pkg) string {
	for _, kind := range []string{"Package ", "Command "} {
		base := p.ImportPath[strings.LastIndex(p.ImportPath, "/")+1:]
		if words, ok := strings.CutPrefix(p.Doc, kind+base+" "); ok {
			return strings.ReplaceAll(words, "|", `\|`)
		}
	}
	return p.Doc
}
