package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"simhashkit/results/measure/madeup"
)

// found is what a run finds, against what was planted.
type found struct {
	dropped int            // documents: all but one of each group
	right   int            // those whose group has another one of their family
	near    int            // those whose group has one before them that is near by exact Jaccard
	copies  map[string]int // planted, by their edit
	joined  map[string]int // of these, in the group of their original
}

// compare holds groups to the truth: groups[i] is the group of document i, which it shares with its
// near-duplicates, 0 if it has none.
func compare(groups []int) found {
	f := found{copies: map[string]int{}, joined: map[string]int{}}
	families := map[int]map[int]int{} // by group: how many there are of each family
	before := map[int][]shingles{}    // by group: its documents so far
	for i, group := range groups {
		of, e := madeup.Planted(i)
		family := i
		if of >= 0 {
			family = of
			f.copies[e.Name]++
			if group != 0 && group == groups[of] {
				f.joined[e.Name]++
			}
		}
		if group == 0 {
			continue
		}
		if families[group] == nil {
			families[group] = map[int]int{}
		}
		families[group][family]++
		set := shinglesOf(string(madeup.Append(nil, i)))
		if slices.ContainsFunc(before[group], func(other shingles) bool { return set.jaccard(other) >= nearJaccard }) {
			f.near++
		}
		before[group] = append(before[group], set)
	}
	for _, of := range families {
		members := 0
		for _, n := range of {
			members += n
		}
		f.dropped += members - 1
		f.right += members - len(of)
	}
	return f
}

// precision is the part of the dropped documents that are copies of, or of one original with,
// another one of their group.
func (f found) precision() float64 { return float64(f.right) / float64(max(f.dropped, 1)) }

// precisionByJaccard is the part of the dropped documents that are near one before them in their
// group.
func (f found) precisionByJaccard() float64 { return float64(f.near) / float64(max(f.dropped, 1)) }

// nearJaccard is the similarity from which on sets of shingles are near.
const nearJaccard = 0.7

// shingles are the different pairs of neighbouring words.
type shingles map[[2]string]bool

func shinglesOf(text string) shingles {
	set := shingles{}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	for i := 1; i < len(words); i++ {
		set[[2]string{words[i-1], words[i]}] = true
	}
	return set
}

// jaccard is the size of the intersection over that of the union.
func (s shingles) jaccard(other shingles) float64 {
	both := 0
	for pair := range s {
		if other[pair] {
			both++
		}
	}
	return float64(both) / float64(max(len(s)+len(other)-both, 1))
}

// recall is the part of the copies of an edit that are in the group of their original.
func (f found) recall(edit string) float64 {
	return float64(f.joined[edit]) / float64(max(f.copies[edit], 1))
}

// all returns the number of copies, and the part of them that are in the group of their original.
func (f found) all() (copies int, recall float64) {
	joined := 0
	for _, e := range madeup.Edits {
		copies, joined = copies+f.copies[e.Name], joined+f.joined[e.Name]
	}
	return copies, float64(joined) / float64(max(copies, 1))
}

// attributes returns the group of each document, by the files that a run has written.
func attributes(c *madeup.Corpus, folder string) ([]int, error) {
	groups := make([]int, 0, c.N)
	for i := range madeup.Files {
		path := filepath.Join(folder, "attributes", filepath.Base(c.Path(i))+".jsonl")
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		for lines := bufio.NewScanner(file); lines.Scan(); {
			var line struct {
				ID      string `json:"id"`
				Cluster int    `json:"cluster_id"` // null reads as 0
			}
			if err := json.Unmarshal(lines.Bytes(), &line); err != nil || line.ID != madeup.ID(len(groups)) {
				file.Close()
				return nil, fmt.Errorf("%s: expected %s, got %q: %w", path, madeup.ID(len(groups)), lines.Bytes(), err)
			}
			groups = append(groups, line.Cluster)
		}
		file.Close()
	}
	if len(groups) != c.N {
		return nil, fmt.Errorf("%s: %d records, expected %d", folder, len(groups), c.N)
	}
	return groups, nil
}
