package main

import (
	"bufio"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// document is a text and its id, which no other one of its collection has.
type document struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// collection is documents of one language, by the names of package collections.
type collection struct {
	name, language string
	documents      []document
	ids            map[string]int
}

func (c *collection) add(id, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	if c.ids[id]++; c.ids[id] > 1 {
		id = fmt.Sprintf("%s#%d", id, c.ids[id])
	}
	c.documents = append(c.documents, document{id, text})
}

// load makes the collection of an argument KIND:LANGUAGE:NAME=PATH.
func load(argument string) (*collection, error) {
	what, path, ok := strings.Cut(argument, "=")
	parts := strings.Split(what, ":")
	if !ok || len(parts) != 3 {
		return nil, fmt.Errorf("%q: expected KIND:LANGUAGE:NAME=PATH", argument)
	}
	c := &collection{name: parts[2], language: parts[1], ids: map[string]int{}}
	switch parts[0] {
	case "synopses":
		return c, c.packages(path, func(synopsis, _ string) string { return synopsis })
	case "descriptions":
		return c, c.packages(path, func(_, long string) string { return long })
	case "licences":
		return c, c.licences(path)
	case "sources":
		return c, c.sources(path)
	}
	return nil, fmt.Errorf("%q: expected synopses, descriptions, licences or sources", argument)
}

// packages reads a file of descriptions of packages, as Debian translates them.
func (c *collection) packages(path string, of func(synopsis, long string) string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var name, synopsis string
	var long []string
	end := func() {
		c.add(name, of(synopsis, strings.Join(long, "\n")))
		name, synopsis, long = "", "", nil
	}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch line := lines.Text(); {
		case line == "":
			end()
		case line == " .":
			long = append(long, "")
		case line[0] == ' ':
			long = append(long, line[1:])
		case field == "Package":
			name = value
		case strings.HasPrefix(field, "Description-") && field != "Description-md5":
			synopsis = value
		}
	}
	end()
	return lines.Err()
}

var licence = regexp.MustCompile(`(?i)^(licen[cs]e|copying|copyright)`)

// licences reads what is called one in folders, separated by commas.
func (c *collection) licences(folders string) error {
	for _, folder := range strings.Split(folders, ",") {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || !licence.MatchString(d.Name()) {
				return err
			}
			text, err := os.ReadFile(path)
			c.add(strings.TrimPrefix(path, folder+"/"), strings.ToValidUTF8(string(text), ""))
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

var word = regexp.MustCompile(`\w+`)

// Of each source of so many words there is a copy, up to a number of sources.
const leastWords, mostWords, mostSources = 100, 5000, 800

// sources reads Go files, each with a copy of which 1 to 10% of the words are those of another
// file.
func (c *collection) sources(folder string) error {
	random := rand.New(rand.NewPCG(1, 2))
	var last []string
	return filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || len(c.documents) >= 2*mostSources {
			return err
		}
		source, err := os.ReadFile(path)
		words := word.FindAllString(string(source), -1)
		if err != nil || len(words) < leastWords || len(words) > mostWords {
			return err
		}
		id := strings.TrimPrefix(path, folder+"/")
		c.add(id, string(source))
		if share := 0.01 + 0.09*random.Float64(); last != nil {
			c.add(fmt.Sprintf("%s with %.1f%% replaced", id, 100*share), word.ReplaceAllStringFunc(string(source), func(w string) string {
				if random.Float64() < share {
					return last[random.IntN(len(last))]
				}
				return w
			}))
		}
		last = words
		return nil
	})
}
