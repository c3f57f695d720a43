package pipeline

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"simhashkit/textsketch"
)

// cutUp cuts the text of each document into parts between words, and shuffles those of all
// documents; but the first parts stand in the order of the documents, before all others.
func cutUp(list []document, seed uint64) []document {
	random := rand.New(rand.NewPCG(seed, 2))
	var first, rest []document
	for _, d := range list {
		words := strings.Fields(d.Text)
		at := random.IntN(len(words) + 1)
		first = append(first, document{d.ID, strings.Join(words[:at], " ")})
		for words = words[at:]; len(words) > 0; words = words[at:] {
			at = 1 + random.IntN(len(words))
			rest = append(rest, document{d.ID, strings.Join(words[:at], " ")})
		}
	}
	random.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	return append(first, rest...)
}

// Documents whose parts stand in several files are what they are as a whole.
func TestPartsOfDocuments(t *testing.T) {
	list := texts(7, 120)
	for i := range list {
		if i%2 == 0 {
			list[i].ID = i // numbers and texts are ids, and 4 is not "4"
		}
	}
	list[1].ID = "4"
	for _, features := range []string{"words", "bytes,n=1"} {
		o := options(t, written(t, list, 1))
		o.Texts.Features = features
		if features != "words" { // which have no features in spaces
			for i := range list {
				list[i].Text = strings.ReplaceAll(list[i].Text, " ", "")
			}
			o.Inputs = written(t, list, 1)
		}
		mustExecute(t, o)
		want := lines(t, o.Output.Folder)
		for _, files := range []int{1, 3, 20} {
			o := options(t, written(t, cutUp(list, uint64(files)), files))
			o.Texts.Features, o.Parts = features, true
			counts := mustExecute(t, o)
			if diff := gocmp.Diff(want, lines(t, o.Output.Folder)); diff != "" || counts.Documents != int64(len(list)) {
				t.Errorf("%s, %d files: %d documents, -whole +parts\n%s", features, files, counts.Documents, diff)
			}
		}
	}
}

// Sums are the same in any order and grouping, also by way of their bytes.
func TestSums(t *testing.T) {
	ctx := context.Background()
	f := &sumFn{Texts: Texts{Definition: "xxh64,le64,64", Features: "words"}}
	parts := []string{"some words", "", "other words of it", "and the end", "words"}
	whole := strings.Join(parts, "\n")
	sketcher, err := f.Texts.Sketcher(ctx)
	must(t, err)
	want := fingerprintOf(t, sketcher, whole)
	random := rand.New(rand.NewPCG(1, 3))
	for range 200 {
		sums := []Sum{f.CreateAccumulator()}
		for _, i := range random.Perm(len(parts)) {
			if random.IntN(3) == 0 {
				sums = append(sums, f.CreateAccumulator())
			}
			to := random.IntN(len(sums))
			sums[to], err = f.AddInput(sums[to], DocumentPart{Position: int64(i + 10), Text: []byte(parts[i])})
			must(t, err)
		}
		for len(sums) > 1 {
			i := random.IntN(len(sums) - 1)
			data, err := encodeSum(sums[i+1])
			must(t, err)
			again, err := decodeSum(data)
			must(t, err)
			sums[i], err = f.MergeAccumulators(sums[i], again)
			must(t, err)
			sums = slices.Delete(sums, i+1, i+2)
		}
		if r := f.ExtractOutput(sums[0]); r.Position != 10 || !r.Informative || !slices.Equal(r.Words, want) {
			t.Fatalf("%+v, expected %x at 10", r, want)
		}
	}
}

func fingerprintOf(t *testing.T, sketcher *textsketch.Sketcher, text string) []uint64 {
	t.Helper()
	words, _, err := sketcher.Local().Append(nil, []byte(text))
	must(t, err)
	return words
}

// Sums of another definition are refused, and so are bytes that are cut off.
func TestSumsRefuse(t *testing.T) {
	a := &sumFn{Texts: Texts{Definition: "xxh64,le64,64"}}
	b := &sumFn{Texts: Texts{Definition: "xxh64,le64,64,seed=1"}}
	x, err := a.AddInput(Sum{}, DocumentPart{Position: 1, Text: []byte("words")})
	must(t, err)
	y, err := b.AddInput(Sum{}, DocumentPart{Position: 2, Text: []byte("words")})
	must(t, err)
	if _, err := a.MergeAccumulators(x, y); err == nil {
		t.Error("sums of different hashes were added")
	}
	data, err := encodeSum(x)
	must(t, err)
	for n := 2; n < len(data); n += 7 {
		if s, err := decodeSum(data[:n]); err == nil {
			t.Errorf("%d of %d bytes: %+v", n, len(data), s)
		}
	}
}

// What is encoded comes back; what is cut off is an error.
func TestCoders(t *testing.T) {
	records := []Record{{}, {Position: 1 << 62, ID: []byte("id"), Number: true, Informative: true, Words: []uint64{1, 1 << 63}}, {Position: 3, ID: []byte(""), Informative: true}}
	for _, r := range records {
		data := encodeRecord(r)
		got, err := decodeRecord(data)
		if err != nil || got.Position != r.Position || got.Number != r.Number || got.Informative != r.Informative || !bytes.Equal(got.ID, r.ID) || !slices.Equal(got.Words, r.Words) {
			t.Errorf("%+v came back as %+v, %v", r, got, err)
		}
		for n := range data {
			if len(data)-n <= 16 && (len(data)-n)%8 == 0 {
				continue // words less
			}
			if _, err := decodeRecord(data[:n]); err == nil {
				t.Errorf("%d of %d bytes are no error", n, len(data))
			}
		}
	}
	p := Pair{A: 5, B: 1 << 60, Distance: 3, Copies: true}
	if got, err := decodePair(encodePair(p)); err != nil || got != p {
		t.Errorf("%+v, %v", got, err)
	}
	m := Member{Position: 1 << 50, Cluster: 7, Canonical: true}
	if got, err := decodeMember(encodeMember(m)); err != nil || got != m {
		t.Errorf("%+v, %v", got, err)
	}
	part := Part{Second: true, Of: Fingerprint{9, []uint64{4, 5}}}
	if got, err := decodePart(encodePart(part)); err != nil || !got.Second || got.Of.Position != 9 || !slices.Equal(got.Of.Words, part.Of.Words) {
		t.Errorf("%+v, %v", got, err)
	}
	d := DocumentPart{8, []byte("text")}
	if got, err := decodeDocumentPart(encodeDocumentPart(d)); err != nil || got.Position != 8 || string(got.Text) != "text" {
		t.Errorf("%+v, %v", got, err)
	}
}
