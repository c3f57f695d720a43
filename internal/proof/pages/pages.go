// Package pages rewrites what stands between marks in a page of this project.
package pages

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// Block is what stands between the lines <!-- NAME --> or <!-- NAME from FILE --> and
// <!-- end of NAME -->.
type Block struct {
	Name  string
	Write func(root, file string) (string, error)
}

// Main rewrites a page in the current folder, for a command.
func Main(page string, blocks []Block) {
	text, err := os.ReadFile(page)
	var updated string
	if err == nil {
		updated, err = Updated(".", string(text), blocks)
	}
	if err == nil && updated != string(text) {
		err = os.WriteFile(page, []byte(updated), 0o644)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %s: %v\n", filepath.Base(os.Args[0]), page, err)
		os.Exit(1)
	}
}

// Updated returns the text of a page with its blocks as the files below root have them.
func Updated(root, text string, blocks []Block) (string, error) {
	for _, b := range blocks {
		m := regexp.MustCompile(`(?s)<!-- ` + b.Name + `(?: from (\S+))? -->\n(.*?)<!-- end of ` + b.Name + ` -->`).FindStringSubmatchIndex(text)
		if m == nil {
			return "", fmt.Errorf("there is no block of %s", b.Name)
		}
		file := ""
		if m[2] >= 0 {
			file = text[m[2]:m[3]]
		}
		content, err := b.Write(root, file)
		if err != nil {
			return "", err
		}
		text = text[:m[4]] + content + text[m[5]:]
	}
	return text, nil
}
