package page

import (
	"testing"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/results/measure/evidence"
)

func row(name, unit string, value float64) resultfile.Row {
	return resultfile.Row{Name: name, Unit: unit, Samples: []resultfile.Sample{{Iterations: 1, Value: value}}}
}

// A collection is unfit where not all definitions were tried, and what is missing is an error.
func TestFigures(t *testing.T) {
	const fit, unfit = "Texts/collection=verses/lang=en/length=short/truth=labels", "Texts/collection=books/lang=en/truth=edits"
	f, err := figuresOf(resultfile.File{Rows: []resultfile.Row{
		row(fit, evidence.MedianLength, 98), row(unfit, evidence.MedianLength, 3e5),
		row(fit+"/features=bytes,n=8/weights=count/by=cosine", p90, 0.5), row(unfit+"/features=words/weights=count/by=cosine", p90, 0.25),
		row("TextsGrown/collection=verses/lang=en/truth=labels/documents=300", p90, 1), row("TextsGrown/collection=verses/lang=en/truth=labels/documents=20", p90, 1),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if list := f.fit(); len(list) != 1 || list[0].String() != "verses, short" || list[0].rows(evidence.Texts) != fit {
		t.Errorf("%v", list)
	}
	if sizes, err := f.sizes(); err != nil || len(sizes) != 2 || sizes[0] != 20 {
		t.Errorf("%v, %v", sizes, err)
	}
	cells, err := f.cells(nil, unfit+"/features=words/weights=count/by=cosine", p90)
	if err != nil || len(cells) != 1 || cells[0] != "25" {
		t.Errorf("%v, %v", cells, err)
	}
	for _, table := range []func(figures) (string, error){figures.recommended, figures.features, figures.weights, figures.widths, figures.growth, figures.unfit, figures.collections} {
		if out, err := table(f); err == nil {
			t.Errorf("a table without its figures: no error, but\n%s", out)
		}
	}
	if _, err := figuresOf(resultfile.File{Rows: []resultfile.Row{{Name: fit, Unit: "x"}}}); err == nil {
		t.Error("a row without a figure: no error")
	}
}
