// Package bars draws bar charts as SVG files for the pages.
package bars

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// Bar is a bar with the words to its left and right.
type Bar struct {
	Label string
	Value float64
	Words string
}

const (
	labels, length, height, step = 230, 360, 20, 26
	style                        = `text{font:13px system-ui,sans-serif;fill:#24292f}.title{font-weight:600}.label{text-anchor:end}rect{fill:#0969da}` +
		`@media(prefers-color-scheme:dark){text{fill:#e6edf3}rect{fill:#58a6ff}}`
)

// Draw draws bars on a logarithmic axis that begins at low, or on a linear one from 0 if low is 0.
func Draw(title string, list []Bar, low float64) string {
	most := 0.0
	for _, b := range list {
		most = max(most, b.Value)
	}
	var body strings.Builder
	for i, b := range list {
		y, part := 34+step*i, b.Value/most
		if low > 0 {
			part = math.Log(max(b.Value, low)/low) / math.Log(most/low)
		}
		fmt.Fprintf(&body, `<text class="label" x="%d" y="%d">%s</text><rect x="%d" y="%d" width="%.1f" height="%d"/><text x="%.1f" y="%d">%s</text>`+"\n",
			labels-8, y+15, html.EscapeString(b.Label), labels, y, part*length, height, labels+part*length+6, y+15, html.EscapeString(b.Words))
	}
	whole := 34 + step*len(list)
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 %d" width="680" height="%d" role="img"><title>%s</title><style>%s</style><text class="title" x="8" y="20">%s</text>`+"\n%s</svg>\n",
		whole, whole, html.EscapeString(title), style, html.EscapeString(title), body.String())
}
