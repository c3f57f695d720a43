// Package page writes the tables of results/texts.md from what command texts has measured.
package page

import (
	"os"
	"path/filepath"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/results/measure/marks"
)

// Blocks lists the tables of the page.
var Blocks = []marks.Block{
	{Name: "recommended", Write: shown(figures.recommended)},
	{Name: "features", Write: shown(figures.features)},
	{Name: "weights", Write: shown(figures.weights)},
	{Name: "widths", Write: shown(figures.widths)},
	{Name: "cosines", Write: shown(figures.cosines)},
	{Name: "growth", Write: shown(figures.growth)},
	{Name: "unfit", Write: shown(figures.unfit)},
	{Name: "collections", Write: shown(figures.collections)},
}

// shown makes a block of a table.
func shown(table func(figures) (string, error)) func(root, file string) (string, error) {
	return func(root, file string) (string, error) {
		figures, err := read(filepath.Join(root, file))
		if err != nil {
			return "", err
		}
		return table(figures)
	}
}

// files are those that have been read: all tables are of the same one, which takes a second.
var files = map[string]figures{}

func read(path string) (figures, error) {
	if known, ok := files[path]; ok {
		return known, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return figures{}, err
	}
	defer f.Close()
	results, err := resultfile.Read(f, path)
	if err != nil {
		return figures{}, err
	}
	files[path], err = figuresOf(results)
	return files[path], err
}
