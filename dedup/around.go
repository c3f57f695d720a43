package dedup

import (
	"strings"

	eastasian "golang.org/x/text/width"
)

// around returns two texts, each on one line of so many columns at most: of longer ones what stands
// around the first difference.
func around(a, b string, most int) [2]string {
	x, y := []rune(strings.Join(strings.Fields(a), " ")), []rune(strings.Join(strings.Fields(b), " "))
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	from := 0
	if same < max(len(x), len(y)) && max(columns(x), columns(y)) > most {
		for from < same && columns(x[from:same]) > most/4 {
			from++
		}
	}
	return [2]string{window(x, from, most), window(y, from, most)}
}

// window returns so many columns of a text from a place on, with … for what is left out.
func window(text []rune, from, most int) string {
	before := ""
	if from > 0 {
		before = "…"
		most--
	}
	text = text[from:]
	if columns(text) <= most {
		return before + string(text)
	}
	n := 0
	for used := column(text[0]); used <= most-1; used += column(text[n]) {
		n++
	}
	return before + string(text[:n]) + "…"
}

// columns returns how many columns of a terminal a text takes.
func columns(text []rune) (n int) {
	for _, r := range text {
		n += column(r)
	}
	return n
}

func column(r rune) int {
	switch eastasian.LookupRune(r).Kind() {
	case eastasian.EastAsianWide, eastasian.EastAsianFullwidth:
		return 2
	}
	return 1
}
