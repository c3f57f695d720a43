package documents

import (
	"slices"
	"strings"
)

// sourceExtensions are the file name extensions of source code.
var sourceExtensions = strings.Fields(`.asm .c .cc .clj .cpp .cs .css .cu .cxx .dart .el .erl .ex .f90 .fs .go .groovy .h
.hpp .hs .java .jl .js .jsx .kt .lisp .lua .m .mjs .ml .nim .php .pl .proto .ps1 .py .r .rb .rs .s .scala .scss .sh
.sql .sv .swift .tcl .ts .tsx .v .vb .vhd .vue .zig`)

// MostlySource reports whether more than half of the files have a name of source code, such as
// main.go, with or without .gz, .zst or .bz2.
func MostlySource(files []string) bool {
	source := 0
	for _, file := range files {
		if slices.Contains(sourceExtensions, ending(file)) {
			source++
		}
	}
	return 2*source > len(files)
}
