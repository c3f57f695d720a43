package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"simhashkit/internal/wholefile"
)

var nameOfResults = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// Add files the results in a file under the processor and the date that they name; without a date
// they are of now. name is that of the new file, "" for the old one's. If results of that name are
// filed for that day, a number is appended: bench-2. Results that are filed already, byte for byte,
// are not filed twice: added is false then.
func (s *Store) Add(path, name string, now time.Time) (filed string, added bool, err error) {
	results, err := ReadFile(path)
	if err != nil {
		return "", false, err
	}
	if name == "" {
		name = plainName(path)
	}
	if !nameOfResults.MatchString(name) {
		return "", false, fmt.Errorf("store: %q is no name for results; expected letters, digits, dots and dashes", name)
	}
	cpu := slug(results.Config["cpu"])
	if cpu == "" {
		return "", false, fmt.Errorf("store: %s does not say its processor; expected a line: cpu: NAME", path)
	}
	date := day(results)
	if date.IsZero() {
		date = now
	}
	folder := filepath.Join(s.root, cpu, date.UTC().Format(time.DateOnly))
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return "", false, fmt.Errorf("store: %w", err)
	}
	for number := 1; ; number++ {
		filed = filepath.Join(folder, name+".txt")
		if number > 1 {
			filed = filepath.Join(folder, fmt.Sprintf("%s-%d.txt", name, number))
		}
		switch text, err := os.ReadFile(filed); {
		case err == nil && bytes.Equal(text, results.Text):
			return filed, false, nil
		case err == nil:
			continue
		case !errors.Is(err, fs.ErrNotExist):
			return "", false, fmt.Errorf("store: %w", err)
		}
		break
	}
	if err := wholefile.WriteBytes(filed, results.Text); err != nil {
		return "", false, fmt.Errorf("store: %w", err)
	}
	return filed, true, nil
}

// plainName is the file's name without its folder and without .txt, .gz and the like.
func plainName(path string) string {
	name := filepath.Base(path)
	for _, ending := range []string{".gz", ".zst", ".bz2", ".txt"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}
