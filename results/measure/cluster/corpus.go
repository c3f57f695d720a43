package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// corpus is a kind of made-up texts. The frequencies of words fall by Zipf's law. A twentieth are
// copies with up to a tenth of the words changed.
type corpus struct {
	name        string
	least, most int    // words of a text
	minima      string // of a key; "" lets the job choose
	// skewed corpora also have what makes large groups: a tenth of the texts
	// are instances of a template of 60 words with 1 to 5 words changed, a
	// tenth are equal, and a hundredth are a chain, in which each text
	// differs from the one before in a word and the first from the last in
	// all.
	skewed bool
}

var corpora = []corpus{
	{name: "plain", least: 60, most: 180},
	{name: "skewed", least: 60, most: 180, skewed: true},
	{name: "pages", least: 133, most: 400, minima: "12"}, // 2 kB, with the most keys that the job chooses
}

const (
	vocabulary   = 50_000
	textsPerFile = 50_000
)

type row struct {
	ID   string `parquet:"id"`
	Text string `parquet:"text,zstd"`
}

// generator draws texts.
type generator struct {
	*rand.Rand
	words []string
	zipf  *rand.Zipf
}

// write writes n texts in random order to Parquet files in a new folder, and returns their paths.
func (c corpus) write(folder string, n int) (paths []string, err error) {
	g := newGenerator()
	var texts [][]uint16 // at 10^7 texts, int would take 10 GB
	if c.skewed {
		texts = g.skewed(n)
	}
	for near := n / 20; len(texts) < n; {
		text := g.draw(c.least + g.IntN(c.most-c.least+1))
		texts = append(texts, text)
		if near > 0 && len(texts) < n && g.IntN(5) == 0 {
			texts = append(texts, g.changed(text, g.IntN(len(text)/10+1)))
			near--
		}
	}
	g.Shuffle(n, func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	for start := 0; start < n; start += textsPerFile {
		var rows []row
		for i := start; i < min(n, start+textsPerFile); i++ {
			rows = append(rows, row{fmt.Sprint("text-", i), g.text(texts[i])})
		}
		path := filepath.Join(folder, fmt.Sprintf("%05d.parquet", start/textsPerFile))
		if err := parquet.WriteFile(path, rows); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

func newGenerator() *generator {
	r := rand.New(rand.NewPCG(11, 12))
	g := &generator{Rand: r, zipf: rand.NewZipf(r, 1.1, 10, vocabulary-1)}
	for range vocabulary {
		word := make([]byte, 3+r.IntN(8))
		for i := range word {
			word[i] = byte('a' + r.IntN(26))
		}
		g.words = append(g.words, string(word))
	}
	return g
}

// skewed returns the texts of large groups among n texts.
func (g *generator) skewed(n int) (texts [][]uint16) {
	template, equal, link := g.draw(60), g.draw(100), g.draw(100)
	for range n / 10 {
		texts = append(texts, g.changed(template, 1+g.IntN(5)), equal)
	}
	for i := range n / 100 {
		link = append([]uint16(nil), link...)
		link[i%len(link)] = uint16(g.zipf.Uint64())
		texts = append(texts, link)
	}
	return texts
}

// draw returns a text of n words.
func (g *generator) draw(n int) []uint16 {
	text := make([]uint16, n)
	for i := range text {
		text[i] = uint16(g.zipf.Uint64())
	}
	return text
}

// changed returns a copy of the text with n other words.
func (g *generator) changed(text []uint16, n int) []uint16 {
	text = append([]uint16(nil), text...)
	for _, i := range g.Perm(len(text))[:n] {
		text[i] = uint16(g.zipf.Uint64())
	}
	return text
}

func (g *generator) text(words []uint16) string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = g.words[w]
	}
	return strings.Join(list, " ")
}
