package main

import (
	"fmt"
	"strings"
	"sync"

	"simhashkit/datasets/documents"
	"simhashkit/datasets/text"
	"simhashkit/internal/english"
)

// What languagesSeen looks at: the first texts, and their beginnings.
const (
	seenTexts = 1000
	seenBytes = 4 << 10
)

// languagesSeen notes what texts are taken for where that is not said by --features. Several
// goroutines may share it.
type languagesSeen struct {
	mutex    sync.Mutex
	analyzer *text.Analyzer // nil if there is no choice
	texts    int
	by       map[text.Choice]int // the language, and whether a dictionary cuts it
}

// choiceOf notes the choices of an Analyzer from now on, if it has any.
func (l *languagesSeen) choiceOf(analyzer *text.Analyzer) {
	o := analyzer.Options()
	if o.Features == text.Words && (o.Language == text.Auto || strings.HasPrefix(o.Language, text.Auto+"+")) {
		l.analyzer, l.texts, l.by = analyzer.Clone(), 0, map[text.Choice]int{}
	}
}

// watch returns a reader of the same documents, which are noted.
func (l *languagesSeen) watch(r documents.Reader) documents.Reader {
	if l.analyzer == nil {
		return r
	}
	return &watchedReader{r, l}
}

type watchedReader struct {
	documents.Reader
	seen *languagesSeen
}

func (w *watchedReader) Read(d *documents.Document) error {
	err := w.Reader.Read(d)
	if err == nil {
		w.seen.note(d.Text)
	}
	return err
}

func (l *languagesSeen) note(document []byte) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.texts == seenTexts {
		return
	}
	c := l.analyzer.Choose(document[:min(len(document), seenBytes)])
	l.texts++
	l.by[text.Choice{Language: c.Language, ByWords: c.ByWords}]++
}

// String says it in a sentence, and nothing where all texts have spaces between words.
func (l *languagesSeen) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.analyzer == nil {
		return ""
	}
	var parts, byPairs []string
	is := func(n int, language string) string {
		return fmt.Sprintf("%d %s %s", n, english.Plural(n, "is", "are"), language)
	}
	if n := l.by[text.Choice{Language: "zh", ByWords: true}]; n > 0 {
		parts = append(parts, is(n, "Chinese")+", cut into words by dictionary")
	}
	dictionary := ""
	if n := l.by[text.Choice{Language: "zh"}]; n > 0 {
		byPairs = append(byPairs, is(n, "Chinese"))
		dictionary = " (lang=" + l.analyzer.Options().Language + "+zh in --features: Chinese by dictionary)"
	}
	if n := l.by[text.Choice{Language: "ja"}]; n > 0 {
		byPairs = append(byPairs, is(n, "Japanese"))
	}
	if len(byPairs) > 0 {
		parts = append(parts, strings.Join(byPairs, " and ")+", whose words are every two neighbouring characters"+dictionary)
	}
	if len(parts) == 0 {
		return ""
	}
	of := english.Count(l.texts, "text")
	if l.texts == seenTexts {
		of = "the first " + of
	}
	return fmt.Sprintf("of %s %s", of, strings.Join(parts, "; "))
}
