package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"simhashkit/datasets/documents"
)

// sources says where the collections come from.
type sources struct {
	data   string // the folder of the reference data
	debian string // a Translation file of Debian's packages; "" leaves them out
}

// collection is a list of texts of one kind.
type collection struct {
	name string
	read func(context.Context, sources) ([]string, error)
}

var collections = []collection{
	{"jsts-ja", func(ctx context.Context, s sources) ([]string, error) {
		files := []string{"neardup/jsts-train-v1.3.jsonl.gz", "neardup/jsts-valid-v1.3.jsonl.gz", "neardup/jsts-test-v1.3.jsonl.gz"}
		one, err := s.columns(ctx, files, "sentence1")
		if err != nil {
			return nil, err
		}
		two, err := s.columns(ctx, files, "sentence2")
		return interleave(one, two), err
	}},
	{"wikisplit", wikisplit},
	{"licences", func(ctx context.Context, s sources) ([]string, error) {
		return s.columns(ctx, []string{"neardup/spdx_license_texts.tar.gz"}, "")
	}},
	{"code-paragraphs", func(ctx context.Context, s sources) ([]string, error) {
		files, err := s.columns(ctx, []string{"neardup/civil_procedure_codes.tar.gz"}, "")
		return paragraphs(files), err
	}},
	{"bible", bible},
	{"poems-zh", poems},
	{"tldr-en", tldr("pages/")},
	{"tldr-ja", tldr("pages.ja/")},
	{"tldr-zh", tldr("pages.zh/")},
	{"debian-synopses", func(_ context.Context, s sources) ([]string, error) { return s.packages(true) }},
	{"debian-descriptions", func(_ context.Context, s sources) ([]string, error) { return s.packages(false) }},
	{"go-files", func(context.Context, sources) ([]string, error) { return goFiles() }},
	{"go-paragraphs", func(context.Context, sources) ([]string, error) {
		files, err := goFiles()
		return paragraphs(files), err
	}},
}

// columns returns the texts of files of the reference data.
func (s sources) columns(ctx context.Context, files []string, field string) (texts []string, err error) {
	for _, file := range files {
		err := s.each(ctx, file, documents.Options{Text: field}, func(_, text string) error {
			texts = append(texts, text)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// interleave returns the first text of each list, then the second of each, and so on, so that a
// prefix has versions of the same texts.
func interleave(lists ...[]string) (all []string) {
	for i := 0; ; i++ {
		before := len(all)
		for _, list := range lists {
			if i < len(list) {
				all = append(all, list[i])
			}
		}
		if len(all) == before {
			return all
		}
	}
}

// each calls take for each document of a file of the reference data.
func (s sources) each(ctx context.Context, file string, options documents.Options, take func(id, text string) error) error {
	r, err := documents.Open(ctx, filepath.Join(s.data, filepath.FromSlash(file)), options)
	if err != nil {
		return err
	}
	defer r.Close()
	var d documents.Document
	for {
		if err := r.Read(&d); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := take(string(d.ID), string(d.Text)); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
}

// wikisplit returns sentences of Wikipedia, each both whole and split in two.
func wikisplit(ctx context.Context, s sources) ([]string, error) {
	files := []string{"neardup/wikisplit_tune.tsv.gz", "neardup/wikisplit_validation.tsv.gz"}
	whole, err := s.columns(ctx, files, "#1")
	if err != nil {
		return nil, err
	}
	split, err := s.columns(ctx, files, "#2")
	for i := range split {
		split[i] = strings.ReplaceAll(split[i], " <::::> ", " ")
	}
	return interleave(whole, split), err
}

// paragraphs returns all paragraphs of at least ten words.
func paragraphs(texts []string) (list []string) {
	for _, text := range texts {
		for p := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
			if len(strings.Fields(p)) >= 10 {
				list = append(list, p)
			}
		}
	}
	return list
}

// bible returns each verse in every version.
func bible(ctx context.Context, s sources) ([]string, error) {
	var versions [][]string
	for _, version := range []string{"KJVPCE", "UKJV", "RWebster", "Webster", "ASV", "ChiUn"} {
		verses, err := s.columns(ctx, []string{"neardup/bible/" + version + ".tsv.gz"}, "#2")
		if err != nil {
			return nil, err
		}
		versions = append(versions, verses)
	}
	return interleave(versions...), nil
}

// poems returns each poem that is in two editions, first from one and then from the other.
func poems(ctx context.Context, s sources) ([]string, error) {
	type edition struct {
		titles []string
		texts  map[string]string
	}
	var editions [2]edition
	for i, archive := range []string{"text/chinese_poetry_tang.tar.gz", "text/chinese_poetry_yuding_quantangshi.tar.gz"} {
		e := &editions[i]
		e.texts = map[string]string{}
		err := s.each(ctx, archive, documents.Options{}, func(id, text string) error {
			var list []struct {
				Author, Title string
				Paragraphs    []string
			}
			if err := json.Unmarshal([]byte(text), &list); err != nil {
				return fmt.Errorf("%s: %w", id, err)
			}
			for _, p := range list {
				title := p.Author + "\t" + p.Title
				e.titles = append(e.titles, title)
				e.texts[title] = strings.Join(p.Paragraphs, "")
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var texts []string
	for _, title := range editions[0].titles {
		if other := editions[1].texts[title]; other != "" {
			texts = append(texts, editions[0].texts[title], other)
		}
	}
	return texts, nil
}

func tldr(folder string) func(context.Context, sources) ([]string, error) {
	return func(ctx context.Context, s sources) (texts []string, err error) {
		err = s.each(ctx, "text/tldr_pages_en_ja_zh.tar.gz", documents.Options{}, func(id, text string) error {
			if strings.HasPrefix(id, folder) {
				texts = append(texts, text)
			}
			return nil
		})
		return texts, err
	}
}

// packages returns the synopses of Debian's packages, or their long descriptions.
func (s sources) packages(synopses bool) (texts []string, err error) {
	if s.debian == "" {
		return nil, nil
	}
	content, err := os.ReadFile(s.debian)
	if err != nil {
		return nil, err
	}
	var description []string
	lines := bufio.NewScanner(bytes.NewReader(append(content, "\n\n"...)))
	for lines.Scan() {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "Description-en: "):
			_, line, _ = strings.Cut(line, ": ")
			description = []string{line}
		case strings.HasPrefix(line, " ") && description != nil:
			description = append(description, strings.TrimPrefix(strings.TrimSpace(line), "."))
		case line == "" && description != nil:
			text := strings.Join(description[1:], "\n")
			if synopses {
				text = description[0]
			}
			texts, description = append(texts, text), nil
		}
	}
	if texts == nil && lines.Err() == nil {
		return nil, fmt.Errorf("%s: expected packages with Description-en, found none", s.debian)
	}
	return texts, lines.Err()
}

// goFiles returns the Go files of the standard library and its commands.
func goFiles() (texts []string, err error) {
	root := filepath.Join(build.Default.GOROOT, "src")
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		texts = append(texts, strings.ToValidUTF8(string(text), "\ufffd"))
		return err
	})
	if err == nil && texts == nil {
		err = errors.New("there are no Go files below " + root)
	}
	return texts, err
}
