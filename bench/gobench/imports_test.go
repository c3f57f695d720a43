package gobench_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module, root = "simhashkit/", "../../"

// The packages below, and their tests, import nothing of this module but each other and internal
// packages, of which the same is true.
func TestImports(t *testing.T) {
	seen := map[string]bool{}
	var visit func(folder string, tests bool)
	visit = func(folder string, tests bool) {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if seen[file] || !tests && strings.HasSuffix(file, "_test.go") {
				continue
			}
			seen[file] = true
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range parsed.Imports {
				path, err := strconv.Unquote(i.Path.Value)
				if err != nil {
					t.Fatal(err)
				}
				inside, ours := strings.CutPrefix(path, module)
				switch {
				case !ours, strings.HasPrefix(inside, "bench/gobench/"):
				case strings.HasPrefix(inside, "internal/"):
					visit(filepath.Join(root, inside), false)
				default:
					t.Errorf("%s imports %s", file, path)
				}
			}
		}
	}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			visit(path, true)
		}
		return err
	})
	if err != nil || len(seen) < 10 {
		t.Errorf("%d files, error %v", len(seen), err)
	}
}
