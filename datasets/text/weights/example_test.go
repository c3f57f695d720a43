package weights_test

import (
	"fmt"
	"log"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
)

// The four words of a text with the greatest TF-IDF in a corpus, as a vector for a fingerprint.
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
	fmt.Printf("%d documents with %d different words\n", builder.Documents(), builder.Len())

	weigher, err := weights.New(weights.Options{Scheme: weights.TFIDF, List: builder.List(), Top: 4})
	if err != nil {
		log.Fatal(err)
	}
	vector := weigher.Weigh(analyzer.Append(nil, []byte("The library of the old town: a library.")))
	for i, feature := range vector.Features {
		fmt.Printf("%s %.3f\n", feature, vector.Weights[i])
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
	// 3 documents with 9 different words
	// a 1.693
	// library 2.575
	// the 2.575
	// town 2.386
	// 0ada21a21d4f572e informative
}
