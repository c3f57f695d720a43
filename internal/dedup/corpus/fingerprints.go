package corpus

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"math"
	"path/filepath"

	"simhashkit/dedup"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/bytesize"
	"simhashkit/internal/scratch"
)

// DefaultMemory is the default memory limit of a comparison.
const DefaultMemory = 4 << 30

// besideWords is the number of bytes that a comparison in memory needs for each record, in addition
// to the words of its fingerprint; 8 are for a hash of its id.
const besideWords = 48

// besideCopies is the number of further bytes, in addition to a second copy of the words, if
// fingerprints are wide or k is large. The join then processes identical fingerprints separately.
const besideCopies = 28

// leastOnDisk is the least memory of a comparison on disk, in bytes.
const leastOnDisk = 64 << 20

// fingerprints collects the fingerprints of all records of a run, in memory or, if they exceed the
// limit, in a file.
type fingerprints struct {
	run     *Run
	records *dedup.Records
	each    int64         // bytes in memory for each record
	most    int           // largest number of records for a comparison in memory
	file    *scratch.File // nil: all fingerprints are in memory
	w       *bufio.Writer
	entry   []uint64 // record number and words
}

func (r *Run) newFingerprints(name string) *fingerprints {
	f := &fingerprints{run: r, records: &dedup.Records{Name: name}}
	f.records.Set.Bits, f.records.Set.Definition = r.Source.Bits(), r.Source.Hash()
	stride := f.records.Set.Stride()
	f.entry = make([]uint64, 1+stride)
	each := besideWords
	if stride > 1 || r.Spec.Similarity > 0 || r.Spec.K > 3 {
		each += besideCopies + stride*8
	}
	f.each = int64(each + stride*8)
	f.most = int(min(r.memory()/f.each, math.MaxInt))
	return f
}

func (r *Run) memory() int64 {
	if r.Memory > 0 {
		return r.Memory
	}
	return DefaultMemory
}

func (f *fingerprints) add(r Record) error {
	if f.file == nil && f.records.Set.Len() < f.most {
		f.records.Add(nil, r.Fingerprint, r.Informative)
		return nil
	}
	if f.file == nil {
		if err := f.spill(); err != nil {
			return err
		}
	}
	if r.Informative {
		if err := f.put(uint64(f.records.Len()), r.Fingerprint); err != nil {
			return err
		}
	}
	f.records.Count(r.Informative)
	return nil
}

// spill creates the file and moves the fingerprints from memory to it.
func (f *fingerprints) spill() (err error) {
	set := &f.records.Set
	if f.file, err = scratch.NewIn(filepath.Join(f.run.Folder, kept)); err != nil {
		return f.failed(err)
	}
	f.w = bufio.NewWriterSize(f.file, 1<<20)
	for i := range set.Len() {
		if err := f.put(set.ID(i), set.At(i)); err != nil {
			return err
		}
	}
	set.Words, set.IDs = nil, nil
	return nil
}

func (f *fingerprints) put(record uint64, words []uint64) error {
	f.entry[0] = record
	copy(f.entry[1:], words)
	return f.failed(binary.Write(f.w, binary.LittleEndian, f.entry))
}

func (f *fingerprints) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("fingerprints of more documents than %s of memory can compare need some %d bytes each on disk: %w", bytesize.Size(f.run.memory()), f.bytesOnDisk(1), err)
}

// bytesOnDisk returns the disk space for n fingerprints, in this file and in that of the join.
func (f *fingerprints) bytesOnDisk(n int) int64 { return 2 * 8 * int64(n) * int64(len(f.entry)) }

// find finds near-duplicates among the added fingerprints.
func (f *fingerprints) find(ctx context.Context, options dedup.Options) (*dedup.Result, error) {
	if f.file == nil {
		return dedup.Find(ctx, f.records, options)
	}
	if err := f.w.Flush(); err != nil {
		return nil, f.failed(err)
	}
	n := f.records.Len() - f.records.WithoutFingerprint()
	f.run.notice("the fingerprints of %d documents are compared on disk, since a comparison in memory needs more than %s; it uses %s of temporary files in %s",
		n, bytesize.Size(f.run.memory()), bytesize.Size(f.bytesOnDisk(n)), filepath.Join(f.run.Folder, kept))
	options.External = &join.External{Source: f.source, Folder: filepath.Join(f.run.Folder, kept), Memory: max(f.run.memory()-int64(n)*5, leastOnDisk)}
	result, err := dedup.Find(ctx, f.records, options)
	if err != nil && ctx.Err() == nil {
		err = f.failed(err)
	}
	return result, err
}

// source yields the fingerprints in the file.
func (f *fingerprints) source() iter.Seq2[join.Record, error] {
	return func(yield func(join.Record, error) bool) {
		r := bufio.NewReaderSize(io.NewSectionReader(f.file, 0, 1<<62), 1<<20)
		entry, packed := make([]uint64, len(f.entry)), make([]byte, 8*len(f.entry))
		var data any = entry // converted once, since that allocates
		for {
			_, err := io.ReadFull(r, packed)
			if err == nil {
				_, err = binary.Decode(packed, binary.LittleEndian, data)
			}
			if err == io.EOF || !yield(join.Record{ID: entry[0], Words: entry[1:]}, err) || err != nil {
				return
			}
		}
	}
}

func (f *fingerprints) close() {
	if f.file != nil {
		_ = f.file.Close() // an error does not matter: the file is temporary
	}
}
