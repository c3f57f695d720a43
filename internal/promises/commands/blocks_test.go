package commands

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"simhashkit/internal/testing/tools"
)

// testedBy names the tests that run the blocks of each page, by language. Commands have no
// language.
var testedBy = map[string]map[string][]string{
	"README.md": {
		"":   {"internal/promises/commands.TestCommandsOfReadme", "internal/promises/commands.TestGateOfReadme"},
		"go": {"internal/promises.TestProgramOfReadme"},
	},
	"bench/recipes/README.md": {
		"":     {"internal/promises/commands.TestCommandsOfRecipes"},
		"conf": {"internal/promises/commands.TestCommandsOfRecipes"},
		"go":   {"internal/promises/commands.TestBenchmarkOfRecipes"},
	},
	"dedup/corpus.md": {
		"":    {"internal/promises/commands.TestCommandsOfCorpus"},
		"sql": {"cmd/fphash.TestQueryOfCorpusPage"},
	},
	"examples/spark/README.md": {"": {"examples/spark.TestPage"}},
	"fphash/conventions/README.md": {
		"":   {"internal/promises/commands.TestCommandsOfConventions"},
		"go": {"internal/promises/commands.TestProgramOfConventions"},
	},
	"examples/filters.md": {
		"": {"internal/promises/commands.TestCommandsOfFilters", "internal/filter.TestGNUParallel"},
	},
	"textsketch/chinese.md": {"": {"internal/promises/commands.TestCommandsOfChinese"}},
}

// indented matches a block of code without a language: indented lines that do not belong to a list.
var indented = regexp.MustCompile(`\n\n(?:[^\n -][^\n]*\n)*[^\n -][^\n]*\n\n    [^\n]+`)

// Every block of every page has a test, says why it is not tested, or has the language text.
func TestEveryBlock(t *testing.T) {
	found := 0
	err := fs.WalkDir(os.DirFS(root), ".", func(page string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && page != "." && (entry.Name()[0] == '.' && entry.Name() != ".github" || entry.Name() == "testdata") {
			return fs.SkipDir
		}
		if err != nil || path.Ext(page) != ".md" {
			return err
		}
		text := read(t, page)
		if code := indented.FindString(text); code != "" {
			t.Errorf("%s: an indented block has no language: %q", page, code)
		}
		tests := map[string][]string{}
		for _, block := range tools.Blocks(text) {
			found++
			if block.Language == "text" || block.NotTested {
				continue
			}
			tests[block.Language] = testedBy[page][block.Language]
			if len(tests[block.Language]) == 0 {
				t.Errorf("%s: no test runs the block of language %q, and the text before it does not say why it is not tested:\n%s", page, block.Language, block.Code)
			}
		}
		for language := range testedBy[page] {
			if tests[language] == nil {
				t.Errorf("%s has no block of language %q", page, language)
			}
		}
		return nil
	})
	if err != nil || found < 20 {
		t.Errorf("%d blocks, error %v", found, err)
	}
	for page, languages := range testedBy {
		read(t, page)
		for _, tests := range languages {
			for _, test := range tests {
				folder, name, _ := strings.Cut(test, ".")
				if !hasTest(t, folder, name) {
					t.Errorf("%s: there is no test %s in %s", page, name, folder)
				}
			}
		}
	}
}

// hasTest reports whether a package has a test.
func hasTest(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+name+"(t *testing.T) {\n") {
			return true
		}
	}
	return false
}
