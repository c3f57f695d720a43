package page

import (
	"fmt"
	"slices"
	"strings"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/english"
	"simhashkit/results/measure/evidence"
	"simhashkit/results/measure/texts/measure"
)

// figures are those of a result file.
type figures struct {
	all    []collection
	values map[string]float64 // by name and unit
	head   []resultfile.Field
	config []resultfile.Field
}

// collection is one of the rows' names.
type collection struct{ name, language, length, truth string }

func figuresOf(f resultfile.File) (figures, error) {
	list := figures{values: map[string]float64{}, head: f.Head, config: f.Config}
	for _, r := range f.Rows {
		if len(r.Samples) != 1 {
			return list, fmt.Errorf("%s has %d figures of %s: expected one", r.Name, len(r.Samples), r.Unit)
		}
		list.values[r.Name+" "+r.Unit] = r.Samples[0].Value
		if r.Unit != evidence.MedianLength {
			continue
		}
		name, err := benchname.Parse(r.Name)
		if err != nil {
			return list, err
		}
		list.all = append(list.all, collection{name.Get("collection"), name.Get("lang"), name.Get("length"), name.Get("truth")})
	}
	return list, nil
}

func (c collection) String() string {
	words := []string{c.name}
	if c.length != "" {
		words = append(words, c.length)
	}
	return strings.ReplaceAll(strings.Join(words, ", "), "-", " ")
}

// rows returns the name of the rows of a collection.
func (c collection) rows(base string, keysAndValues ...string) string {
	keys := []string{"collection", c.name, "lang", c.language, "length", c.length}
	if !slices.Contains(keysAndValues, "truth") {
		keys = append(keys, "truth", c.truth)
	}
	return benchname.New(base, append(keys, keysAndValues...)...).String()
}

// keysOf is what names say of a definition.
func keysOf(d measure.Definition, more ...string) []string {
	return append([]string{"features", d.Features, "weights", string(d.Weights)}, more...)
}

// value returns a figure; a row that must be there and is not is an error of the page.
func (f figures) value(name, unit string) (float64, error) {
	v, ok := f.values[name+" "+unit]
	if !ok {
		return 0, fmt.Errorf("there is no row %s of %s", name, unit)
	}
	return v, nil
}

// cells appends figures of the rows of a name as parts of a hundred.
func (f figures) cells(dst []string, name string, units ...string) ([]string, error) {
	for _, unit := range units {
		v, err := f.value(name, unit)
		if err != nil {
			return nil, err
		}
		dst = append(dst, english.Hundred(v))
	}
	return dst, nil
}

// unfit reports whether a collection is one that simhash is no tool for: it is measured by the
// definitions alone that are looked at closely.
func (f figures) isUnfit(c collection) bool {
	_, tried := f.values[c.rows(evidence.Texts, "features", "bytes,n=8", "weights", "count", "by", "cosine")+" "+evidence.Recall+evidence.AtPrecision90]
	return !tried
}

// fit are the collections that simhash may be a tool for.
func (f figures) fit() (list []collection) {
	for _, c := range f.all {
		if !f.isUnfit(c) {
			list = append(list, c)
		}
	}
	return list
}

// line is a row of a table in Markdown, and rule what stands below the first: columns of words, and
// then of figures.
func line(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

func rule(words, figures int) string {
	return line(append(slices.Repeat([]string{"---"}, words), slices.Repeat([]string{"---:"}, figures)...)...)
}
