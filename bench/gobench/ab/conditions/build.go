package conditions

import (
	"debug/buildinfo"
	"fmt"
	"slices"
	"strings"
)

// DifferentGo returns a note if the programs of two sides were built by different versions of Go,
// and "" otherwise. It skips programs that Go did not build.
func DifferentGo(old, new []string) string {
	a, b := goVersions(old), goVersions(new)
	if len(a) == 0 || len(b) == 0 || slices.Equal(a, b) {
		return ""
	}
	return fmt.Sprintf("the old side was built by %s, the new one by %s: that is compared too", strings.Join(a, ", "), strings.Join(b, ", "))
}

func goVersions(programs []string) []string {
	var versions []string
	for _, path := range programs {
		if info, err := buildinfo.ReadFile(path); err == nil && !slices.Contains(versions, info.GoVersion) {
			versions = append(versions, info.GoVersion)
		}
	}
	slices.Sort(versions)
	return versions
}
