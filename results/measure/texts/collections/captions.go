package collections

import (
	"context"
	"encoding/json"
	"fmt"

	"simhashkit/datasets/documents"
)

// SameScore is the least score, of 0 to 5, of captions that mean nearly the same; OtherScore is
// what those that do not have at most.
const SameScore, OtherScore = 4, 3

// captions are pairs of captions of photographs, with scores that people gave: how much the two
// mean the same.
func captions(ctx context.Context, data string) ([]Collection, error) {
	c, err := captionsIn(ctx, data, "neardup/jsts-valid-v1.3.jsonl.gz", "neardup/jsts-test-v1.3.jsonl.gz")
	return []Collection{c}, err
}

func captionsIn(ctx context.Context, data string, files ...string) (Collection, error) {
	c := Collection{Name: "captions-scored", Language: Japanese, Length: Short, Truth: ByScores, Unfit: true, Scores: map[Pair]float64{}}
	for _, file := range files {
		lines, err := read(ctx, data, file, documents.Options{Format: documents.Lines})
		if err != nil {
			return c, err
		}
		for i, line := range lines {
			var pair struct {
				Sentence1, Sentence2 string
				Label                float64
			}
			if err := json.Unmarshal([]byte(line.text), &pair); err != nil {
				return c, fmt.Errorf("%s:%d: %w", file, i+1, err)
			}
			n := len(c.Texts)
			c.Texts = append(c.Texts, pair.Sentence1, pair.Sentence2)
			c.Scores[pairOf(n, n+1)] = pair.Label
		}
	}
	return c, nil
}

// captionTexts are the captions of another part of the data, each once.
func captionTexts(ctx context.Context, data string) (texts []string, err error) {
	c, err := captionsIn(ctx, data, "neardup/jsts-train-v1.3.jsonl.gz")
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, text := range c.Texts {
		if !seen[text] {
			seen[text] = true
			texts = append(texts, text)
		}
	}
	return texts, nil
}
