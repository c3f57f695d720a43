package page

import (
	"fmt"
	"strconv"
	"strings"

	"simhashkit/datasets/text/weights"
	"simhashkit/results/measure/evidence"
	"simhashkit/results/measure/texts/measure"
)

// advice is what to use for texts of a length in a language.
type advice struct {
	language, length string
	measure.Definition
	bits, k int
}

// advised says what is recommended. Whoever changes it looks at the rows of TextsByK first.
var advised = []advice{
	{"en", "short", measure.Definition{Features: "characters,fold,n=5", Weights: weights.LogCount}, 128, 28},
	{"en", "middle", measure.Definition{Features: "characters,fold,n=5", Weights: weights.LogCount}, 128, 28},
	{"en", "long", measure.Definition{Features: "words,fold,n=2", Weights: weights.LogCount}, 128, 20},
	{"zh", "short", measure.Definition{Features: "words", Weights: weights.LogCount}, 128, 28},
	{"zh", "middle", measure.Definition{Features: "words", Weights: weights.LogCount}, 128, 28},
	{"zh", "long", measure.Definition{Features: "words", Weights: weights.LogCount}, 128, 28},
	{"ja", "short", measure.Definition{Features: "characters,n=3", Weights: weights.LogCount}, 128, 28},
	{"ja", "middle", measure.Definition{Features: "characters,n=3", Weights: weights.LogCount}, 128, 28},
	{"ja", "long", measure.Definition{Features: "characters,n=3", Weights: weights.LogCount}, 128, 28},
}

// names of what is in tables.
var (
	languages = map[string]string{"en": "English", "zh": "Chinese", "ja": "Japanese"}
	lengths   = map[string]string{"short": "under 140", "middle": "140 to 499", "long": "500 and more"}
)

// recommended is the table of the first screen: what to use, and what comes of it on each
// collection, beside the defaults of the commands.
func (f figures) recommended() (string, error) {
	out := line("texts, characters", "`--features`", "`--weights`", "on", "`--bits`", "`--k`", "finds, of 100", "right, of 100", "by exact cosine", "defaults find", "right") + rule(4, 7)
	for _, a := range advised {
		for _, c := range f.fit() {
			if c.language != a.language || c.length != a.length {
				continue
			}
			cells := []string{languages[a.language] + ", " + lengths[a.length], "`" + a.Features + "`", "`" + string(a.Weights) + "`",
				strings.ReplaceAll(c.name, "-", " "), strconv.Itoa(a.bits), strconv.Itoa(a.k)}
			at := c.rows(evidence.TextsByK, keysOf(a.Definition, "f", strconv.Itoa(a.bits), "k", strconv.Itoa(a.k))...)
			cells, err := f.cells(cells, at, evidence.Recall, evidence.Precision)
			if err != nil {
				return "", err
			}
			if cells, err = f.cells(cells, c.rows(evidence.Texts, keysOf(a.Definition, "by", "cosine")...), evidence.Recall+evidence.AtPrecision90); err != nil {
				return "", err
			}
			usual := measure.Shown[a.language][0]
			if cells, err = f.cells(cells, c.rows(evidence.Texts, keysOf(usual, "f", "64")...), evidence.Recall+evidence.AtDefaultK, evidence.Precision+evidence.AtDefaultK); err != nil {
				return "", err
			}
			out += line(cells...)
		}
	}
	return f.source() + "\n" + out, nil
}

// source says where the figures are from.
func (f figures) source() string {
	value := map[string]string{}
	for _, field := range append(f.head, f.config...) {
		value[field.Name] = field.Value
	}
	date, _, _ := strings.Cut(value["date"], "T")
	return fmt.Sprintf("%s, %s, %s, `%s`.\n", date, value["cpu"], value["go"], value["command"])
}
