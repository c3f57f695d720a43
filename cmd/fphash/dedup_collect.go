package main

import (
	"cmp"
	"fmt"

	"simhashkit/dedup"
	"simhashkit/dedup/fingerprints"
)

// collector is a fingerprints.Writer that keeps what is written, or passes it on.
type collector struct {
	records *dedup.Records
	input   *dedupInput
}

func (c *collector) Write(r fingerprints.Record) error {
	c.records.Add(r.ID, r.Fingerprint, r.Informative)
	c.input.sizes.Add(r.Features)
	if c.records.Len()%4096 == 0 {
		c.input.show(c.records.Len())
	}
	return c.records.Pass(c.input.take)
}

func (c *collector) End() error { return nil }

// show tells how many records have been read.
func (d *dedupInput) show(n int) {
	if d.quiet {
		return
	}
	d.progress.show(func() string {
		return fmt.Sprintf("%s  %d records  %.0f records/s", cmp.Or(d.doing, "reading"), n, float64(n)/d.progress.now().Sub(d.began).Seconds())
	})
}
