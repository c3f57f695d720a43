// Command page writes the tables of results/texts.md anew: what stands there between marks shows
// the result file of command texts that the marks name. From the root of simhashkit:
//
//	go run ./internal/proof/texts/page
package main

import (
	"os"
	"path/filepath"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/proof/pages"
)

const name = "results/texts.md"

var blocks = []pages.Block{
	{Name: "recommended", Write: shown(figures.recommended)},
	{Name: "features", Write: shown(figures.features)},
	{Name: "weights", Write: shown(figures.weights)},
	{Name: "widths", Write: shown(figures.widths)},
	{Name: "cosines", Write: shown(figures.cosines)},
	{Name: "growth", Write: shown(figures.growth)},
	{Name: "unfit", Write: shown(figures.unfit)},
	{Name: "collections", Write: shown(figures.collections)},
}

func main() { pages.Main(filepath.FromSlash(name), blocks) }

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
