package documents

import (
	"fmt"

	"simhashkit/internal/english"
)

// Missing counts the documents without a text or an id, and those with an id that is not read. The
// zero value has counted none.
type Missing struct {
	Texts, IDs, OtherIDs   int
	text, id, named, other string // the first document of each, and the name of the one without an id
}

// Watch returns a reader of the same documents that counts them. Close closes r.
func (m *Missing) Watch(r Reader) Reader { return &watched{r, m} }

type watched struct {
	Reader
	missing *Missing
}

func (w *watched) Read(d *Document) error {
	err := w.Reader.Read(d)
	if err != nil {
		return err
	}
	m := w.missing
	if d.NoText {
		if m.Texts++; m.Texts == 1 {
			m.text = whereIs(d)
		}
	}
	if d.MadeUp {
		if m.IDs++; m.IDs == 1 {
			m.id, m.named = whereIs(d), string(d.ID)
		}
	}
	if d.OtherID {
		if m.OtherIDs++; m.OtherIDs == 1 {
			m.other = whereIs(d)
		}
	}
	return nil
}

func whereIs(d *Document) string { return fmt.Sprintf("%s:%d", d.File, d.Line) }

// Take returns sentences with the counts, and sets them to zero.
func (m *Missing) Take() (sentences []string) {
	if n := m.Texts; n > 0 {
		sentences = append(sentences, fmt.Sprintf("%s without a text (missing or null), such as %s, %s as empty",
			english.Count(n, "document"), m.text, english.Plural(n, "counts", "count")))
	}
	if n := m.IDs; n > 0 {
		sentences = append(sentences, fmt.Sprintf("%s without an id, such as %s, %s named by number: %s",
			english.Count(n, "document"), m.id, english.Plural(n, "is", "are"), m.named))
	}
	if n := m.OtherIDs; n > 0 {
		sentences = append(sentences, fmt.Sprintf("%s with the field \"id\", such as %s, %s named by record number; --id id takes the field",
			english.Count(n, "document"), m.other, english.Plural(n, "is", "are")))
	}
	*m = Missing{}
	return sentences
}
