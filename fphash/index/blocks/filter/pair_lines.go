package filter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"

	"simhashkit/fphash"
	"simhashkit/fphash/index/blocks"
	"simhashkit/internal/lines"
)

// write writes the line of a pair.
func (r *run) write(a, b []byte, distance int) error {
	if blocks.Less(b, a) {
		a, b = b, a
	}
	r.line = append(append(r.line[:0], a...), '\t')
	r.line = append(append(r.line, b...), '\t')
	r.line = append(strconv.AppendInt(r.line, int64(distance), 10), '\n')
	if r.found.Pairs++; r.found.Pairs%4096 == 0 && r.ctx.Err() != nil {
		return context.Cause(r.ctx)
	}
	_, err := r.out.Write(r.line)
	return err
}

// ReadPairs returns the ids of pairs, from lines as Search writes them, valid until the next two
// are asked for. Behind them stands the distance, which has to be a number of bits; what stands
// behind that is not looked at.
func ReadPairs(ctx context.Context, r io.Reader, name string) iter.Seq2[[2][]byte, error] {
	return func(yield func([2][]byte, error) bool) {
		reader := lines.NewReader(r, mostLine)
		for {
			line, err := reader.Next()
			if err == io.EOF {
				return
			}
			var pair [2][]byte
			switch {
			case errors.Is(err, lines.ErrTooLong):
				err = fmt.Errorf("expected a line of at most %d bytes", mostLine)
			case err != nil:
				yield(pair, fmt.Errorf("%s: after line %d: %w", name, reader.Number(), err))
				return
			case len(reader.Raw()) == len(line):
				err = errors.New("expected a line feed at the end of the last line, which is torn")
			default:
				pair, err = cutPairLine(line)
			}
			if err != nil {
				err = fmt.Errorf("%s:%d: %w", name, reader.Number(), err)
			} else if reader.Number()%4096 == 0 {
				err = context.Cause(ctx)
			}
			if !yield(pair, err) || err != nil {
				return
			}
		}
	}
}

func cutPairLine(line []byte) (pair [2][]byte, err error) {
	a, rest, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\r")), []byte("\t"))
	b, rest, _ := bytes.Cut(rest, []byte("\t"))
	distance, _, _ := bytes.Cut(rest, []byte("\t"))
	if n, err := strconv.ParseUint(string(distance), 10, 16); err != nil || n > fphash.MaxBits {
		return pair, fmt.Errorf("expected two ids and a distance with tabs between them, as fphash pairs writes them, not %.80q", line)
	}
	return [2][]byte{a, b}, nil
}
