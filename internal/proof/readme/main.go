// Command readme writes the figures of README.md anew: the tables between the lines
// <!-- tables from FILE --> and <!-- end of tables --> show the result file that the first of them
// names, and those of rates the comparisons in a folder. From the root of simhashkit:
//
//	go run ./internal/proof/readme
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

const name = "README.md"

func main() {
	if err := update("."); err != nil {
		fmt.Fprintln(os.Stderr, "readme:", err)
		os.Exit(1)
	}
}

// update rewrites the README in the folder root.
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

// blocks are what is between marks, by what the marks say.
var blocks = []struct {
	lines *regexp.Regexp
	write func(root, source string) (string, error)
}{
	{regexp.MustCompile(`(?s)(<!-- tables from (\S+) -->\n).*?(<!-- end of tables -->)`), tables},
	{regexp.MustCompile(`(?s)(<!-- rates from (\S+) -->\n).*?(<!-- end of rates -->)`), rates},
}

// updated returns the text of a README with its blocks as the files below root have them.
func updated(root, text string) (string, error) {
	for _, b := range blocks {
		if !b.lines.MatchString(text) {
			return "", fmt.Errorf("%s has no %s", name, b.lines)
		}
	}
	for _, b := range blocks {
		m := b.lines.FindStringSubmatchIndex(text)
		content, err := b.write(root, text[m[4]:m[5]])
		if err != nil {
			return "", err
		}
		text = text[:m[3]] + content + text[m[6]:]
	}
	return text, nil
}
