package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// loop is the body of a kernel's main loop, which has no jump in it.
type loop struct{ instructions, multiplications, keys int }

var (
	function = regexp.MustCompile(`^TEXT ·(\w+)\(SB\)`)
	first    = regexp.MustCompile(`^(many|next):$`)
	counting = regexp.MustCompile(`^\tSUBQ +\$(0x[0-9a-f]+), `)
)

// loopsIn counts the main loops in a folder's assembly for amd64: from the label to where the keys
// that have been hashed are taken off those that are left.
func loopsIn(folder string) (map[string]loop, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*_amd64.s"))
	if err == nil && len(paths) == 0 {
		err = errors.New("no assembly for amd64")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	loops := map[string]loop{}
	for _, path := range paths {
		if err := count(path, loops); err != nil {
			return nil, err
		}
	}
	return loops, nil
}

func count(path string, loops map[string]loop) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var name string
	var body *loop
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		text := lines.Text()
		if m := function.FindStringSubmatch(text); m != nil {
			name, body = m[1], nil
			continue
		}
		if _, counted := loops[name]; counted || name == "" {
			continue
		}
		if first.MatchString(text) {
			body = &loop{}
			continue
		}
		if body == nil || !strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "\t//") {
			continue
		}
		body.instructions++
		if strings.Contains(strings.Fields(text)[0], "MUL") {
			body.multiplications++
		}
		if m := counting.FindStringSubmatch(text); m != nil {
			keys, err := strconv.ParseInt(m[1], 0, 32)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			body.keys = int(keys)
			loops[name] = *body
		}
	}
	return lines.Err()
}
