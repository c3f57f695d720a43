package main

import (
	"fmt"
	"strings"
)

// counts is what fphash pairs --counts says of the blocks.
type counts struct{ lines, blocks, largest, split, inBlocks, pairs int64 }

// counts takes what the last stage has said of its blocks.
func (t *trip) counts() error {
	c := &counts{}
	_, said, _ := strings.Cut(t.said, "lines ")
	if _, err := fmt.Sscanf("lines "+said, "lines %d, blocks %d, largest %d, split on disk %d, pairs in blocks %d, pairs %d", &c.lines, &c.blocks, &c.largest, &c.split, &c.inBlocks, &c.pairs); err != nil {
		return fmt.Errorf("expected counts of lines, blocks and pairs, got %q: %w", t.said, err)
	}
	t.stages[len(t.stages)-1].blocks = c
	return nil
}
