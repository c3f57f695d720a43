package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Input is a file of documents.
type Input struct {
	Path string

	// Name is that of its files in the folder of a run, with slashes: the path below the part of a
	// pattern that is fixed.
	Name string
}

// Inputs names the files that patterns stand for: expand returns the files of one pattern. They are
// in the order of the patterns, and each comes once. Two files that would have the same name in the
// folder of the run are an error.
func Inputs(patterns []string, expand func(pattern string) ([]string, error)) ([]Input, error) {
	var inputs []Input
	byName := map[string]string{}
	for _, pattern := range patterns {
		paths, err := expand(pattern)
		if err != nil {
			return nil, err
		}
		base := fixed(pattern)
		for _, path := range paths {
			name, err := filepath.Rel(base, path)
			if err != nil || !filepath.IsLocal(name) {
				return nil, fmt.Errorf("corpus: %s: expected a file below %s", path, base)
			}
			name = filepath.ToSlash(name)
			switch other, ok := byName[name]; {
			case !ok:
				byName[name] = path
				inputs = append(inputs, Input{path, name})
			case filepath.Clean(other) != filepath.Clean(path):
				return nil, fmt.Errorf("corpus: %s and %s would both be %s in the folder of the run: expected one pattern for both", other, path, name)
			}
		}
	}
	return inputs, nil
}

// fixed returns the folder that all files of a pattern are in.
func fixed(pattern string) string {
	if info, err := os.Stat(pattern); err == nil {
		if info.IsDir() {
			return pattern
		}
		return filepath.Dir(pattern)
	}
	parts := strings.Split(pattern, string(filepath.Separator))
	first := slices.IndexFunc(parts, func(part string) bool { return strings.ContainsAny(part, `*?[\`) })
	if first < 0 {
		return filepath.Dir(pattern)
	}
	base := strings.Join(parts[:first], string(filepath.Separator))
	switch {
	case base == "" && first > 0: // from the root
		return string(filepath.Separator)
	case base == "":
		return "."
	}
	return base
}
