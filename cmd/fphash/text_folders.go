package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/datasets/documents"
)

// expand returns the files of a pattern, or its folders where each of their files is one document.
func (f *textFlags) expand(pattern string, notice func(string)) ([]string, error) {
	files, err := documents.Expand([]string{pattern})
	if err != nil {
		return nil, err
	}
	folders := foldersOf(pattern)
	if len(folders) == 0 || !f.wholeFiles(files) {
		return files, nil
	}
	if f.format == "" || f.format == documents.Auto {
		notice(fmt.Sprintf("each of the %d files of %s is one document; where each line is one: --documents lines", len(files), pattern))
	}
	return folders, nil
}

// foldersOf returns the folders that a pattern names, if it names nothing else.
func foldersOf(pattern string) []string {
	paths := []string{pattern}
	if _, err := os.Stat(pattern); err != nil {
		if paths, err = filepath.Glob(pattern); err != nil || strings.Contains(pattern, "**") {
			return nil
		}
	}
	if slices.ContainsFunc(paths, func(path string) bool { info, err := os.Stat(path); return err != nil || !info.IsDir() }) {
		return nil
	}
	return paths
}

// wholeFiles says that the files of a folder are a document each: as --documents says or, without
// that, if no field is named and no file has a name that stands for many documents in a file.
func (f *textFlags) wholeFiles(files []string) bool {
	switch f.format {
	case documents.Files:
		return true
	case "", documents.Auto:
		return f.text == "" && f.id == "" && !slices.ContainsFunc(files, documents.HasRecords)
	}
	return false
}
