// Package zhidf provides the inverse document frequencies of Chinese words, from jieba's list of
// some 270,000 words, which gse embeds. Words are those of package text/zh in lower case.
package zhidf

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-ego/gse"

	"simhashkit/datasets/text/weights"
)

// List returns the list. Words not in the list have its median weight, as in gse and jieba. The
// first call takes some tenths of a second and 30 MB.
func List() (*weights.List, error) { return list() }

var list = sync.OnceValues(func() (*weights.List, error) {
	words := map[string]float64{}
	var values []float64
	for line := range strings.Lines(gse.ZhIdf) {
		word, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		value, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return nil, fmt.Errorf("zhidf: expected a word and a number, got %q", line)
		}
		words[word] = value
		values = append(values, value)
	}
	slices.Sort(values)
	return weights.NewList(words, values[len(values)/2])
})
