package main

import (
	"os"
	"slices"
	"strings"
)

// packages are those whose errors begin with their name, which tells a user of the tool nothing. A
// test says which they are.
var packages = []string{
	"ab", "bench", "benchname", "blocks", "choose", "clusters", "columnar", "compare", "conditions", "conventions", "corpus",
	"cpu", "datasets", "dedup", "doctor", "documents", "fingerprints", "fphash", "gotest", "index", "indexfile", "join", "libraries",
	"measure", "page", "paired", "parquet", "process", "quality", "report", "resultfile", "similarity", "store", "table", "text",
	"textsketch", "weights",
}

// withoutPackages returns the text of an error without the names of packages that its lines begin
// with, which are errors each, also behind the name of a flag. What is the name of a file here
// stays.
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
