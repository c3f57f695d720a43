package textsketch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"simhashkit/datasets/documents"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
)

// made is a reader of n documents of very unequal sizes, and then an error.
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

// documentOf is one of them; each thousandth is longer than a chunk, and some are empty.
func documentOf(i int) string {
	switch {
	case i%1000 == 99:
		return strings.Repeat(fmt.Sprintf("word%d and ", i), chunkBytes/8)
	case i%7 == 0:
		return ""
	}
	return fmt.Sprintf("document %d has %d words of which word%d is one", i, 9, i%13)
}

// An interrupt does not wait for the end of a document.
func TestDocumentsEndAtOnce(t *testing.T) {
	begun, through := make(chan bool), make(chan bool)
	defer close(through)
	slow := fphash.FromFunc("slow", 64, func([]uint64, []byte) {
		close(begun)
		<-through // as a document of 256 MB takes long
	})
	hash, err := fphash.New(fphash.WithFamily(slow))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Hash: hash})
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
	for _, err := range s.Documents(ctx, &one{text: "word"}, 2) {
		last = err
	}
	if !errors.Is(last, stop) {
		t.Errorf("error %v", last)
	}
}

// one is a reader of one document.
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
	s := sketcher(t, "words", weights.Options{})
	local := s.Local()
	for _, workers := range []int{0, 1, 3, 16} {
		for _, n := range []int{0, 1, chunkDocuments, 3*chunkDocuments + 5} {
			i := 0
			for d, err := range s.Documents(t.Context(), &made{n: n, end: io.EOF}, workers) {
				if err != nil {
					t.Fatal(err)
				}
				want, status, err := local.Append(nil, []byte(documentOf(i)))
				if err != nil {
					t.Fatal(err)
				}
				if string(d.ID) != strconv.Itoa(i) || d.Number != 2*i || d.NumericID != (i%2 == 0) || d.Fingerprint[0] != want[0] || d.Features != local.Features() || d.Features == 0 && i%7 != 0 || d.Status != status {
					t.Fatalf("%d workers: document %d is %s, %v, %x, %v; want %x, %v", workers, i, d.ID, d.Number, d.Fingerprint, d.Status, want, status)
				}
				i++
			}
			if i != n {
				t.Errorf("%d workers: %d documents, want %d", workers, i, n)
			}
		}
	}
}

// What was read before an error comes before it.
func TestErrorsOfReadersComeLast(t *testing.T) {
	s := sketcher(t, "words", weights.Options{})
	broken := errors.New("broken")
	for _, n := range []int{0, 5, 2*chunkDocuments + 5} {
		i := 0
		var got error
		for _, err := range s.Documents(t.Context(), &made{n: n, end: broken}, 2) {
			if got = err; err == nil {
				i++
			}
		}
		if i != n || got != broken {
			t.Errorf("%d documents, then %v; want %d, then %v", i, got, n, broken)
		}
	}
}

// Who has enough may stop, and the end of the context ends it; no goroutine outlives the loop.
func TestDocumentsEnd(t *testing.T) {
	s := sketcher(t, "words", weights.Options{})
	for _, after := range []int{1, chunkDocuments + 1} {
		i := 0
		for range s.Documents(t.Context(), &made{n: 1 << 30, end: io.EOF}, 2) {
			if i++; i == after {
				break
			}
		}
		ended := errors.New("ended")
		ctx, cancel := context.WithCancelCause(t.Context())
		i = 0
		var got error
		for _, err := range s.Documents(ctx, &made{n: 1 << 30, end: io.EOF}, 2) {
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
