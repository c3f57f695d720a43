package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/decompress"
)

// recorded is what runs of one program took, of one benchmark: the median of each run, and the
// samples of which it is.
type recorded struct {
	name    string
	rate    bool // more is better
	medians []float64
	samples [][]float64
}

// readRecorded reads a file of 10 samples a run, and of as many runs of each benchmark.
func readRecorded(path string) ([]recorded, error) {
	const samples = 10
	reader, err := decompress.Open(context.Background(), path)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	text, err := io.ReadAll(reader)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
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
	for i, b := range list {
		if runs := len(b.samples); runs < 2 || runs != len(list[0].samples) || len(b.samples[runs-1]) != samples {
			return nil, fmt.Errorf("%s: %s has %d runs, the last of %d samples; expected %d samples each",
				path, b.name, runs, len(b.samples[runs-1]), samples)
		}
		for _, s := range b.samples {
			list[i].medians = append(list[i].medians, resultfile.NewFigure(s).Median)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no benchmarks", path)
	}
	return list, nil
}

// noisy reports whether the runs of a benchmark differ by a standard deviation of at least 1%.
func (b recorded) noisy() bool {
	logs := make([]float64, len(b.medians))
	for i, m := range b.medians {
		logs[i] = math.Log(m)
	}
	return stat.StdDev(logs, nil) >= 0.01
}

// drawn returns the numbers of two runs.
func (b recorded) drawn(random *rand.Rand) (i, j int) {
	i, j = random.IntN(len(b.medians)), random.IntN(len(b.medians)-1)
	if j >= i {
		j++
	}
	return i, j
}

// slower is what makes figures of a benchmark that much slower.
func (b recorded) slower(factor float64) float64 {
	if b.rate {
		return 1 / factor
	}
	return factor
}
