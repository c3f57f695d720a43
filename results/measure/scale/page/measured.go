package page

import (
	"fmt"
	"math"
	"slices"

	"simhashkit/bench/terms"
	"simhashkit/results/measure/evidence"
)

// roadNames are the roads and how the page calls them.
var roadNames = []struct{ road, name string }{
	{"files", "`fphash dedup-corpus`"},
	{"memory", "`fphash sketch`, `dedup`, `clusters`"},
	{"filters", "`fphash sketch`, `blocks`, `sort`, `pairs`, `clusters`"},
	{"spark", "Spark, two workers"},
	{"beam", "Beam, Prism"},
}

// again are stages that do once more, in another way, what others of their road have done. They are
// left out of sums.
var again = []string{"clusters-of-pairs", "blocks-to-pairs"}

// roadTable has time and memory of each road, from documents to attributes.
func roadTable(f figures) (string, error) {
	var t table
	head := []string{"from documents to attributes"}
	for _, n := range f.sizes("") {
		head = append(head, count(float64(n)))
	}
	t.row(head...)
	for _, r := range roadNames {
		cells := []string{r.name}
		for _, n := range f.sizes("") {
			time, peak := 0.0, 0.0
			for _, stage := range f.stages(r.road) {
				if !slices.Contains(again, stage) {
					time += f.get(r.road, stage, n, terms.NanosecondsPerOperation)
					peak = max(peak, f.get(r.road, stage, n, evidence.PeakBytes))
				}
			}
			if time == 0 {
				cells = append(cells, "–")
				continue
			}
			cells = append(cells, duration(time)+", "+memory(peak))
		}
		t.row(cells...)
	}
	return t.text.String(), nil
}

// stageTable has what a document takes in each stage.
func stageTable(f figures) (string, error) {
	var t table
	head := []string{"µs a document, and bytes handed on"}
	for _, n := range f.sizes("") {
		head = append(head, count(float64(n)))
	}
	t.row(head...)
	for _, r := range roadNames {
		for _, stage := range f.stages(r.road) {
			cells := []string{r.road + ": " + stage}
			for _, n := range f.sizes("") {
				time := f.get(r.road, stage, n, terms.NanosecondsPerOperation)
				if time == 0 {
					cells = append(cells, "–")
					continue
				}
				cell := short(time / 1000 / float64(n))
				if written := f.get(r.road, stage, n, evidence.WrittenBytes); written > 0 {
					cell += fmt.Sprintf(", %s B", short(written/float64(n)))
				}
				cells = append(cells, cell)
			}
			t.row(cells...)
		}
	}
	return t.text.String(), nil
}

// blockTable holds the blocks that were seen to the formula.
func blockTable(f figures) (string, error) {
	var t table
	t.row("documents", "lines", "blocks", "the largest", "pairs in blocks", "by the formula", "pairs in a block", "pairs within 3 bits")
	for _, n := range f.sizes("filters") {
		get := func(unit string) float64 { return f.get("filters", "pairs", n, unit) }
		t.row(count(float64(n)), count(get(evidence.BlockLines)), short(get(evidence.BlockCount)), short(get(evidence.LargestBlock)), short(get(evidence.ComparedPairs)),
			short(designs[0].pairs(float64(n))), short(get(evidence.ComparedPairs)/get(evidence.BlockCount)), short(get(terms.Pairs)))
	}
	return t.text.String(), nil
}

// searchTable has what the search of a block takes.
func searchTable(f figures) (string, error) {
	var t table
	t.row("fingerprints in a block", "of so many with 4 tables", "ns for each", "ns, were all compared with all")
	sizes, each := f.searched()
	if len(sizes) == 0 {
		return "", fmt.Errorf("there is no search of a block")
	}
	perPair := each[1] / (float64(sizes[1]) / 2)
	for i, n := range sizes {
		all := "–" // where that is what is done
		if n > 1024 {
			all = short(perPair * float64(n) / 2)
		}
		digits := math.Pow(10, math.Floor(math.Log10(float64(n+1)*designs[0].keys())))
		t.row(fmt.Sprint(n), count(math.Round(float64(n)*designs[0].keys()/digits)*digits), short(each[i]), all)
	}
	return t.text.String(), nil
}

// batchTable holds a batch of queries to the paper's.
func batchTable(f figures) (string, error) {
	for _, x := range f {
		if x.base == evidence.Batch && x.cpus == "" {
			chunks := math.Ceil(8e9 / float64(x.n))
			var t table
			t.row("a million queries against 8·10^9 fingerprints", "chunks", "a chunk", "on 200 workers")
			t.row("the paper, 2007, processors of then", fmt.Sprint(chunks), "–", "under 100 s")
			t.row("here, a core each, from memory", fmt.Sprint(chunks), duration(x.value), duration(x.value*math.Ceil(chunks/200)))
			return t.text.String(), nil
		}
	}
	return "", fmt.Errorf("there is no batch of queries")
}
