package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// road is a way from documents to attributes.
type road struct {
	name string
	// travel goes it, and returns the files of attributes in the order of the documents.
	travel func(t *trip) ([]string, error)
}

// choice is a road and the most documents that it is given.
type choice struct {
	road
	most int
}

var roads = []road{{"memory", memoryRoad}, {"files", filesRoad}, {"filters", filtersRoad}, {"spark", sparkRoad}, {"beam", beamRoad}}

// parseRoads returns those of a list such as files=1000 beam=100.
func parseRoads(text string) (list []choice, err error) {
	for _, field := range strings.Fields(text) {
		name, most, _ := strings.Cut(field, "=")
		c := choice{}
		for _, r := range roads {
			if r.name == name {
				c.road = r
			}
		}
		if c.most, err = strconv.Atoi(most); err != nil || c.name == "" {
			return nil, fmt.Errorf("-roads: expected a road and a number such as files=1000, got %q", field)
		}
		list = append(list, c)
	}
	return list, nil
}

// memoryRoad sketches file by file and has fphash dedup find all pairs in memory.
func memoryRoad(t *trip) ([]string, error) {
	fingerprints, err := t.sketch()
	if err != nil {
		return nil, err
	}
	pairs, out := t.path("pairs.tsv"), t.path("attributes.jsonl")
	if err := t.stage("pairs", exec.Command(t.fphash, "dedup", fingerprints, "--list", "pairs", "--out", pairs), pairs); err != nil {
		return nil, err
	}
	return []string{out}, t.clusters(pairs, fingerprints, out)
}

// filesRoad is fphash dedup-corpus: one shard of one has the fingerprints, the rest comes after.
func filesRoad(t *trip) ([]string, error) {
	out := t.path("attributes")
	args := []string{"dedup-corpus", t.corpus.Folder, "--text", "text", "--id", "id", "--features", features, "--out", out}
	if err := t.stage("sketch", exec.Command(t.fphash, append(args, "--shard", "1/1")...)); err != nil {
		return nil, err
	}
	if err := t.stage("pairs-and-clusters", exec.Command(t.fphash, args...)); err != nil {
		return nil, err
	}
	return t.attributeFiles(out), nil
}

// filtersRoad goes from stage to stage by files, to see what each takes. Then it makes clusters of
// the pairs alone, as an engine has them made that joins records itself, and goes by pipes.
func filtersRoad(t *trip) ([]string, error) {
	fingerprints, err := t.sketch()
	if err != nil {
		return nil, err
	}
	lines, sorted, pairs, out := t.path("lines"), t.path("sorted"), t.path("pairs.tsv"), t.path("attributes.jsonl")
	if err := t.stage("blocks", exec.Command(t.fphash, "blocks", fingerprints, "--out", lines), lines); err != nil {
		return nil, err
	}
	sort := exec.Command("sort", "-S", "1500M", "--parallel=2", "-o", sorted, lines)
	sort.Env = append(os.Environ(), "LC_ALL=C", "TMPDIR="+t.folder)
	if err := t.stage("sort", sort, sorted); err != nil {
		return nil, err
	}
	if err := t.stage("pairs", exec.Command(t.fphash, "pairs", "--sorted", "--counts", sorted, "--out", pairs), pairs); err != nil {
		return nil, err
	}
	if err := t.counts(); err != nil {
		return nil, err
	}
	for _, path := range []string{lines, sorted} {
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	if err := t.clusters(pairs, fingerprints, out); err != nil {
		return nil, err
	}
	if err := t.stage("clusters-of-pairs", exec.Command(t.fphash, "clusters", pairs, "--out", t.path("clusters.tsv"))); err != nil {
		return nil, err
	}
	piped := exec.Command("bash", "-c", `set -o pipefail; "$0" blocks "$1" | sort -S 1500M --parallel=2 | "$0" pairs --sorted >"$2"`, t.fphash, fingerprints, t.path("piped.tsv"))
	piped.Env = append(os.Environ(), "LC_ALL=C", "TMPDIR="+t.folder)
	return []string{out}, t.stage("blocks-to-pairs", piped)
}

// beamRoad is fpbeam on Prism.
func beamRoad(t *trip) ([]string, error) {
	out := t.path("attributes")
	command := exec.Command(t.fpbeam, "--in", t.corpus.Folder, "--text", "text", "--id", "id", "--features", features, "--out", out)
	return t.attributeFiles(out), t.stage("all", command)
}

// attributeFiles are those that fphash dedup-corpus and fpbeam write, a file for each of the
// corpus.
func (t *trip) attributeFiles(folder string) (list []string) {
	for _, path := range t.corpus.Paths() {
		list = append(list, filepath.Join(folder, filepath.Base(path)+".jsonl"))
	}
	return list
}
