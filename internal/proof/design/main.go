// Command design writes the table of packages in design.md anew, by what the go command says of
// them. From the root of simhashkit:
//
//	go run ./internal/proof/design
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const (
	name  = "design.md"
	begin = "<!-- packages -->\n"
	end   = "<!-- end of packages -->"
)

func main() {
	if err := update("."); err != nil {
		fmt.Fprintln(os.Stderr, "design:", err)
		os.Exit(1)
	}
}

// update rewrites the page in the folder root.
func update(root string) error {
	path := filepath.Join(root, name)
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	updated, err := updated(root, string(text))
	if err != nil || updated == string(text) {
		return err
	}
	return os.WriteFile(path, []byte(updated), 0o644)
}

// updated returns the text of the page with the packages of the module in the folder root.
func updated(root, text string) (string, error) {
	before, rest, found := strings.Cut(text, begin)
	_, after, ends := strings.Cut(rest, end)
	if !found || !ends {
		return "", fmt.Errorf("%s has no lines %q and %q", name, strings.TrimSpace(begin), end)
	}
	packages, err := list(root)
	if err != nil {
		return "", err
	}
	return before + begin + table(packages) + end + after, nil
}

// pkg is what the go command says of a package.
type pkg struct {
	ImportPath, Name, Doc string
	Imports               []string
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
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			pkg
			GoFiles []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if len(p.GoFiles) > 0 {
			packages = append(packages, p.pkg)
		}
	}
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
