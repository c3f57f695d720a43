package main

import (
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// The picture of results/README.md shows nanoseconds per feature of a simhash, by kernel, on a
// logarithmic axis.
const (
	pictureFile   = "results/speed.svg"
	pictureSource = "results/amd-epyc/2026-11-27/speed.txt"
)

// pictureBars are the bars of each group, with their labels.
var pictureBars = []struct{ kernel, name string }{
	{"naive", "plain loop"}, {"generic", "pure Go"}, {"avx2", "AVX2"}, {"avx512gfni", "AVX-512"},
}

// The layout of the picture, in pixels.
const (
	pictureWidth           = 680
	pictureLabels          = 96 // left of the bars
	pictureValues          = 70 // right of the longest bar
	pictureBar, pictureGap = 22, 6
	pictureTitle           = 30 // of a group
)

// picture returns the SVG bar chart of the times in a result file.
func picture(f *filed) (string, error) {
	groups := []struct{ weights, title string }{
		{"unit", "unit weights"}, {"f32", "float32 weights"},
	}
	const low, high = 0.1, 1000.0 // of the axis
	scale := func(v float64) float64 {
		return math.Log(v/low) / math.Log(high/low) * (pictureWidth - pictureLabels - pictureValues)
	}
	var body strings.Builder
	y := 0
	for _, g := range groups {
		fmt.Fprintf(&body, `<text class="title" x="%d" y="%d">%s</text>`+"\n", pictureLabels, y+20, html.EscapeString(g.title))
		y += pictureTitle
		for i, bar := range pictureBars {
			keys := parse("Sketch hash=xxh64 f=64 nnz=1000 weights=" + g.weights + " kernel=" + bar.kernel)
			shown, value, err := f.figure("digits ns/nnz", keys)
			if err != nil {
				return "", err
			}
			if shown == gap {
				return "", fmt.Errorf("%s: there is no figure of %s, weights=%s", f.name, bar.kernel, g.weights)
			}
			middle := y + pictureBar/2 + 4
			fmt.Fprintf(&body, `<text class="label" x="%d" y="%d">%s</text><rect class="bar%d" x="%d" y="%d" width="%.1f" height="%d"/><text class="value" x="%.1f" y="%d">%s ns</text>`+"\n",
				pictureLabels-8, middle, html.EscapeString(bar.name), i, pictureLabels, y, scale(value), pictureBar, pictureLabels+scale(value)+6, middle, shown)
			y += pictureBar + pictureGap
		}
	}
	source, err := f.source()
	if err != nil {
		return "", err
	}
	source, _, _ = strings.Cut(strings.ReplaceAll(source, "`", ""), " ([")
	fmt.Fprintf(&body, `<text class="note" x="%d" y="%d">Nanoseconds per feature, logarithmic axis; xxh64, 64 bits, 1,000 features, one core.</text>`+"\n", pictureLabels, y+14)
	y += 24
	const style = `text{font:13px system-ui,sans-serif;fill:#24292f}.title{font-weight:600}.label{text-anchor:end}.note{font-size:12px;fill:#57606a}` +
		`.bar0{fill:#8c959f}.bar1{fill:#54aeff}.bar2{fill:#0969da}.bar3{fill:#0a3069}` +
		`@media(prefers-color-scheme:dark){text{fill:#e6edf3}.note{fill:#9198a1}.bar0{fill:#656c76}.bar1{fill:#1f6feb}.bar2{fill:#58a6ff}.bar3{fill:#a5d6ff}}`
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img"><title>Nanoseconds per feature by kernel</title><desc>%s</desc><style>%s</style>`+"\n%s</svg>\n",
		pictureWidth, y, pictureWidth, y, html.EscapeString(source), style, body.String()), nil
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
