package indexfile

import (
	"fmt"
	"math"

	"github.com/cespare/xxhash/v2"
)

// checkBlock holds a block to its checksum, and the numbers in it to their ranges.
func (b *base) checkBlock(block int) error {
	from, to := b.block(block)
	return b.header.checkBlock(from, to, b.mapped[from:to], b.sums[block])
}

// block returns where a block begins and ends.
func (h *header) block(i int) (from, to int64) {
	from = h.dataFrom() + int64(i)*blockBytes
	return from, min(from+blockBytes, h.dataTo)
}

func (h *header) checkBlock(from, to int64, data []byte, sum uint64) error {
	if xxhash.Sum64(data) != sum {
		return &Damage{from, to - from, fmt.Sprintf("the checksum of a block of %d bytes is wrong", to-from)}
	}
	for _, s := range h.sections {
		begin, end := max(from, s.offset), min(to, s.offset+s.size)
		if begin >= end {
			continue
		}
		most := uint64(math.MaxUint64)
		switch s.kind {
		case sectionPositions:
			most = h.entries - 1
		case sectionStarts:
			screens, _ := h.find(sectionScreens, s.table)
			most = uint64(screens.size / 4)
		case sectionTextEnds:
			texts, _ := h.find(sectionTexts, 0)
			most = uint64(texts.size)
		default:
			continue
		}
		if err := inRange(data[begin-from:end-from], s.kind == sectionTextEnds, most); err != nil {
			return &Damage{begin, end - begin, err.Error()}
		}
	}
	return nil
}

func inRange(data []byte, wide bool, most uint64) error {
	if wide {
		for _, x := range numbers[uint64](data) {
			if x > most {
				return fmt.Errorf("a number is %d, expected at most %d", x, most)
			}
		}
		return nil
	}
	for _, x := range numbers[uint32](data) {
		if uint64(x) > most {
			return fmt.Errorf("a number is %d, expected at most %d", x, most)
		}
	}
	return nil
}
