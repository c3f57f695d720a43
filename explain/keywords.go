package explain

import (
	"fmt"
	"io"
	"strings"

	"simhashkit/datasets/text/weights"
	"simhashkit/internal/english"
	"simhashkit/internal/jsonout"
	"simhashkit/internal/texttable"
)

// Keywords is what a document is about: those of its features that weigh most.
type Keywords struct {
	Name     string
	Features int // different ones, of which these are some
	Keywords []weights.Keyword
}

// KeywordFormats lists what WriteKeywords knows.
func KeywordFormats() []string { return []string{"text", "json", "list"} }

// WriteKeywords writes the keywords of documents; how says by which weights they were found. The
// format list is a file of weights by hand, which weights.ReadList reads; a word of several
// documents has its greatest weight there.
func WriteKeywords(w io.Writer, documents []Keywords, how, format string) error {
	switch format {
	case "text":
		_, err := io.WriteString(w, keywordText(documents, how))
		return err
	case "json":
		return keywordJSON(w, documents, how)
	case "list":
		return keywordList(w, documents)
	}
	return fmt.Errorf("explain: unknown format %q; expected %s", format, strings.Join(KeywordFormats(), ", "))
}

func keywordText(documents []Keywords, how string) string {
	var s strings.Builder
	for i, d := range documents {
		if i > 0 {
			s.WriteByte('\n')
		}
		heading := fmt.Sprintf("%s: %d %s of %d different %s, by %s.", Shown([]byte(d.Name), 40), len(d.Keywords), english.Plural(len(d.Keywords), "keyword", "keywords"),
			d.Features, english.Plural(d.Features, "feature", "features"), how)
		s.WriteString(strings.Join(texttable.Wrap(heading, width), "\n") + "\n")
		if len(d.Keywords) == 0 {
			continue
		}
		t := texttable.Aligned([]int{0}, "keyword", "weight")
		for _, k := range d.Keywords {
			t.AppendRow(texttable.Row{Shown(k.Feature, 60), weight(k.Weight)})
		}
		fmt.Fprintf(&s, "\n%s\n", texttable.Render(t))
	}
	return s.String()
}

type jsonKeywords struct {
	By        string         `json:"by"`
	Documents []jsonDocument `json:"documents"`
}

type jsonDocument struct {
	Name     string        `json:"name"`
	Features int           `json:"features"`
	Keywords []jsonKeyword `json:"keywords"`
}

type jsonKeyword struct {
	Feature string  `json:"feature"`
	Weight  float64 `json:"weight"`
}

func keywordJSON(w io.Writer, documents []Keywords, how string) error {
	j := jsonKeywords{By: how}
	for _, d := range documents {
		document := jsonDocument{d.Name, d.Features, []jsonKeyword{}}
		for _, k := range d.Keywords {
			document.Keywords = append(document.Keywords, jsonKeyword{string(k.Feature), k.Weight})
		}
		j.Documents = append(j.Documents, document)
	}
	return jsonout.Write(w, j)
}

func keywordList(w io.Writer, documents []Keywords) error {
	greatest := map[string]float64{}
	for _, d := range documents {
		for _, k := range d.Keywords {
			if before, twice := greatest[string(k.Feature)]; !twice || k.Weight > before {
				greatest[string(k.Feature)] = k.Weight
			}
		}
	}
	list, err := weights.NewList(greatest, 0)
	if err != nil {
		return err
	}
	return list.Write(w)
}
