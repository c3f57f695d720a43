// Package docformat names the formats of documents, and detects formats and fields from the names
// and the first bytes of files.
package docformat

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/internal/syntax"
)

// The names of the formats; see documents.Options.
const (
	Auto    = "auto"
	Lines   = "lines" // one document per line
	JSONL   = "jsonl" // one JSON object per line
	CSV     = "csv"
	TSV     = "tsv"
	Files   = "files" // each file is a document
	Tar     = "tar"   // each file in the archive is a document
	Parquet = "parquet"
)

// Names returns the names of all formats.
func Names() []string { return []string{Auto, Lines, JSONL, CSV, TSV, Files, Tar, Parquet} }

const (
	DefaultText   = "text" // default name of the text field
	StandardInput = "-"    // path that stands for standard input
)

// ParquetSignature begins every Parquet file.
const ParquetSignature = "PAR1"

// ByteOrderMark may begin a text in UTF-8.
var ByteOrderMark = []byte("\ufeff")

// Called describes the formats in messages. It has no Parquet, which is not read from streams.
var Called = map[string]string{
	Lines: "lines of text",
	JSONL: "JSON lines",
	CSV:   "comma-separated values",
	TSV:   "tab-separated values",
	Files: "a text",
	Tar:   "a tar archive",
}

// endings maps file extensions to formats. The extension of a compressed file is removed first.
var endings = map[string]string{
	".jsonl": JSONL, ".ndjson": JSONL, ".json": JSONL,
	".csv": CSV, ".tsv": TSV, ".tab": TSV,
	".txt": Lines,
	".tar": Tar, ".tgz": Tar, ".tbz2": Tar, ".tzst": Tar,
	".parquet": Parquet,
}

// ending returns the extension of a name, in lower case and without the extension of a compressed
// file, which packed reports.
func ending(name string) (ending string, packed bool) {
	name = strings.ToLower(filepath.Base(name))
	for _, extension := range []string{".gz", ".zst", ".bz2"} {
		if rest, ok := strings.CutSuffix(name, extension); ok {
			name, packed = rest, true
		}
	}
	return filepath.Ext(name), packed
}

// OfStream returns the most likely format of a stream. An empty stream counts as JSON lines without
// documents, so any field may be requested.
func OfStream(name string, head []byte) string {
	if syntax.LikeFile(head) == Called[Tar] {
		return Tar
	}
	end, _ := ending(name)
	if format := endings[end]; format != "" && format != Parquet {
		return format
	}
	empty := len(head) == 0
	head = bytes.TrimLeft(bytes.TrimPrefix(head, ByteOrderMark), " \t\r\n")
	if empty || len(head) > 0 && head[0] == '{' {
		return JSONL
	}
	return Lines
}

// IsParquet reports whether a file is Parquet, by its name or its first bytes before decompression.
func IsParquet(path, signature string) bool {
	end, packed := ending(path)
	return strings.HasPrefix(signature, ParquetSignature) || endings[end] == Parquet && !packed
}

// HasRecords reports whether the extension of a file belongs to a format with many documents per
// file: JSON lines, CSV, TSV, tar and Parquet, compressed or not.
func HasRecords(path string) bool {
	end, _ := ending(path)
	return endings[end] != "" && endings[end] != Lines
}

// sourceExtensions are the file name extensions of source code.
var sourceExtensions = strings.Fields(`.asm .c .cc .clj .cpp .cs .css .cu .cxx .dart .el .erl .ex .f90 .fs .go .groovy .h
.hpp .hs .java .jl .js .jsx .kt .lisp .lua .m .mjs .ml .nim .php .pl .proto .ps1 .py .r .rb .rs .s .scala .scss .sh
.sql .sv .swift .tcl .ts .tsx .v .vb .vhd .vue .zig`)

// MostlySource reports whether more than half of the files have a name of source code, such as
// main.go, with or without .gz, .zst or .bz2.
func MostlySource(files []string) bool {
	source := 0
	for _, file := range files {
		if end, _ := ending(file); slices.Contains(sourceExtensions, end) {
			source++
		}
	}
	return 2*source > len(files)
}
