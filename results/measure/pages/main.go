// Command pages rewrites the tables in the pages of this project. Each table is between two marks,
// which name it and the result files that its figures come from:
//
//	<!-- speed from results/amd-epyc/2026-11-23/bench.txt -->
//	<!-- end of speed -->
//
// tables.json defines what a table shows of its files. The command also draws a picture.
//
//	go -C results run ./measure/pages
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// pages lists the pages with tables.
var pages = []string{"README.md", "METHODOLOGY.md", "results/README.md", "results/arm64.md", "results/hashes.md", "results/scale.md", "results/texts.md"}

func main() {
	for _, page := range pages {
		if err := rewrite("..", page); err != nil {
			fmt.Fprintf(os.Stderr, "pages: %s: %v\n", page, err)
			os.Exit(1)
		}
	}
	if err := writePicture(".."); err != nil {
		fmt.Fprintf(os.Stderr, "pages: %s: %v\n", pictureFile, err)
		os.Exit(1)
	}
}

func rewrite(root, page string) error {
	path := filepath.Join(root, filepath.FromSlash(page))
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	updated, err := update(root, string(text))
	if err != nil || updated == string(text) {
		return err
	}
	return os.WriteFile(path, []byte(updated), 0o644)
}

var mark = regexp.MustCompile(`<!-- ([a-z0-9-]+) from (.+) -->\n`)

// update returns the text of a page, with its tables computed from the files below root.
func update(root, text string) (string, error) {
	marks := mark.FindAllStringSubmatchIndex(text, -1)
	if len(marks) == 0 {
		return "", errors.New("there is no mark of a table")
	}
	var out strings.Builder
	done := 0
	for _, m := range marks {
		name, files := text[m[2]:m[3]], strings.Fields(text[m[4]:m[5]])
		length := strings.Index(text[m[1]:], "<!-- end of "+name+" -->")
		if length < 0 {
			return "", fmt.Errorf("there is no end of %s", name)
		}
		content, err := written(root, name, files)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		out.WriteString(text[done:m[1]])
		out.WriteString(content)
		done = m[1] + length
	}
	return out.String() + text[done:], nil
}

// written returns the content of the table called name.
func written(root, name string, files []string) (string, error) {
	all, err := tables()
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(all, func(t table) bool { return t.Name == name })
	if i < 0 {
		return "", errors.New("there is no table with this name")
	}
	f, err := read(root, files)
	if err != nil {
		return "", err
	}
	return all[i].written(f)
}
