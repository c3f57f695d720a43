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
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/datasets/documents"
)

// sources says where the collections come from.
type sources struct {
	data   string // the folder of the reference data
	debian string // a Translation file of Debian's packages; "" leaves them out
	html   string // a folder of HTML pages; "" leaves them out
	logs   string // a folder of logs, whose lines are texts; "" leaves them out
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
	{"html", func(_ context.Context, s sources) ([]string, error) { return files(s.html, ".html") }},
	{"log-lines", func(_ context.Context, s sources) (lines []string, err error) {
		logs, err := files(s.logs, ".log")
		for _, log := range logs {
			lines = append(lines, strings.Split(log, "\n")...)
		}
		return lines, err
	}},
	{"genomes", genomes},
	{"cycles", func(context.Context, sources) ([]string, error) { return cycles(), nil }},
	{"digit-grids", func(context.Context, sources) ([]string, error) { return grids(), nil }},
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
	return files(filepath.Join(build.Default.GOROOT, "src"), ".go")
}

// files returns the files of a folder whose names have the ending, or nothing if folder is "".
func files(folder, ending string) (texts []string, err error) {
	if folder == "" {
		return nil, nil
	}
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ending {
			return err
		}
		text, err := os.ReadFile(path)
		texts = append(texts, strings.ToValidUTF8(string(text), "\ufffd"))
		return err
	})
	if err == nil && texts == nil {
		err = errors.New("there are no files with the ending " + ending + " below " + folder)
	}
	return texts, err
}

// genomes returns windows of 300 bases of the genomes of dengue and mpox viruses, as words of three
// bases. The windows of one place in two genomes are similar.
func genomes(ctx context.Context, s sources) (texts []string, err error) {
	for _, file := range []string{"genomes/denv2.fasta.gz", "genomes/mpox_all-clades.fasta.gz"} {
		var genomes []string
		err := s.each(ctx, file, documents.Options{Format: "lines"}, func(_, line string) error {
			if strings.HasPrefix(line, ">") {
				genomes = append(genomes, "")
			} else if n := len(genomes); n > 0 {
				genomes[n-1] += line
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		var windows [][]string
		for _, genome := range genomes {
			var of []string
			for window := range slices.Chunk([]byte(genome), 300) {
				var words []string
				for word := range slices.Chunk(window, 3) {
					words = append(words, string(word))
				}
				of = append(of, strings.Join(words, " "))
			}
			windows = append(windows, of)
		}
		list := interleave(windows...)
		texts = append(texts, list[:min(len(list), 2500)]...)
	}
	return texts, nil
}

// cycles returns texts of 20 to 200 words that repeat the same 1 to 100 words, each followed by
// copies in which up to a third of the words are others.
func cycles() (texts []string) {
	rng := rand.New(rand.NewPCG(53, 1))
	for i := range 1000 {
		words := make([]string, 20+rng.IntN(181))
		for j := range words {
			words[j] = fmt.Sprintf("w%dx%d", i%50, j%(1+i%100))
		}
		texts = append(texts, strings.Join(words, " "))
		for range 4 {
			copied := slices.Clone(words)
			for range rng.IntN(1 + len(words)/3) {
				copied[rng.IntN(len(words))] = fmt.Sprintf("other%d", rng.IntN(1000))
			}
			texts = append(texts, strings.Join(copied, " "))
		}
	}
	return texts
}

// grids returns grids of 5 to 20 rows and columns of digits, with up to three rectangles on a plain
// background. Three of four are the one before with one or two rectangles more.
func grids() (texts []string) {
	rng := rand.New(rand.NewPCG(53, 2))
	var rows [][]byte
	for i := range 5000 {
		if i%4 == 0 {
			height, width := 5+rng.IntN(16), 5+rng.IntN(16)
			rows = make([][]byte, height)
			for y := range rows {
				rows[y] = bytes.Repeat([]byte{'0'}, width)
			}
		}
		for range 1 + rng.IntN(2) {
			digit, top, left := byte('0'+rng.IntN(10)), rng.IntN(len(rows)), rng.IntN(len(rows[0]))
			for y := top; y < min(len(rows), top+1+rng.IntN(4)); y++ {
				for x := left; x < min(len(rows[0]), left+1+rng.IntN(4)); x++ {
					rows[y][x] = digit
				}
			}
		}
		var text strings.Builder
		for _, row := range rows {
			for _, digit := range row {
				text.WriteByte(digit)
				text.WriteByte(' ')
			}
			text.WriteByte('\n')
		}
		texts = append(texts, text.String())
	}
	return texts
}
