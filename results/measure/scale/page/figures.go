package page

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/results/measure/evidence"
)

// figure is a median of a result file.
type figure struct {
	base, road, stage string
	cpus              string
	n                 int
	unit              string
	value             float64
}

type figures []figure

// of makes a block that shows the figures of its file.
func of(table func(figures) (string, error)) func(root, file string) (string, error) {
	return func(root, file string) (string, error) {
		f, err := os.Open(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			return "", err
		}
		defer f.Close()
		results, err := resultfile.Read(f, file)
		if err != nil {
			return "", err
		}
		return table(figuresOf(results.Rows))
	}
}

func figuresOf(rows []resultfile.Row) (list figures) {
	for _, s := range resultfile.Summarize(rows) {
		n, err := strconv.Atoi(s.Name.Get("n"))
		if err == nil && s.Err == "" {
			list = append(list, figure{s.Name.Base, s.Name.Get("road"), s.Name.Get("stage"), s.Name.Get("cpus"), n, s.Unit, s.Median})
		}
	}
	return list
}

// sizes are the numbers of documents of a road.
func (f figures) sizes(road string) (list []int) {
	for _, x := range f {
		if x.base == evidence.Road && (road == "" || x.road == road) && !slices.Contains(list, x.n) {
			list = append(list, x.n)
		}
	}
	slices.Sort(list)
	return list
}

// stages are those of a road, in order.
func (f figures) stages(road string) (list []string) {
	for _, x := range f {
		if x.base == evidence.Road && x.road == road && !slices.Contains(list, x.stage) {
			list = append(list, x.stage)
		}
	}
	return list
}

// get returns a figure of a stage; 0 if there is none.
func (f figures) get(road, stage string, n int, unit string) float64 {
	for _, x := range f {
		if x.base == evidence.Road && x.road == road && x.stage == stage && x.n == n && x.unit == unit {
			return x.value
		}
	}
	return 0
}

// searched returns the sizes of the blocks that were searched, and the nanoseconds for each
// fingerprint of one.
func (f figures) searched() (sizes []int, each []float64) {
	for _, x := range f {
		if x.base == evidence.BlockSearch {
			sizes, each = append(sizes, x.n), append(each, x.value/float64(x.n))
		}
	}
	return sizes, each
}

// table is a table of Markdown, whose columns but the first are numbers.
type table struct{ text strings.Builder }

func (t *table) row(cells ...string) {
	if t.text.Len() == 0 {
		fmt.Fprintf(&t.text, "| %s |\n| --- |%s\n", strings.Join(cells, " | "), strings.Repeat(" ---: |", len(cells)-1))
		return
	}
	fmt.Fprintf(&t.text, "| %s |\n", strings.Join(cells, " | "))
}

// count writes a number of things, as 10^7 where it is a power of ten.
func count(n float64) string {
	for i, power := 4, 1e4; power <= n; i, power = i+1, power*10 {
		if m := n / power; m < 9.5 && math.Abs(m-math.Round(m)) < 1e-9 {
			if m == 1 {
				return fmt.Sprintf("10^%d", i)
			}
			return fmt.Sprintf("%.0f·10^%d", m, i)
		}
	}
	return short(n)
}

// short writes a number with three digits, and large ones by powers of ten.
func short(x float64) string {
	switch {
	case x == 0:
		return "–"
	case x >= 1e6:
		power := math.Floor(math.Log10(x))
		return fmt.Sprintf("%.1f·10^%.0f", x/math.Pow(10, power), power)
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.2g", x)
}

// duration writes nanoseconds.
func duration(ns float64) string {
	s := ns / 1e9
	switch {
	case s >= 7200:
		return fmt.Sprintf("%.1f h", s/3600)
	case s >= 600:
		return fmt.Sprintf("%.0f min", s/60)
	case s >= 120:
		return fmt.Sprintf("%.1f min", s/60)
	case s >= 10:
		return fmt.Sprintf("%.0f s", s)
	}
	return fmt.Sprintf("%.2g s", s)
}

// memory writes bytes.
func memory(bytes float64) string {
	switch {
	case bytes >= 1e12:
		return fmt.Sprintf("%.1f TB", bytes/1e12)
	case bytes >= 1e9:
		return fmt.Sprintf("%.1f GB", bytes/1e9)
	}
	return fmt.Sprintf("%.0f MB", bytes/1e6)
}
