package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// programs lists the rows of the table of pairs: how the file of rounds names a program, and where
// in a line its seconds stand.
var programs = []struct {
	name    string
	seconds *regexp.Regexp // the number of fingerprints, then seconds
}{
	{"simhashkit, one core", regexp.MustCompile(`(?m)^ours n=(\d+) cores=1 join ([0-9.]+) s`)},
	{"simhashkit, two cores", regexp.MustCompile(`(?m)^ours n=(\d+) cores=2 join ([0-9.]+) s`)},
	{"find-simdoc (Rust), one core", regexp.MustCompile(`(?m)^find-simdoc n=(\d+) ([0-9.]+) s`)},
	{"simhash-cpp (C++), its best blocks, one core", regexp.MustCompile(`(?m)^simhash-cpp n=(\d+) blocks=\d+ ([0-9.]+) s`)},
	{"go-simstore (Go), one core", regexp.MustCompile(`(?m)^go-simstore n=(\d+) .*\(together ([0-9.]+) s\)`)},
}

// pairs is the table of joins, from a file of rounds in which all programs ran in turn.
func pairs(root, file string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return "", err
	}
	head, err := headOf(file, string(text), "date", "machine")
	if err != nil {
		return "", err
	}
	out := fmt.Sprintf("All pairs within 3 of 64 bits, random fingerprints of which one in a hundred is near another: seconds, medians of rounds in turn (the number of rounds), %s, %s ([rounds](../%s)).\n\n",
		head["machine"], head["date"][:len("2006-01-02")], file)
	out += line("", "10^6", "10^7") + rule(3)
	for _, j := range programs {
		cells := []string{j.name}
		for _, n := range []string{"1000000", "10000000"} {
			cells = append(cells, median(rounds(j.seconds.FindAllStringSubmatch(string(text), -1), n)))
		}
		out += line(cells...)
	}
	return out, nil
}

// rounds returns the seconds of n fingerprints, in order. Of a program with several settings it has
// those of its best one.
func rounds(found [][]string, n string) []float64 {
	settings := map[string][]float64{}
	for _, f := range found {
		if seconds, err := strconv.ParseFloat(f[2], 64); err == nil && f[1] == n {
			setting := regexp.MustCompile(`blocks=\d+`).FindString(f[0])
			settings[setting] = append(settings[setting], seconds)
		}
	}
	var best []float64
	for _, s := range settings {
		slices.Sort(s)
		if best == nil || s[len(s)/2] < best[len(best)/2] {
			best = s
		}
	}
	return best
}

// median shows the middle one of the rounds and how many there were.
func median(seconds []float64) string {
	if len(seconds) == 0 {
		return "–"
	}
	middle := seconds[len(seconds)/2]
	if len(seconds)%2 == 0 {
		middle = (middle + seconds[len(seconds)/2-1]) / 2
	}
	if middle >= 10 {
		return fmt.Sprintf("%.0f (%d)", middle, len(seconds))
	}
	return fmt.Sprintf("%.2g (%d)", middle, len(seconds))
}

// headOf returns values of the lines "# name: value" at the head of a file.
func headOf(file, text string, names ...string) (map[string]string, error) {
	head := map[string]string{}
	for l := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(l), "# "), ": "); ok && strings.HasPrefix(l, "# ") {
			head[name] = value
		}
	}
	for _, name := range names {
		if len(head[name]) < len("2006-01-02") {
			return nil, fmt.Errorf("%s does not say its %s", file, name)
		}
	}
	return head, nil
}
