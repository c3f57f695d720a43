package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/internal/filetree"
)

func TestNamesOfInputs(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{"a/x.txt": "", "a/b/y.txt": "", "c/x.txt": ""})
	t.Chdir(folder)
	if err := os.Symlink("x.txt", "c/link.txt"); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		patterns []string
		want     string
	}{
		{[]string{"a"}, "x.txt b/y.txt"},
		{[]string{"a/x.txt"}, "x.txt"},
		{[]string{"a/*.txt"}, "x.txt"},
		{[]string{"*/x.txt"}, "a/x.txt c/x.txt"},
		{[]string{"./a/*/y.txt"}, "b/y.txt"},
		{[]string{folder + "/*/x.txt"}, "a/x.txt c/x.txt"},
		{[]string{"a/x.txt", "a/x.txt"}, "x.txt"},
		{[]string{"a/x.txt", folder + "/a/x.txt"}, "x.txt"},
		{[]string{"a/x.txt", "c/x.txt"}, "would both be x.txt"},
		{[]string{"a/x.txt", "*/x.txt"}, "x.txt c/x.txt"},
		{[]string{"c/link.txt", "*/x.txt"}, "link.txt a/x.txt"},
	} {
		inputs, _, err := Inputs(c.patterns, nil, func(pattern string) ([]string, error) {
			if pattern == "a" {
				return []string{"a/x.txt", "a/b/y.txt"}, nil
			}
			return filepath.Glob(pattern)
		})
		got := fmt.Sprint(err)
		if err == nil {
			var names []string
			for _, in := range inputs {
				names = append(names, in.Name)
			}
			got = strings.Join(names, " ")
		}
		if !strings.Contains(got, c.want) || err == nil && got != c.want {
			t.Errorf("%s: %s, want %s", c.patterns, got, c.want)
		}
	}
}

// Slashes separate the folders of a pattern on every system.
func TestFixedPartsOfPatterns(t *testing.T) {
	t.Chdir(t.TempDir())
	for pattern, want := range map[string]string{
		"a/b/*.txt": "a/b", "a/*/c.txt": "a", "a/**": "a", "*.txt": ".", "./*.txt": ".", "../[ab]/x": "..", "a/b.txt": "a",
	} {
		if got := fixed(pattern); got != filepath.FromSlash(want) {
			t.Errorf("%s: %s, want %s", pattern, got, want)
		}
	}
}

// A folder of documents and an input inside it are refused, at any depth and by any path.
func TestNestedInputs(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{"a/b/c/x.txt": "", "ab/x.txt": "", "a.txt": ""})
	t.Chdir(folder)
	if err := os.Symlink("a/b", "link"); err != nil {
		t.Skip(err)
	}
	as := func(paths ...string) (inputs []Input) {
		for _, path := range paths {
			inputs = append(inputs, Input{Path: path, Name: path})
		}
		return inputs
	}
	for _, c := range []struct {
		inputs []Input
		want   string
	}{
		{as("a.txt", "a/b/c/x.txt", "a"), "a/b/c/x.txt is in a,"},
		{as("a", "a/b/c"), "a/b/c is in a,"},
		{as("link", "a/b/c/x.txt"), "a/b/c/x.txt is in link,"},
		{as("link/c/x.txt", "a"), "link/c/x.txt is in a,"},
		{as(".", "a.txt"), "a.txt is in .,"},
		{as("a", "ab/x.txt", "ab", "a.txt"), "ab/x.txt is in ab,"},
		{as("a", "ab", "a.txt"), ""},
		{as("a/b/c/x.txt", "ab/x.txt", "a.txt"), ""},
	} {
		err := refuseNested(new(filetree.Paths), c.inputs)
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %q", c.inputs, err, c.want)
		}
	}
}
