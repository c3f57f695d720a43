package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"

	"simhashkit/dedup"
	"simhashkit/dedup/fingerprints"
	"simhashkit/dedup/fingerprints/parquet"
	"simhashkit/internal/decompress"
	"simhashkit/internal/scratch"
)

// formats are the names of the formats of fingerprints.
var formats = namesOf(fingerprints.Formats())

// newFingerprintWriter returns a writer of the format for fingerprints of the definition.
func newFingerprintWriter(format string, w io.Writer, s hasher) (fingerprints.Writer, error) {
	if format == string(fingerprints.Parquet) {
		return parquet.NewWriter(w, s.String(), s.Bits()), nil
	}
	return fingerprints.NewWriter(w, fingerprints.Format(format), s.Definition())
}

// readFingerprints reads fingerprints from the stream of a file; Parquet at any place of it.
func readFingerprints(ctx context.Context, stream *bufio.Reader, path string, format fingerprints.Format, options fingerprints.Options) (*dedup.Records, error) {
	if format != fingerprints.Parquet {
		return fingerprints.Read(stream, format, options)
	}
	file, size, err := scratch.At(stream, path, parquet.Magic)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", options.Name, err)
	}
	defer file.Close()
	return parquet.Read(ctx, file, size, options)
}

// eachBatch reads fingerprints from the named file or standard input, and calls take for each
// batch. An empty input has none.
func eachBatch(ctx context.Context, args []string, stdin io.Reader, bits int, take func(*dedup.Records) error) error {
	path, stream, err := openStream(ctx, args, stdin)
	if err != nil {
		return err
	}
	defer stream.Close()
	name := inputName(path)
	buffered := bufio.NewReaderSize(stream, 64<<10)
	if _, err := buffered.Peek(1); err == io.EOF {
		return nil
	}
	format := fingerprints.Sniff(buffered)
	if format == fingerprints.None {
		if _, err := buffered.Peek(1); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return fmt.Errorf("%s: expected fingerprints, as fphash sketch writes them", name)
	}
	each := func(records *dedup.Records) error {
		if bits > 0 && records.Set.Bits != bits {
			return fmt.Errorf("--bits %d: expected %d, which the fingerprints in %s have", bits, records.Set.Bits, name)
		}
		return take(records)
	}
	records, err := readFingerprints(ctx, buffered, path, format, fingerprints.Options{Name: name, Bits: bits, Take: each})
	if err == nil {
		err = records.PassRest(each)
	}
	return err
}

// openStream opens the file that the first argument names, or standard input, and decompresses it.
// It also returns the path.
func openStream(ctx context.Context, args []string, stdin io.Reader) (path string, stream io.ReadCloser, err error) {
	if len(args) > 0 && !isStdin(args[0]) {
		if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
			return args[0], nil, fmt.Errorf("%s is a folder, expected a file", args[0])
		}
		stream, err = decompress.Open(ctx, args[0])
		return args[0], stream, err
	}
	if stream, err = decompress.NewReader(ctx, stdin); err != nil {
		err = fmt.Errorf("%s: %w", inputName(""), err)
	}
	return "", stream, err
}

// inputName returns the name of an input in messages.
func inputName(path string) string { return cmp.Or(path, "standard input") }

func isStdin(name string) bool { return name == "" || name == "-" }

// fileOrData returns the arguments, or the value of --data instead.
func fileOrData(args []string, data string) ([]string, error) {
	switch {
	case data == "":
		return args, nil
	case len(args) > 0:
		return nil, fmt.Errorf("both FILE %s and --data %s: name one of them", args[0], data)
	}
	return []string{data}, nil
}
