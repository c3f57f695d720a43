package gotest

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// pathSettings are the settings of the go command with which a build may read files by their path.
var pathSettings = []string{"GOFLAGS", "CC", "CXX", "CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_CXXFLAGS", "CGO_FFLAGS", "CGO_LDFLAGS", "PKG_CONFIG"}

// noteSettings notes settings that build a revision with files of the working tree, such as
// -modfile in GOFLAGS. That is what they ask for, but it hides a change of these files.
func (p *preparation) noteSettings(ctx context.Context, top string) error {
	text, err := p.goCommand(ctx, p.Folder, environment(), append([]string{"env"}, pathSettings...)...)
	if err != nil {
		return err
	}
	for i, value := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if i < len(pathSettings) && namesFileIn(top, value) {
			p.note(fmt.Sprintf("%s=%s names files of the working tree, which both sides are built with", pathSettings[i], value))
		}
	}
	return nil
}

// namesFileIn reports whether the setting names a path in the folder, alone, after a = or after the
// letter of an option.
func namesFileIn(folder, setting string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(setting, func(r rune) bool { return strings.ContainsRune(" \t=,'\"", r) }), func(word string) bool {
		i := strings.Index(word, string(filepath.Separator))
		if i < 0 {
			return false
		}
		path := word[i:]
		if volume := filepath.VolumeName(word); volume != "" {
			path = word
		}
		_, ok := within(folder, path)
		return ok && filepath.IsAbs(path)
	})
}

// note adds a note, once for both sides.
func (p *preparation) note(text string) {
	if !slices.Contains(p.benchmarks.Notes, text) {
		p.benchmarks.Notes = append(p.benchmarks.Notes, text)
	}
}
