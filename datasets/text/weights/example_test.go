package weights_test

import (
	"fmt"
	"log"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
)

// TF-IDF with a table from a corpus, as a vector for a fingerprint, and its keywords.
func Example() {
	analyzer, err := text.New(text.Options{Fold: true})
	if err != nil {
		log.Fatal(err)
	}
	builder := weights.NewBuilder(analyzer.Options().String())
	var features [][]byte
	for _, document := range []string{"The library is closed.", "The type of the wood.", "A library of old type."} {
		features = analyzer.Append(features[:0], []byte(document))
		builder.Add(features)
	}
	table := builder.Table()
	fmt.Printf("%d documents with %q\n", table.Documents(), table.Definition())

	weigher, err := weights.New(weights.Options{Scheme: weights.TFIDF, IDF: table})
	if err != nil {
		log.Fatal(err)
	}
	vector := weigher.Weigh(analyzer.Append(nil, []byte("The library of the old town: a library.")))
	for i, feature := range vector.Features {
		fmt.Printf("%s %.3f\n", feature, vector.Weights[i])
	}
	for _, k := range vector.Top(2) {
		fmt.Printf("keyword %s\n", k.Feature)
	}
	sketcher, err := fphash.New(fphash.Definition{})
	if err != nil {
		log.Fatal(err)
	}
	words, status, err := fphash.Append(sketcher, nil, vector.Features, vector.Weights)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fphash.Fingerprint(words), status)
	// Output:
	// 3 documents with "words,n=1,lang=auto,fold"
	// a 1.693
	// library 2.575
	// of 1.288
	// old 1.693
	// the 2.575
	// town 2.386
	// keyword library
	// keyword the
	// 0a5a21a21dcf561e informative
}
