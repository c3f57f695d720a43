package conventions

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"simhashkit/internal/testing/tools"
)

// jsonLines writes values to a file, one per line, and returns its path.
func jsonLines[T any](t *testing.T, values []T) string {
	t.Helper()
	var text []byte
	for _, v := range values {
		line, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		text = append(append(text, line...), '\n')
	}
	path := filepath.Join(t.TempDir(), "cases.jsonl")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// simhashCase is a text or a list for the package simhash of PyPI.
type simhashCase struct {
	F    int     `json:"f"`
	Text *string `json:"text,omitempty"`
	List []any   `json:"list,omitempty"`
}

// float formats a number in the same way as Python formats a float.
type float float64

func (f float) MarshalJSON() ([]byte, error) {
	text := strconv.FormatFloat(float64(f), 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return []byte(text), nil
}

// randomList draws a list for PyPI's simhash: strings, or pairs of a string and an int or a float.
// It also returns our fingerprint. Weights are below 256, since numpy 2 does not accept larger
// ones.
func randomList(r *rand.Rand, s *Sketcher) (theirs []any, words []uint64, err error) {
	word := func() string {
		return []string{"apple", "banana", "感冒", "é", "", "w" + strconv.Itoa(r.IntN(1000))}[r.IntN(6)]
	}
	var features []string
	var ints []int64
	var floats []float64
	kind := r.IntN(3)
	for range 1 + r.IntN(500)*r.IntN(2) {
		features = append(features, word())
		feature := features[len(features)-1]
		switch kind {
		case 0:
			theirs = append(theirs, feature)
		case 1:
			ints = append(ints, int64(r.IntN(306)-50))
			theirs = append(theirs, []any{feature, ints[len(ints)-1]})
		default:
			floats = append(floats, []float64{0.1, 0.2, 0.3, -0.3, 1e-9, 1e9, 2, r.NormFloat64()}[r.IntN(8)])
			theirs = append(theirs, []any{feature, float(floats[len(floats)-1])})
		}
	}
	switch kind {
	case 0:
		words, _, err = AppendUnit(s, nil, features)
	case 1:
		words, _, err = Append(s, nil, features, ints)
	default:
		words, _, err = Append(s, nil, features, floats)
	}
	return theirs, words, err
}

// PyPI's simhash gives the same fingerprints of lists and texts.
func TestPyPISimhash(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 7))
	var input []simhashCase
	var ours []string
	for i := range 600 {
		c := simhashCase{F: 64 + 64*(i%2)}
		s := sketcherNamed(t, "1e0ng-"+strconv.Itoa(c.F))
		var words []uint64
		var err error
		if i%3 == 0 {
			text := randomText(r)
			c.Text = &text
			words, _, err = s.AppendText(nil, []byte(text))
		} else {
			c.List, words, err = randomList(r, s)
		}
		if err != nil {
			t.Fatal(err)
		}
		input, ours = append(input, c), append(ours, s.Hex(words))
	}
	theirs := strings.Fields(tools.Python(t, []string{"simhash"}, filepath.Join("testdata", "pypi_simhash.py"), jsonLines(t, input)))
	if len(theirs) != len(ours) {
		t.Fatalf("%d answers, expected %d", len(theirs), len(ours))
	}
	for i := range ours {
		if ours[i] != theirs[i] {
			line, _ := json.Marshal(input[i])
			t.Errorf("%.2000s: %s, expected %s", line, ours[i], theirs[i])
		}
	}
}

// randomText returns words in several scripts, with capital letters, marks and signs.
func randomText(r *rand.Rand) string {
	const characters = "aAbBzZ09_'-. \t\nàÀßẞıİΣσςΩ京語한กि٣Ⅳ²½ǅ\u0301\u200d\u00ad’·😀𝒜Ꭰ"
	list := []rune(characters)
	var text []rune
	for range r.IntN(60) {
		text = append(text, list[r.IntN(len(list))])
	}
	return string(text)
}

// Lower case and word characters agree with Python for all characters, except for a few that only
// the newer of both Unicode versions has.
func TestPythonCharacters(t *testing.T) {
	out := tools.Python(t, []string{"re"}, filepath.Join("testdata", "characters.py"))
	wrong, checked := 0, 0
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		number, err := strconv.Atoi(fields[0])
		if err != nil {
			t.Fatal(err)
		}
		c := string(rune(number))
		got := fmt.Sprintf("%s %s %s %s", lowered(c), map[bool]string{true: "1", false: "0"}[isPythonWord(rune(number))], lowered("aΣ"+c+"b"), lowered("a"+c+"Σ"))
		checked++
		if want := strings.Join(fields[1:], " "); got != want {
			if wrong++; wrong <= 20 {
				t.Logf("%U: %s, Python has %s", number, got, want)
			}
		}
	}
	t.Logf("%d of %d characters differ", wrong, checked)
	if wrong > 20 || checked < 10_000 {
		t.Errorf("%d of %d characters differ, expected at most 20", wrong, checked)
	}
}

// lowered returns the letters of a text in lower case, in hexadecimal.
func lowered(text string) string {
	var list []rune
	lowerPython([]byte(text), func(r rune) {
		if isPythonWord(r) {
			list = append(list, r)
		}
	})
	if len(list) == 0 {
		return "-"
	}
	return hex.EncodeToString([]byte(string(list)))
}

// PyPI's iscc-core gives the same fingerprints, also for the published test vectors of ISO 24138
// that it contains.
func TestISCCCore(t *testing.T) {
	type isccCase struct {
		Digests  []string `json:"digests,omitempty"`
		Features []string `json:"features,omitempty"`
	}
	r := rand.New(rand.NewPCG(24138, 1))
	var input []isccCase
	var ours []string
	for range 60 {
		var c isccCase
		var digests, features [][]byte
		size := []int{4, 8, 16, 32, 5}[r.IntN(5)]
		for range 1 + r.IntN(300)*r.IntN(2) + r.IntN(4) {
			data := make([]byte, size)
			for i := range data {
				data[i] = byte(r.Uint32())
			}
			digests, features = append(digests, data), append(features, data[:r.IntN(size)])
			c.Digests, c.Features = append(c.Digests, hex.EncodeToString(data)), append(c.Features, hex.EncodeToString(features[len(features)-1]))
		}
		input = append(input, isccCase{Digests: c.Digests}, isccCase{Features: c.Features})
		ours = append(ours, isccOf(t, "iscc-digests", digests), isccOf(t, "iscc", features))
	}
	out := strings.Split(strings.TrimSpace(tools.Python(t, []string{"iscc_core"}, filepath.Join("testdata", "iscc.py"), jsonLines(t, input))), "\n")
	for i := range ours {
		if ours[i] != out[i] {
			t.Errorf("%v: %s, expected %s", input[i], ours[i], out[i])
		}
	}
	vectors := out[len(ours):]
	if len(vectors) < 20 {
		t.Errorf("%d similarity hashes in the published vectors, expected 20 and more", len(vectors))
	}
	for _, line := range vectors {
		checkVector(t, line)
	}
	t.Logf("%d similarity hashes in the published vectors", len(vectors))
}

// checkVector checks a published similarity hash: from its digests and, if they are from BLAKE3,
// also from the byte strings.
func checkVector(t *testing.T, line string) {
	t.Helper()
	var v struct {
		Vector, Hash      string
		Digests, Features []string
	}
	if err := json.Unmarshal([]byte(line), &v); err != nil {
		t.Fatalf("%.200s: %v", line, err)
	}
	if got := isccOf(t, "iscc-digests", unhex(t, v.Digests)); got != v.Hash {
		t.Errorf("%s: %s, expected %s", v.Vector, got, v.Hash)
	}
	if len(v.Features) > 0 {
		if got := isccOf(t, "iscc", unhex(t, v.Features)); got != v.Hash {
			t.Errorf("%s: %s of byte strings, expected %s", v.Vector, got, v.Hash)
		}
	}
}

// isccOf computes the fingerprint with a convention of ISCC. For digests, their width is used.
func isccOf(t *testing.T, name string, features [][]byte) string {
	t.Helper()
	c, err := Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	if name == "iscc-digests" && len(features) > 0 {
		c.Bits = 8 * len(features[0])
	}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	words, _, err := AppendUnit(s, nil, features)
	if err != nil {
		t.Fatal(err)
	}
	return s.Hex(words)
}

func unhex(t *testing.T, list []string) (data [][]byte) {
	t.Helper()
	for _, text := range list {
		b, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, b)
	}
	return data
}
