package table

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var ratesBlock = regexp.MustCompile(`(?s)(<!-- rates from (\S+) -->\n).*?(<!-- end of rates -->)`)

// What README says of error rates is what the filed comparisons say: go test ./bench/table -run
// Readme -update-readme writes it.
func TestReadmeShowsTheFiledRates(t *testing.T) {
	readme := filepath.Join(root, "README.md")
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	m := ratesBlock.FindSubmatch(text)
	if m == nil {
		t.Fatal("README.md has no block of rates")
	}
	want := ratesBlock.ReplaceAllLiteralString(string(text), string(m[1])+readmeRates(t, string(m[2]))+string(m[3]))
	if string(text) == want {
		return
	}
	if !*updateReadme {
		t.Fatalf("README.md does not show the rates in %s; run go test ./bench/table -run Readme -update-readme", m[2])
	}
	if err := os.WriteFile(readme, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// rates are what comparisons of a file came to.
type rates struct {
	comparisons, alarms, naive int
	seconds                    float64 // median
}

func readmeRates(t *testing.T, folder string) string {
	of := func(name string) rates { return readRates(t, filepath.Join(root, folder, name)) }
	same, six, ten, bursts := of("ab-same.txt"), of("ab-slower-6.txt"), of("ab-slower-10.txt"), of("ab-bursts-10.txt")
	return fmt.Sprintf("How often `fphash ab` is wrong here, with the other core busy, by `results/rates` ([table](%s)): %d alarms in %d comparisons of a program with itself, where ten samples of each side "+
		"and p < 0.05 give %d; slowdowns of 6%% found %d of %d, of 10%% %d of %d, of 10%% on average in one sample of twenty %d of %d; %.0f s each (medians).\n",
		path.Join(folder, "ab-rates.txt"), same.alarms, same.comparisons, same.naive, six.alarms, six.comparisons, ten.alarms, ten.comparisons, bursts.alarms, bursts.comparisons,
		max(same.seconds, six.seconds, ten.seconds, bursts.seconds))
}

func readRates(t *testing.T, name string) rates {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r rates
	var seconds []float64
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		var record struct {
			Exit        int
			Seconds     float64
			NaiveP      float64 `json:"naive_p"`
			NaiveChange float64 `json:"naive_change"`
		}
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r.comparisons++
		if record.Exit == 1 {
			r.alarms++
		}
		if record.NaiveP < 0.05 && record.NaiveChange > 0 {
			r.naive++
		}
		seconds = append(seconds, record.Seconds)
	}
	if err := lines.Err(); err != nil || len(seconds) == 0 {
		t.Fatalf("%s: %v, %d comparisons", name, err, len(seconds))
	}
	slices.Sort(seconds)
	r.seconds = seconds[len(seconds)/2]
	return r
}
