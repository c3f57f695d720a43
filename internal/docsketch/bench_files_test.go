package docsketch

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/klauspost/compress/gzip"
	"github.com/parquet-go/parquet-go"
)

// record is a document in the benchmark files.
type record struct {
	ID   int64  `parquet:"id"`
	Text string `parquet:"text"`
}

// englishWords returns 16 MB of documents of about 2,000 bytes: sentences of Wikipedia, some of
// which occur in several documents.
func englishWords(b *testing.B) (list []record, size int) {
	path := filepath.Join("..", "..", "..", "shared", "data", "neardup", "wikisplit_validation.tsv.gz")
	file, err := os.Open(path)
	if err != nil {
		b.Skipf("%s is missing", path)
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		b.Fatal(err)
	}
	var sentences []string
	for lines := bufio.NewScanner(plain); lines.Scan(); {
		sentence, _, _ := strings.Cut(lines.Text(), "\t")
		sentences = append(sentences, sentence)
	}
	var document []byte
	for i := 0; size < 16<<20; i++ {
		document = append(append(document, sentences[(i*i+i/len(sentences))%len(sentences)]...), '\n')
		if len(document) >= 2000 {
			list = append(list, record{int64(len(list)), string(document)})
			size += len(document)
			document = document[:0]
		}
	}
	return list, size
}

// written creates a file with the output of write and returns its path.
func written(b *testing.B, name string, write func(w io.Writer) error) string {
	path := filepath.Join(b.TempDir(), name)
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if err := write(file); err != nil {
		b.Fatal(err)
	}
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

func writeParquet(list []record) func(io.Writer) error {
	return func(w io.Writer) error {
		p := parquet.NewGenericWriter[record](w, parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(4096))
		if _, err := p.Write(list); err != nil {
			return err
		}
		return p.Close()
	}
}

func writeJSONLines(list []record) func(io.Writer) error {
	return func(w io.Writer) error {
		e := jsontext.NewEncoder(w)
		for _, r := range list {
			for _, token := range []jsontext.Token{jsontext.BeginObject, jsontext.String("id"), jsontext.Int(r.ID), jsontext.String("text"), jsontext.String(r.Text), jsontext.EndObject} {
				if err := e.WriteToken(token); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// parquetRows only reads the texts into structs, as the library's documentation does.
func parquetRows(path string) (size int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	r := parquet.NewGenericReader[struct {
		Text string `parquet:"text"`
	}](file)
	defer r.Close()
	rows := make([]struct {
		Text string `parquet:"text"`
	}, 64)
	for err == nil {
		var n int
		n, err = r.Read(rows)
		for _, row := range rows[:n] {
			size += len(row.Text)
		}
	}
	if err != io.EOF {
		return 0, err
	}
	return size, nil
}

// parquetPages reads the texts in place, a page at a time, after the library has unpacked them.
// This is the fastest way to read them.
func parquetPages(path string) (size int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	f, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		return 0, err
	}
	values := make([]parquet.Value, 256)
	for _, group := range f.RowGroups() {
		pages := group.ColumnChunks()[1].Pages()
		for {
			page, err := pages.ReadPage()
			if err == io.EOF {
				break
			}
			if err != nil {
				return 0, err
			}
			for r, err := page.Values(), error(nil); err == nil; {
				var n int
				n, err = r.ReadValues(values)
				for _, v := range values[:n] {
					size += len(v.ByteArray())
				}
			}
			parquet.Release(page)
		}
		pages.Close()
	}
	return size, nil
}

// jsonStructs decodes the lines into structs, as most programs do.
func jsonStructs(path string) (size int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row struct {
			Text string `json:"text"`
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return 0, err
		}
		size += len(row.Text)
	}
	return size, lines.Err()
}

// jsonTokens only reads the texts, token by token.
func jsonTokens(path string) (size int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	d := jsontext.NewDecoder(file)
	var text []byte
	for {
		if _, err := d.ReadToken(); err == io.EOF { // {
			return size, nil
		} else if err != nil {
			return 0, err
		}
		for d.PeekKind() == '"' {
			name, err := d.ReadValue()
			if err != nil {
				return 0, err
			}
			if string(name) != `"text"` {
				if err := d.SkipValue(); err != nil {
					return 0, err
				}
				continue
			}
			value, err := d.ReadValue()
			if err != nil {
				return 0, err
			}
			if text, err = jsontext.AppendUnquote(text[:0], value); err != nil {
				return 0, err
			}
			size += len(text)
		}
		if _, err := d.ReadToken(); err != nil { // }
			return 0, err
		}
	}
}
