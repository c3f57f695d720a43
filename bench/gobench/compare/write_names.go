package compare

import (
	"slices"
	"strings"
)

// commonParts takes out of names, whose parts are divided by slashes, those that all of them have.
// What is left of a name is at least its last part.
func commonParts(names []string) (common string, rest []string) {
	parts := strings.Split(names[0], "/")
	var shared []string
	for i, part := range parts {
		inAll := !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(strings.Split(name, "/"), part) })
		if inAll && (len(names) > 1 || i < len(parts)-1) {
			shared = append(shared, part)
		}
	}
	for _, name := range names {
		left := slices.DeleteFunc(strings.Split(name, "/"), func(part string) bool { return slices.Contains(shared, part) })
		if len(left) == 0 {
			left = []string{name[strings.LastIndexByte(name, '/')+1:]}
		}
		rest = append(rest, strings.Join(left, "/"))
	}
	return strings.Join(shared, "/"), rest
}
