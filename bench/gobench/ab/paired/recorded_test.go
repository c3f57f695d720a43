package paired

import (
	"io"
	"slices"
	"testing"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/decompress"
)

const recordedFile = "../../compare/testdata/runs.txt.gz"

// recorded is what runs of one program took, of one benchmark: the median of each run, and the
// samples of which it is.
type recorded struct {
	name    string
	rate    bool // more is better
	medians []float64
	samples [][]float64
}

// readRecorded reads 41 runs of 51 benchmarks, each of 10 samples.
func readRecorded(t testing.TB) []recorded {
	t.Helper()
	const runs, samples = 41, 10
	reader, err := decompress.Open(recordedFile)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	text, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	var list []recorded
	number := map[string]int{}
	var results resultfile.Reader
	for result := range results.Results(text) {
		name := string(result.Name)
		i, seen := number[name]
		if !seen {
			i = len(list)
			number[name] = i
			list = append(list, recorded{name: name, rate: result.Values[0].Unit == "B/s"})
		}
		b := &list[i]
		if n := len(b.samples); n == 0 || len(b.samples[n-1]) == samples {
			b.samples = append(b.samples, nil)
		}
		last := &b.samples[len(b.samples)-1]
		*last = append(*last, result.Values[0].Value)
	}
	for i := range list {
		for _, s := range list[i].samples {
			list[i].medians = append(list[i].medians, median(s))
		}
		if len(list[i].medians) != runs || len(list[i].samples[runs-1]) != samples {
			t.Fatalf("%s: %d runs, the last of %d samples", list[i].name, len(list[i].medians), len(list[i].samples[len(list[i].samples)-1]))
		}
	}
	if len(list) != 51 {
		t.Fatalf("%d benchmarks", len(list))
	}
	return list
}

func median(samples []float64) float64 {
	x := slices.Sorted(slices.Values(samples))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}
