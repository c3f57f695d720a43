package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/spf13/cobra"

	"simhashkit/dedup/fingerprints"
	"simhashkit/fphash"
	"simhashkit/fphash/conventions"
	"simhashkit/internal/jsonout"
	textlines "simhashkit/internal/lines"
	"simhashkit/internal/texttable"
)

func newConventions() *cobra.Command {
	var format string
	command := &cobra.Command{
		Use:   "conventions",
		Short: "List other systems whose fingerprints fphash can compute",
		Long: `conventions lists systems whose fingerprints sketch --convention computes bit by bit, and
how they differ from the default of sketch with the same hash. By default, sketch adds
the weight of a feature to a sum if its bit is 1, and subtracts it if its bit is 0. Sums of
zero and vectors without features give 0. Bit i of the hash decides bit i of the
fingerprint. fphash/conventions/README.md has details, and lists the systems that are
left out on purpose.`,
		Example: `  fphash conventions
  fphash conventions --format json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if format == "json" {
				return writeConventionsJSON(cmd.OutOrStdout())
			}
			return writeConventions(cmd.OutOrStdout())
		},
	}
	formatFlag(command.Flags(), &format)
	command.AddCommand(newConventionsConvert())
	return command
}

func conventionNames() (names []string) {
	for _, c := range conventions.All() {
		names = append(append(names, c.Name), c.Aliases...)
	}
	return names
}

// differencesWidth is the width of the column of differences, for lines of at most 120 columns.
const differencesWidth = 36

func writeConventions(w io.Writer) error {
	table := texttable.New("name", "hash", "bits", "what differs", "system")
	for _, c := range conventions.All() {
		differs := texttable.Wrap(strings.Join(c.Differences(), ", "), differencesWidth)
		system := texttable.Wrap(systemOf(c), differencesWidth)
		name := strings.Join(append([]string{c.Name}, c.Aliases...), "\n")
		table.AppendRow(texttable.Row{name, c.Hash, c.FingerprintBits(), strings.Join(differs, "\n"), strings.Join(system, "\n")})
	}
	_, err := fmt.Fprintln(w, texttable.Render(table))
	return err
}

// systemOf returns the name of the system, and whether it computes features of texts.
func systemOf(c conventions.Convention) string {
	if c.HasTexts() {
		return c.System + "; texts too"
	}
	return c.System
}

// jsonConvention is a convention in JSON output.
type jsonConvention struct {
	Name        string   `json:"name"`
	Aliases     []string `json:"aliases,omitempty"`
	System      string   `json:"system"`
	Hash        string   `json:"hash"`
	Framing     string   `json:"framing"`
	Bits        int      `json:"bits"`
	Vote        string   `json:"vote"`
	Weights     string   `json:"weights"`
	Order       string   `json:"order"`
	Tie         string   `json:"tie"`
	BitOrder    string   `json:"bit_order"`
	Inverted    bool     `json:"inverted"`
	Empty       string   `json:"empty"`
	Texts       bool     `json:"texts"`
	Differences []string `json:"differences"`
}

func writeConventionsJSON(w io.Writer) error {
	var list []jsonConvention
	for _, c := range conventions.All() {
		list = append(list, jsonConvention{
			Name: c.Name, Aliases: c.Aliases, System: c.System, Hash: c.Hash, Framing: cmp.Or(c.Framing, "plain"), Bits: c.FingerprintBits(), Vote: voteOf(c),
			Weights: c.Weights.String(), Order: c.Order.String(), Tie: c.Tie.String(), BitOrder: cmp.Or(c.BitOrder, "number"), Inverted: c.Inverted, Empty: cmp.Or(c.Empty, "as ties"),
			Texts: c.HasTexts(), Differences: c.Differences(),
		})
	}
	return jsonout.Write(w, list)
}

// voteOf describes how codes and weights become bits.
func voteOf(c conventions.Convention) string {
	if c.Weights == conventions.Python {
		return "half-of-total"
	}
	return "signed"
}

// conversionFlags are the flags of fphash conventions convert.
type conversionFlags struct {
	from, to, format, out string
	bits                  int
	decimal               bool
}

func newConventionsConvert() *cobra.Command {
	var f conversionFlags
	command := &cobra.Command{
		Use:   "convert [FILE]",
		Short: "Label fingerprints with their convention, or convert them to another one",
		Long: `convert reads fingerprints from FILE or standard input, one per line: the fingerprint as
its system shows it (in hexadecimal, or with --decimal as a number), a tab and an id. It
writes them with the name of their convention, so that dedup and other commands refuse to
compare them with fingerprints of another convention.

With --to, convert changes them to another convention if that is exact: if it has the same
hash, and differs in inversion, bit order or a smaller width. Otherwise convert says what
cannot be undone, and exits with 2.`,
		Example: `  fphash conventions convert old.tsv --from mfonda --format jsonl --out archive.jsonl
  fphash conventions convert old.tsv --from 1e0ng-64 --decimal \
      --format csv --out archive.csv
  fphash conventions convert wide.tsv --from 1e0ng-128 --to 1e0ng-64`,
		Args: cobra.MaximumNArgs(1),
		RunE: f.run,
	}
	flags := command.Flags()
	suggestion(flags, &f.from, "from", "", "convention of the input (see fphash conventions)", conventionNames())
	suggestion(flags, &f.to, "to", "", "convention of the output (default: that of the input)", conventionNames())
	flags.IntVar(&f.bits, "bits", 0, "width of the input (default: that of the convention)")
	flags.BoolVar(&f.decimal, "decimal", false, "fingerprints are decimal numbers")
	choice(flags, &f.format, "format", "text", "format of the output: %s", []string{"text", "jsonl", "csv", "parquet"})
	outFlag(flags, &f.out)
	return command
}

func (f *conversionFlags) run(cmd *cobra.Command, args []string) error {
	if f.from == "" {
		return errors.New("expected --from with the convention of the fingerprints: see fphash conventions")
	}
	from, err := conventions.Lookup(f.from)
	if err != nil {
		return err
	}
	if f.bits > 0 {
		from.Bits = f.bits
	}
	to := from
	if f.to != "" {
		if to, err = conventions.Lookup(f.to); err != nil {
			return err
		}
	}
	conversion, err := conventions.NewConversion(from, to)
	if err != nil {
		return err
	}
	written, err := conventions.New(to)
	if err != nil {
		return err
	}
	path, stream, err := openStream(cmd.Context(), args, cmd.InOrStdin())
	if err != nil {
		return err
	}
	defer stream.Close()
	return writeTo(f.out, cmd.OutOrStdout(), func(w io.Writer) error {
		buffered := bufio.NewWriterSize(w, 64<<10)
		out, err := newFingerprintWriter(f.format, buffered, written)
		if err == nil {
			err = f.convert(cmd.Context(), inputName(path), stream, from, conversion, out)
		}
		if err == nil {
			err = out.End()
		}
		err = cmp.Or(err, buffered.Flush())
		return err
	})
}

// longestFingerprint limits the bytes of a line, which has a fingerprint of up to 4096 bits in
// decimal digits, and an id.
const longestFingerprint = 1 << 20

// convert converts all lines.
func (f *conversionFlags) convert(ctx context.Context, name string, stream io.Reader, from conventions.Convention, conversion *conventions.Conversion, out fingerprints.Writer) error {
	reader := textlines.NewReader(stream, longestFingerprint)
	var converted []uint64
	for {
		line, err := reader.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, reader.Number(), err)
		}
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		digits, id, ok := bytes.Cut(line, []byte("\t"))
		if !ok {
			return fmt.Errorf("%s:%d: expected a fingerprint, a tab and an id, not %.60q", name, reader.Number(), line)
		}
		old, err := f.parse(digits, from.FingerprintBits())
		if err == nil {
			converted, err = conversion.Append(converted[:0], old)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, reader.Number(), err)
		}
		r := fingerprints.Record{ID: id, Fingerprint: converted, Informative: fingerprints.Informative(converted, 64*len(converted))}
		if err := out.Write(r); err != nil {
			return err
		}
	}
}

// parse parses a fingerprint of this width.
func (f *conversionFlags) parse(digits []byte, bits int) ([]uint64, error) {
	if !f.decimal {
		return fingerprints.ParseDigits(digits, bits)
	}
	number, ok := new(big.Int).SetString(string(digits), 10)
	if !ok || number.Sign() < 0 || number.BitLen() > bits {
		return nil, fmt.Errorf("fingerprint %.80q: expected a decimal number of at most %d bits", digits, bits)
	}
	return fphash.ParseHex(fmt.Sprintf("%0*x", (bits+3)/4, number), bits)
}
