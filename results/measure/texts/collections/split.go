package collections

import (
	"context"
	"strings"

	"simhashkit/datasets/documents"
)

// split are sentences of Wikipedia that somebody has cut into two. The first of the two is a text
// that is contained in another. And there are the two in the other order.
func split(ctx context.Context, data string) ([]Collection, error) {
	one, err := read(ctx, data, "neardup/wikisplit_tune.tsv.gz", documents.Options{Text: "#1"})
	if err != nil {
		return nil, err
	}
	two, err := read(ctx, data, "neardup/wikisplit_tune.tsv.gz", documents.Options{Text: "#2"})
	if err != nil {
		return nil, err
	}
	var whole, first, swapped []version
	for i := range one {
		a, b, _ := strings.Cut(two[i].text, " <::::> ")
		whole = append(whole, version{one[i].text, a + " " + b})
		first = append(first, version{one[i].text, a})
		swapped = append(swapped, version{a + " " + b, b + " " + a})
	}
	contained := ofVersions("sentences-contained", English, "", first)
	reordered := ofVersions("sentences-reordered", English, "", swapped)
	contained.Unfit, reordered.Unfit = true, true
	return []Collection{
		ofVersions("sentences-split", English, Short, whole), ofVersions("sentences-split", English, Middle, whole), contained, reordered,
	}, nil
}
