package docsketch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"simhashkit/datasets/documents"
	"simhashkit/fphash"
	"simhashkit/textsketch"
)

// made is a reader that returns n documents of very different sizes, followed by the error end.
type made struct {
	n, next int
	end     error
	buffer  []byte
}

func (m *made) Read(d *documents.Document) error {
	if m.next == m.n {
		return m.end
	}
	m.buffer = append(m.buffer[:0], documentOf(m.next)...)
	*d = documents.Document{ID: strconv.AppendInt(nil, int64(m.next), 10), Number: 2 * m.next, NumericID: m.next%2 == 0, Text: m.buffer}
	m.next++
	return nil
}

func (m *made) Close() error { return nil }

// documentOf returns document i. One in a thousand is longer than a chunk, and some are empty.
func documentOf(i int) string {
	switch {
	case i%1000 == 99:
		return strings.Repeat(fmt.Sprintf("word%d and ", i), chunkBytes/8)
	case i%7 == 0:
		return ""
	}
	return fmt.Sprintf("document %d has %d words of which word%d is one", i, 9, i%13)
}

// sketcher returns a Sketcher of words.
func sketcher(t *testing.T) *textsketch.Sketcher {
	t.Helper()
	hash, err := fphash.New(fphash.Definition{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := textsketch.New(textsketch.Options{Hash: hash})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// An interrupt does not wait until a document is finished.
func TestDocumentsEndAtOnce(t *testing.T) {
	begun, through := make(chan bool), make(chan bool)
	defer close(through)
	slow := fphash.FromFunc("slow", 64, func([]uint64, []byte) {
		close(begun)
		<-through // like a document that takes long
	})
	hash, err := fphash.New(fphash.Definition{}, fphash.WithFamily(slow))
	if err != nil {
		t.Fatal(err)
	}
	s, err := textsketch.New(textsketch.Options{Hash: hash})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	go func() {
		<-begun
		cancel(stop)
	}()
	var last error
	for _, err := range Documents(ctx, s, &one{text: "word"}, new(Missing), 2) {
		last = err
	}
	if !errors.Is(last, stop) {
		t.Errorf("error %v", last)
	}
}

// one is a reader of a single document.
type one struct {
	text string
	read bool
}

func (o *one) Read(d *documents.Document) error {
	if o.read {
		return io.EOF
	}
	*d, o.read = documents.Document{Number: 1, Text: []byte(o.text)}, true
	return nil
}

func (o *one) Close() error { return nil }

func TestDocumentsComeInOrder(t *testing.T) {
	s := sketcher(t)
	local := s.Local()
	for _, workers := range []int{0, 1, 3, 16} {
		for _, n := range []int{0, 1, chunkDocuments, 3*chunkDocuments + 5} {
			i := 0
			for d, err := range Documents(t.Context(), s, &made{n: n, end: io.EOF}, new(Missing), workers) {
				if err != nil {
					t.Fatal(err)
				}
				want, status, err := local.Append(nil, []byte(documentOf(i)))
				if err != nil {
					t.Fatal(err)
				}
				if string(d.ID) != strconv.Itoa(i) || d.Number != (i%2 == 0) || d.Fingerprint[0] != want[0] || d.Features != local.Features() || d.Features == 0 && i%7 != 0 || d.Informative != (status == fphash.Informative) {
					t.Fatalf("%d workers: document %d is %s, %v, %x, %v; want %x, %v", workers, i, d.ID, d.Number, d.Fingerprint, d.Informative, want, status)
				}
				i++
			}
			if i != n {
				t.Errorf("%d workers: %d documents, want %d", workers, i, n)
			}
		}
	}
}

// Documents before an error are yielded first.
func TestErrorsOfReadersComeLast(t *testing.T) {
	s := sketcher(t)
	broken := errors.New("broken")
	for _, n := range []int{0, 5, 2*chunkDocuments + 5} {
		i := 0
		var got error
		for _, err := range Documents(t.Context(), s, &made{n: n, end: broken}, new(Missing), 2) {
			if got = err; err == nil {
				i++
			}
		}
		if i != n || got != broken {
			t.Errorf("%d documents, then %v; want %d, then %v", i, got, n, broken)
		}
	}
}

// A caller can break the loop, and the end of the context stops it.
func TestDocumentsEnd(t *testing.T) {
	s := sketcher(t)
	for _, after := range []int{1, chunkDocuments + 1} {
		i := 0
		for range Documents(t.Context(), s, &made{n: 1 << 30, end: io.EOF}, new(Missing), 2) {
			if i++; i == after {
				break
			}
		}
		ended := errors.New("ended")
		ctx, cancel := context.WithCancelCause(t.Context())
		i = 0
		var got error
		for _, err := range Documents(ctx, s, &made{n: 1 << 30, end: io.EOF}, new(Missing), 2) {
			if got = err; err == nil {
				if i++; i == after {
					cancel(ended)
				}
			}
		}
		cancel(nil)
		if got != ended {
			t.Errorf("after %d documents: error %v, want %v", after, got, ended)
		}
	}
}

// rewritten is a reader of long documents that all use the same memory.
type rewritten struct {
	texts  []string
	next   int
	buffer []byte
}

func (r *rewritten) Read(d *documents.Document) error {
	if r.next == len(r.texts) {
		return io.EOF
	}
	r.buffer = append(r.buffer[:0], r.texts[r.next]...)
	r.next++
	*d = documents.Document{ID: []byte("id"), Number: r.next, Text: r.buffer}
	return nil
}

func (r *rewritten) Close() error { return nil }

// The reader continues only after the fingerprint of a long document is computed. The documents
// before and after it have the usual fingerprints.
func TestLongDocuments(t *testing.T) {
	s := sketcher(t)
	var texts []string
	for i, size := range []int{100, longDocument, 10, longDocument + 5, longDocument - 1, 2 * chunkBytes, longDocument} {
		word := fmt.Sprintf("word%d and ", i)
		texts = append(texts, strings.Repeat(word, size/len(word)+1)[:size])
	}
	local, i := s.Local(), 0
	for d, err := range Documents(t.Context(), s, &rewritten{texts: texts}, new(Missing), 3) {
		if err != nil {
			t.Fatal(err)
		}
		want, status, err := local.Append(nil, []byte(texts[i]))
		if err != nil {
			t.Fatal(err)
		}
		if i++; d.Fingerprint[0] != want[0] || d.Informative != (status == fphash.Informative) || d.Features != local.Features() || string(d.ID) != "id" {
			t.Errorf("document %d has %x of %d features, %v; expected %x of %d, %v", i, d.Fingerprint, d.Features, d.Informative, want, local.Features(), status)
		}
	}
	if i != len(texts) {
		t.Errorf("%d documents, expected %d", i, len(texts))
	}
}

// A caller can break the loop during a long document, and the context can end then.
func TestLongDocumentsEnd(t *testing.T) {
	s := sketcher(t)
	text := strings.Repeat("some words ", longDocument/11+1)
	for range Documents(t.Context(), s, &rewritten{texts: []string{text, text, text}}, new(Missing), 2) {
		break
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := errors.New("ended")
	cancel(ended)
	for _, err := range Documents(ctx, s, &rewritten{texts: []string{text, text, text}}, new(Missing), 2) {
		if err != nil && err != ended {
			t.Errorf("error %v", err)
		}
	}
}
