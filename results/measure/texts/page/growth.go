package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"simhashkit/internal/english"
	"simhashkit/results/measure/evidence"
	"simhashkit/results/measure/texts/collections"
	"simhashkit/results/measure/texts/measure"
)

// growth says what is left when the collection grows.
func (f figures) growth() (string, error) {
	c := collection{name: "verses-reworded", language: collections.English, truth: collections.ByLabels}
	sizes, err := f.sizes()
	if err != nil {
		return "", err
	}
	header := []string{"features, weights", "bits"}
	for _, n := range sizes {
		header = append(header, fmt.Sprintf("%d documents: finds, k", n))
	}
	out := line(header...) + rule(1, len(sizes)+1)
	for _, d := range measure.GrownDefinitions {
		for _, bits := range []string{"64", "128", "256"} {
			cells := []string{"`" + d.Features + "`, `" + string(d.Weights) + "`", bits}
			for _, n := range sizes {
				name := c.rows(evidence.TextsGrown, keysOf(d, "f", bits, "documents", strconv.Itoa(n))...)
				v, err := f.value(name, p90)
				if err != nil {
					return "", err
				}
				cell := english.Hundred(v)
				if k, ok := f.values[name+" "+evidence.Threshold+evidence.AtPrecision90]; ok {
					cell += ", " + strconv.FormatFloat(k, 'f', 0, 64)
				}
				cells = append(cells, cell)
			}
			out += line(cells...)
		}
	}
	return out, nil
}

// sizes are those of the collections that grow, in ascending order.
func (f figures) sizes() (list []int, err error) {
	for name := range f.values {
		_, last, ok := strings.Cut(name, "/documents=")
		if !ok {
			continue
		}
		digits, _, _ := strings.Cut(last, " ")
		n, err := strconv.Atoi(digits)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, n)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}
