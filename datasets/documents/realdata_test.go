package documents

import (
	"io"
	"path/filepath"
	"testing"
)

// All documents of the project's test data are read. Only developers have these files.
func TestRealData(t *testing.T) {
	for name, c := range map[string]struct {
		options   Options
		documents int
	}{
		"neardup/jsts-valid-v1.3.jsonl.gz":     {Options{Text: "sentence1", ID: "sentence_pair_id"}, 1457},
		"neardup/wikisplit_tune.tsv.gz":        {Options{Text: "#2"}, 5000},
		"neardup/bible/ChiUn.tsv.gz":           {Options{Text: "#2", ID: "#1"}, 31103},
		"neardup/spdx_license_texts.tar.gz":    {Options{}, 819},
		"text/tldr_pages_en_ja_zh.tar.gz":      {Options{}, 9452},
		"neardup/civil_procedure_codes.tar.gz": {Options{}, 71},
	} {
		path := filepath.Join("..", "..", "..", "shared", "data", filepath.FromSlash(name))
		if matches, _ := filepath.Glob(path); matches == nil {
			t.Skipf("%s is missing", path)
		}
		r, err := Open(t.Context(), path, c.options)
		if err != nil {
			t.Fatal(err)
		}
		var d Document
		n, bytes := 0, 0
		for err == nil {
			if err = r.Read(&d); err == nil {
				n++
				bytes += len(d.Text)
			}
		}
		if err != io.EOF || n != c.documents || bytes == 0 {
			t.Errorf("%s: %d documents, %v", name, n, err)
		}
		r.Close()
	}
}
