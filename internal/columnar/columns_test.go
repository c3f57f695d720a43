package columnar

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"simhashkit/datasets/documents"
)

// The method sound must reject rows that do not match the schema.
func TestRowsToWrite(t *testing.T) {
	schema := parquet.SchemaOf(new(struct {
		ID   int64    `parquet:"id"`
		Text string   `parquet:"text,optional"`
		List []string `parquet:"list"`
	}))
	k := &keeper{reader: &reader{rows: rows{file: &file{leaves: leavesOf(schema)}}, options: documents.Options{MaxLine: 3}}}
	id, text := parquet.ValueOf(int64(7)), parquet.ValueOf("abc")
	first, null := id.Level(0, 0, 0), parquet.ValueOf(nil).Level(0, 0, 1)
	item, empty := text.Level(0, 1, 2), parquet.ValueOf(nil).Level(0, 0, 2)
	for name, r := range map[string]struct {
		row  parquet.Row
		good bool
	}{
		"all columns":                 {parquet.Row{first, text.Level(0, 1, 1), item, text.Level(1, 1, 2)}, true},
		"nulls":                       {parquet.Row{first, null, empty}, true},
		"no values":                   {nil, false},
		"the last column missing":     {parquet.Row{first, null}, false},
		"a column missing":            {parquet.Row{first, item}, false},
		"the first column missing":    {parquet.Row{null, empty}, false},
		"another order":               {parquet.Row{null, first, empty}, false},
		"a column too many":           {parquet.Row{first, null, empty, text.Level(0, 1, 3)}, false},
		"a list that begins twice":    {parquet.Row{first, null, item, item}, false},
		"a null with a value's level": {parquet.Row{first, parquet.ValueOf(nil).Level(0, 1, 1), empty}, false},
		"a value with a null's level": {parquet.Row{first, text.Level(0, 0, 1), empty}, false},
		"another type":                {parquet.Row{text.Level(0, 0, 0), null, empty}, false},
		"a long value":                {parquet.Row{first, parquet.ValueOf("abcd").Level(0, 1, 1), empty}, false},
	} {
		if got := k.sound(r.row); got != r.good {
			t.Errorf("%s: %v", name, got)
		}
	}
}

type message struct {
	Role    string  `parquet:"role"`
	Content *string `parquet:"content,optional"`
}

type chat struct {
	ID       int64     `parquet:"id"`
	Messages []message `parquet:"messages,list"`
	Tags     []string  `parquet:"tags"`
	Lines    []string  `parquet:"lines,list"`
	Body     struct {
		Parts []message `parquet:"parts"`
	} `parquet:"body"`
}

// The strings of lists are joined. There are more rows than the reader reads at once.
func TestStringsOfLists(t *testing.T) {
	of := func(texts ...string) (messages []message) {
		for _, text := range texts {
			messages = append(messages, message{"user", &text})
		}
		return append(messages, message{Role: "tool"})
	}
	var rows []chat
	var wantMessages, wantTags, wantLines, wantParts strings.Builder
	for i := range 3 * batchRows {
		c := chat{ID: int64(i)}
		messages, tags, lines, parts := "", "", "", ""
		if i%3 > 0 {
			c.Messages, messages = of("a", fmt.Sprint(i)), fmt.Sprintf("a\n%d", i)
		}
		if i%4 > 0 {
			c.Tags, tags = []string{"", fmt.Sprint("t", i), ""}, fmt.Sprintf("\nt%d\n", i)
		}
		if i%5 > 0 {
			c.Lines, lines = []string{fmt.Sprint("l", i)}, fmt.Sprint("l", i)
		}
		c.Body.Parts, parts = of("p"), "p"
		rows = append(rows, c)
		for all, text := range map[*strings.Builder]string{&wantMessages: messages, &wantTags: tags, &wantLines: lines, &wantParts: parts} {
			fmt.Fprintf(all, "%d:%d=%s\n", i+1, i, text)
		}
	}
	var file bytes.Buffer
	w := parquet.NewGenericWriter[chat](&file, parquet.MaxRowsPerRowGroup(100))
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := write(t, "chat.parquet", file.Bytes())
	for text, want := range map[string]string{
		"messages[].content": wantMessages.String(), "tags[]": wantTags.String(), "lines[]": wantLines.String(), "body.parts[].content": wantParts.String(),
	} {
		wantDocuments(t, path, documents.Options{Text: text, ID: "id"}, want)
	}
	wantFailure(t, path, documents.Options{Text: "messages"}, "columnar: "+path+`: expected a column "messages", got id, messages[].role, messages[].content, tags[], lines[], body.parts[].role, body.parts[].content`)
	wantFailure(t, path, documents.Options{Text: "lines[]", ID: "tags[]"}, "columnar: "+path+`: expected one value in each row of the column "tags[]", got lists`)
	wantFailure(t, path, documents.Options{Text: "messages[].content", MaxLine: 3}, "columnar: "+path+`: row 11: expected at most 3 bytes in the column "messages[].content", got more`)

	reader, err := documents.Open(t.Context(), path, documents.Options{Text: "lines[]"})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	var d documents.Document
	for i := range 6 {
		if err := reader.Read(&d); err != nil || d.NoText != (i%5 == 0) {
			t.Errorf("row %d: NoText %v, %v", i, d.NoText, err)
		}
	}
}
