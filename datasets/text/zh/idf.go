package zh

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-ego/gse"

	"simhashkit/datasets/text/weights"
)

// IDF returns the inverse document frequencies of some 260,000 words that come with gse, and with
// jieba: for TF-IDF without a corpus of one's own. As there, other words have the median of these.
// It takes a moment the first time, and needs no dictionary.
func IDF() (*weights.List, error) { return idf() }

var idf = sync.OnceValues(func() (*weights.List, error) { return parseIDF(gse.ZhIdf) })

// parseIDF reads a line for each word: the word, a space and the number.
func parseIDF(text string) (*weights.List, error) {
	list := map[string]float64{}
	var all []float64
	number := 0
	for line := range strings.Lines(text) {
		number++
		word, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		weight, err := strconv.ParseFloat(value, 64)
		if err != nil || word == "" {
			return nil, fmt.Errorf("zh: frequencies of gse, line %d: expected a word and a number, got %q", number, line)
		}
		list[word] = weight
		all = append(all, weight)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("zh: frequencies of gse: expected some, got none")
	}
	slices.Sort(all)
	return weights.NewList(list, all[len(all)/2])
}
