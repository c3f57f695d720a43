// Package columnar reads and writes Parquet files. Importing it registers the format "parquet" with
// package documents; it is apart since its library is large.
//
// The text is a column of strings or bytes; the id is one of strings or whole numbers. Columns
// within groups are named with dots. Only these columns are read, a page at a time, so that memory
// is that of some pages, whatever the number of rows. Texts in all encodings and compressions of
// the format are read, among them dictionaries and arrow's large_string; a null is an error as a
// missing field is. An error of a row says the number of the row, from 1.
//
// The library that decodes Parquet may fail on a damaged file in a way that would end the program;
// here that is an error too. A page is held in memory whole, and so is a dictionary; one that
// claims more than 64 MiB, and more than a thousand times its packed bytes, is taken for damaged.
package columnar

import "simhashkit/datasets/documents"

func init() {
	documents.Register(documents.FileFormat{
		Name: "parquet", Signature: signature, Ending: ".parquet", Open: open, CopyKept: copyKept,
	})
}
