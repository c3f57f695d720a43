// Package marks rewrites what stands between marks in a page of this project.
package marks

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

// Rewrite writes the blocks of a page below root anew.
func Rewrite(root, page string, blocks []Block) error {
	path := filepath.Join(root, filepath.FromSlash(page))
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	updated, err := Updated(root, string(text), blocks)
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	if updated == string(text) {
		return nil
	}
	return os.WriteFile(path, []byte(updated), 0o644)
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
