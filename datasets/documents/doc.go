// Package documents reads texts: one a line, fields of JSON lines, columns of CSV and TSV files,
// whole files, folders and tar archives, plain or packed with gzip, zstd or bzip2.
//
// [Open] reads one file of any of these and [OpenAll] several, [Expand] turns files, globs and
// folders into a list of files, and [CopyKept] writes a file anew with some of its records left out
// and the others as they were. Import simhashkit/datasets/columnar to read Parquet as well.
//
// # Rules that hold everywhere
//
// Memory is bounded by the longest record, which has a limit (see Options). Texts and ids are
// UTF-8: what is not is an error, and so are a missing field, a null and a value of another type;
// an empty text is a document like others. Nothing is left out without an error: a record that
// cannot be read ends the reading, or goes to OnError and is left out. An error of a record says
// file, line and what was expected ([datasets.SyntaxError]); others begin with "documents:". A
// byte order mark at the beginning of a file belongs to no text, and neither does the line end,
// which may be CRLF. NUL characters are characters.
package documents
