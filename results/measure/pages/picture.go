package main

import (
	"fmt"
	"os"
	"path/filepath"

	"simhashkit/results/measure/bars"
)

// The picture of results/README.md shows nanoseconds per feature of a simhash, by kernel, on a
// logarithmic axis.
const (
	pictureFile   = "results/speed.svg"
	pictureSource = "results/amd-epyc/2026-11-27/speed.txt"
)

// picture returns the SVG bar chart of the times in a result file.
func picture(f *filed) (string, error) {
	var list []bars.Bar
	for _, weights := range []string{"unit", "f32"} {
		for _, bar := range []struct{ kernel, name string }{{"naive", "plain loop"}, {"generic", "pure Go"}, {"avx2", "AVX2"}, {"avx512gfni", "AVX-512"}} {
			shown, value, err := f.figure("digits ns/nnz", parse("Sketch hash=xxh64 f=64 nnz=1000 weights="+weights+" kernel="+bar.kernel))
			if err != nil {
				return "", err
			}
			if shown == gap {
				return "", fmt.Errorf("%s: there is no figure of %s, weights=%s", f.name, bar.kernel, weights)
			}
			list = append(list, bars.Bar{Label: weights + " weights, " + bar.name, Value: value, Words: shown + " ns"})
		}
	}
	return bars.Draw("Nanoseconds per feature, logarithmic axis; xxh64, 64 bits, 1,000 features, one core", list, 0.1), nil
}

// writePicture draws the picture and writes it to its file.
func writePicture(root string) error {
	f, err := read(root, []string{pictureSource})
	if err != nil {
		return err
	}
	svg, err := picture(f)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, filepath.FromSlash(pictureFile)), []byte(svg), 0o644)
}
