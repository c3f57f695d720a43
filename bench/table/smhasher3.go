package table

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"simhashkit/bench/gobench/resultfile"
)

//go:embed smhasher3.txt
var smhasher3Results string

// smhasher3 returns for each hash that SMHasher3 lists how many of its tests the hash fails:
// "9 of 250".
var smhasher3 = sync.OnceValue(func() map[string]string {
	file, err := resultfile.Read(strings.NewReader(smhasher3Results), "smhasher3.txt")
	if err != nil {
		panic(err) // the file is built in
	}
	tests := map[string][]float64{}
	for _, s := range resultfile.Summarize(file.Rows) {
		hash := s.Name.Get("hash")
		tests[hash] = append(tests[hash], s.Median)
	}
	failed := map[string]string{}
	for hash, counts := range tests {
		failed[hash] = fmt.Sprintf("%.0f of %.0f", counts[0], counts[1])
	}
	return failed
})
