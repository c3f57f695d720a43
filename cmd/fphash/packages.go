package main

import (
	"os"
	"slices"
	"strings"
)

// packages lists the packages whose name begins their errors. Users of the tool do not know them. A
// test checks the list.
var packages = []string{
	"ab", "bench", "benchname", "blocks", "choose", "clusters", "columnar", "compare", "conditions", "conventions", "corpus",
	"cpu", "datasets", "dedup", "doctor", "documents", "fingerprints", "fphash", "gotest", "index", "indexfile", "join", "libraries",
	"measure", "page", "paired", "parquet", "process", "quality", "report", "resultfile", "similarity", "store", "table", "text",
	"textsketch", "weights",
}

// withoutPackages removes the package names at the beginning of the lines of an error, also after
// the name of a flag. It keeps names that are files here.
func withoutPackages(message string) string {
	lines := strings.Split(message, "\n")
	for i, line := range lines {
		lines[i] = withoutPackage(line)
	}
	return strings.Join(lines, "\n")
}

func withoutPackage(message string) string {
	flag := ""
	if name, rest, ok := strings.Cut(message, ": "); ok && strings.HasPrefix(name, "--") {
		flag, message = name+": ", rest
	}
	for {
		name, rest, ok := strings.Cut(message, ": ")
		if !ok || !slices.Contains(packages, name) {
			return flag + message
		}
		if _, err := os.Lstat(name); err == nil {
			return flag + message
		}
		message = rest
	}
}
