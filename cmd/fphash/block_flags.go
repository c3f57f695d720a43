package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/blocks"
)

// blockFlags define the blocks of a fingerprint. fphash blocks and fphash pairs must be given the
// same ones.
type blockFlags struct {
	k, bits int
	tables  string
	recall  fraction
	keyBits int
	changed func(flag string) bool
}

func (b *blockFlags) register(flags *pflag.FlagSet) {
	flags.IntVarP(&b.k, "k", "k", 0, "largest distance in bits (default 3 of 64, in proportion)")
	flags.StringVar(&b.tables, "tables", "", "cut into BLOCKS and join each CHOOSE of them to a key (default k+1,1)")
	flags.Var(&b.recall, "recall", "use random keys that find this `share` of the pairs at distance k")
	flags.IntVar(&b.keyBits, "key-bits", 16, "bits of the keys of --recall")
	flags.IntVar(&b.bits, "bits", 0, "width of the fingerprints (default: as the file says, or 4 per digit)")
	b.changed = flags.Changed
}

// make returns the tables for fingerprints of this width.
func (b *blockFlags) make(bits int) (*blocks.Tables, error) {
	k := b.k
	if !b.changed("k") {
		k = dedup.DefaultK(fphash.SimHash, bits) // pairs, which asks for the same, is told of no sketch
	}
	if k < 0 || k >= bits {
		return nil, fmt.Errorf("--k %d: expected 0 to %d, less than the %d bits of the fingerprints", k, bits-1, bits)
	}
	if b.changed("recall") {
		tables, err := blocks.Draw(bits, k, float64(b.recall), b.keyBits, 0)
		if err != nil {
			err = fmt.Errorf("--recall %v: %w", float64(b.recall), err)
		}
		return tables, err
	}
	design, err := b.design()
	if err != nil {
		return nil, err
	}
	tables, err := blocks.New(bits, k, design)
	if err != nil && b.tables != "" {
		err = fmt.Errorf("--tables %s: %w", b.tables, err)
	}
	return tables, err
}

// design parses --tables. It returns the zero design for the default.
func (b *blockFlags) design() (index.Design, error) {
	d, err := blocks.ParseDesign(b.tables)
	if err != nil {
		err = fmt.Errorf("--tables %s: %w", b.tables, err)
	}
	return d, err
}

// check refuses flags that are invalid for all fingerprints.
func (b *blockFlags) check() error {
	if b.k < 0 {
		return fmt.Errorf("--k %d: expected 0 or more", b.k)
	}
	if b.bits < 0 || b.changed("bits") && b.bits == 0 {
		return fmt.Errorf("--bits %d: expected 1 or more", b.bits)
	}
	if b.changed("recall") && b.tables != "" {
		return errors.New("expected --recall or --tables: one draws the bits of keys, the other cuts blocks")
	}
	if b.changed("key-bits") && !b.changed("recall") {
		return errors.New("--key-bits goes with --recall")
	}
	_, err := b.design()
	return err
}
