package main

import (
	"fmt"
	"slices"
	"strings"
)

// library is one of Python's, and what it does, as package peers calls it.
type library struct{ name, does, method string }

// libraries are those that can be measured.
var libraries = []library{{"text-dedup", "simhash", "simhash"}, {"text-dedup", "minhash", "minhash"}, {"datasketch", "minhash", "datasketch"}}

func (l library) tool() tool { return tool{name: l.name + "-" + l.does} }

// librariesOf returns those whose tools have these names.
func librariesOf(names []string) (list []library, err error) {
	for _, name := range names {
		i := slices.IndexFunc(libraries, func(l library) bool { return l.tool().name == name })
		if i < 0 {
			return nil, fmt.Errorf("-libraries: unknown %s; expected some of %s", name, allLibraries())
		}
		list = append(list, libraries[i])
	}
	return list, nil
}

func allLibraries() string {
	var names []string
	for _, l := range libraries {
		names = append(names, l.tool().name)
	}
	return strings.Join(names, " ")
}
