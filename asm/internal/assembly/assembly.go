// Package assembly reads the generated assembly, for tests that check it against rules.
package assembly

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"strings"

	"simhashkit/asm/internal/extension"
)

// Function is one TEXT of an assembly file.
type Function struct {
	Name     string
	Flags    string        // "NOSPLIT, $0-56"
	Requires extension.Set // the extensions in its "// Requires:" comment
	Lines    []Line        // instructions, without labels and comments
}

// Line is one instruction with its line number.
type Line struct {
	Number int
	Text   string
}

var text = regexp.MustCompile(`^TEXT ·(\w+)\(SB\), (.*)$`)

// Read returns the functions of the file.
func Read(path string) ([]Function, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var functions []Function
	var requires extension.Set
	scanner := bufio.NewScanner(f)
	for number := 1; scanner.Scan(); number++ {
		line := strings.TrimSpace(scanner.Text())
		if list, ok := strings.CutPrefix(line, "// Requires: "); ok {
			for name := range strings.SplitSeq(list, ", ") {
				named, ok := extension.Named(name)
				if !ok && !ignored[name] {
					return nil, fmt.Errorf("%s:%d: no tier requires %s", path, number, name)
				}
				requires |= named
			}
			continue
		}
		if m := text.FindStringSubmatch(line); m != nil {
			functions = append(functions, Function{Name: m[1], Flags: m[2], Requires: requires})
			requires = 0
			continue
		}
		if len(functions) == 0 || line == "" || strings.HasPrefix(line, "//") || strings.HasSuffix(line, ":") ||
			strings.HasPrefix(line, "DATA ") || strings.HasPrefix(line, "GLOBL ") {
			continue
		}
		last := &functions[len(functions)-1]
		last.Lines = append(last.Lines, Line{number, line})
	}
	return functions, scanner.Err()
}

// ignored are extensions that every amd64 processor has.
var ignored = map[string]bool{"CMOV": true, "SSE": true, "SSE2": true, "MMX+": true}
