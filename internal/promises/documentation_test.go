package promises

import (
	"bytes"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The output of go doc for fphash and fphash/families fits into 80 columns, except for signatures,
// which are one line each. The test does not run go doc, which would download modules for other
// platforms.
func TestDocumentationFitsATerminal(t *testing.T) {
	names, lines := []string{ourName(t) + "/fphash", ourName(t) + "/fphash/families"}, 0
	for _, p := range loaded(t, false) {
		if !slices.Contains(names, p.PkgPath) {
			continue
		}
		for line := range strings.Lines(documentation(t, p.PkgPath, p.GoFiles)) {
			lines++
			shown := strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", strings.Repeat(" ", 8))
			if utf8.RuneCountInString(shown) > 80 && !strings.HasPrefix(line, "func ") {
				t.Errorf("more than 80 columns: %s", shown)
			}
		}
	}
	if lines < 500 {
		t.Errorf("%d lines, expected many", lines)
	}
}

// documentation returns the documentation of a package in the layout of go doc -all.
func documentation(t *testing.T, path string, paths []string) string {
	t.Helper()
	set := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	p, err := doc.NewFromFiles(set, files, path)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	comment := func(of, indent string) {
		printer := p.Printer()
		printer.TextPrefix, printer.TextCodePrefix = indent, indent+"    "
		text.Write(printer.Text(p.Parser().Parse(of)))
	}
	declare := func(declaration ast.Decl, of string) {
		if err := format.Node(&text, set, declaration); err != nil {
			t.Fatal(err)
		}
		text.WriteByte('\n')
		comment(of, "    ")
	}
	values := func(list []*doc.Value) {
		for _, v := range list {
			declare(v.Decl, v.Doc)
		}
	}
	funcs := func(list []*doc.Func) {
		for _, f := range list {
			declare(f.Decl, f.Doc)
		}
	}
	comment(p.Doc, "")
	values(slices.Concat(p.Consts, p.Vars))
	funcs(p.Funcs)
	for _, of := range p.Types {
		declare(of.Decl, of.Doc)
		values(slices.Concat(of.Consts, of.Vars))
		funcs(slices.Concat(of.Funcs, of.Methods))
	}
	return text.String()
}
