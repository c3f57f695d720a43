package text_test

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/clipperhouse/uax29/v2/words"
	"github.com/klauspost/compress/gzip"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
)

// corpora are files of the project's test data with one text per line.
var corpora = map[string]string{
	"en": "neardup/wikisplit_validation.tsv.gz",
	"ja": "neardup/jsts-train-v1.3.jsonl.gz",
}

// documentsOf returns the lines of a corpus, joined to documents of about size bytes.
func documentsOf(t testing.TB, language string, size int) [][]byte {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "data", filepath.FromSlash(corpora[language]))
	file, err := os.Open(path)
	if err != nil {
		t.Skipf("%s is missing", path)
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var list [][]byte
	var document []byte
	for lines := bufio.NewScanner(io.LimitReader(plain, 4<<20)); lines.Scan(); {
		document = append(append(document, lines.Bytes()...), '\n')
		if len(document) >= size {
			list = append(list, document)
			document = nil
		}
	}
	return list
}

// BenchmarkText computes fingerprints of texts on one core. features=tokens is the library's
// tokenizer alone, for comparison.
func BenchmarkText(b *testing.B) {
	for _, language := range []string{"en", "ja"} {
		documents := documentsOf(b, language, 2000)
		run := func(name string, each func(documents [][]byte)) {
			b.Run(name+"/lang="+language, func(b *testing.B) {
				size := 0
				for _, d := range documents {
					size += len(d)
				}
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					each(documents)
				}
			})
		}
		table := tableOf(newAnalyzer(b, "words,fold"), documents)
		run("features=tokens", func(documents [][]byte) {
			for _, d := range documents {
				for tokens := words.FromBytes(d); tokens.Next(); {
					sink += len(tokens.Value())
				}
			}
		})
		for _, definition := range []string{"words", "words,fold", "words,nfkc,fold", "words,n=3", "words,lang=en,fold,stop,stem", "characters,n=3"} {
			name := "features=" + definition
			run(name, func(documents [][]byte) { sketchFeatures(b, newAnalyzer(b, definition), documents) })
		}
		for _, definition := range []string{"words", "bytes,n=8", "bytes,n=5"} {
			run("features="+definition+"/indices", func(documents [][]byte) { sketchIndices(b, newAnalyzer(b, definition), documents) })
		}
		run("features=words,fold/weights=tfidf", func(documents [][]byte) { sketchVectors(b, newAnalyzer(b, "words,fold"), table, documents) })
		run("features=words/workers=2", func(documents [][]byte) {
			var workers sync.WaitGroup
			for half := range 2 {
				analyzer := newAnalyzer(b, "words")
				workers.Go(func() {
					sketchFeatures(b, analyzer, documents[half*len(documents)/2:(half+1)*len(documents)/2])
				})
			}
			workers.Wait()
		})
	}
}

var sink int

func newAnalyzer(t testing.TB, definition string) *text.Analyzer {
	t.Helper()
	options, err := text.ParseOptions(definition)
	if err != nil {
		t.Fatal(err)
	}
	analyzer, err := text.New(options)
	if err != nil {
		t.Fatal(err)
	}
	return analyzer
}

func sketchFeatures(t testing.TB, analyzer *text.Analyzer, documents [][]byte) {
	sketcher, err := fphash.New(fphash.Definition{}, fphash.WithWorkers(1))
	if err != nil {
		t.Fatal(err)
	}
	var features [][]byte
	var fingerprints []uint64
	for _, d := range documents {
		features = analyzer.Append(features[:0], d)
		if fingerprints, _, err = fphash.AppendUnit(sketcher, fingerprints[:0], features); err != nil {
			t.Error(err)
			return
		}
	}
}

func sketchIndices(t testing.TB, analyzer *text.Analyzer, documents [][]byte) {
	sketcher, err := fphash.New(fphash.Definition{}, fphash.WithWorkers(1))
	if err != nil {
		t.Fatal(err)
	}
	var indices, fingerprints []uint64
	for _, d := range documents {
		indices = analyzer.AppendIndices(indices[:0], d)
		if fingerprints, _, err = fphash.AppendUnit(sketcher, fingerprints[:0], indices); err != nil {
			t.Error(err)
			return
		}
	}
}

// tableOf returns the document frequencies of a corpus.
func tableOf(analyzer *text.Analyzer, documents [][]byte) *weights.List {
	builder := weights.NewBuilder(analyzer.Options().String())
	for _, d := range documents {
		builder.Add(analyzer.Append(nil, d))
	}
	return builder.List()
}

func sketchVectors(t testing.TB, analyzer *text.Analyzer, idf *weights.List, documents [][]byte) {
	weigher, err := weights.New(weights.Options{Scheme: weights.TFIDF, List: idf})
	if err != nil {
		t.Fatal(err)
	}
	sketcher, err := fphash.New(fphash.Definition{}, fphash.WithWorkers(1))
	if err != nil {
		t.Fatal(err)
	}
	var features [][]byte
	var fingerprints []uint64
	for _, d := range documents {
		features = analyzer.Append(features[:0], d)
		vector := weigher.Weigh(features)
		if fingerprints, _, err = fphash.Append(sketcher, fingerprints[:0], vector.Features, vector.Weights); err != nil {
			t.Fatal(err)
		}
	}
}
