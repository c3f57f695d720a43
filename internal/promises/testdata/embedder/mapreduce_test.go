package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"simhashkit/fphash"
)

// shards are the parts of a text. Each is counted by its own process.
var shards = []string{
	"to be or not to be that is the question whether tis nobler in the mind to suffer",
	"the slings and arrows of outrageous fortune or to take arms against a sea of troubles",
	"and by opposing end them to die to sleep no more",
}

// theKey is known to all processes. It is not written to files.
var theKey = []byte("thirty-two bytes that nobody sees")[:32]

func keyed(key []byte) (*fphash.Sketcher, error) {
	return fphash.New(fphash.Definition{Hash: "highway128", Bits: 100, Key: key})
}

// count adds the words of a text.
func count(a *fphash.Accumulator[int64], text string) error {
	for word := range strings.FieldsSeq(text) {
		if err := fphash.Add(a, 1, word); err != nil {
			return err
		}
	}
	return nil
}

// mapShard counts one shard, and writes the accumulator to a file. The argument is SHARD:FOLDER.
func mapShard(argument string) error {
	number, folder, _ := strings.Cut(argument, ":")
	shard, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	s, err := keyed(theKey)
	if err != nil {
		return err
	}
	a := fphash.NewAccumulator[int64](s)
	if err := count(a, shards[shard]); err != nil {
		return err
	}
	state, err := a.MarshalBinary()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, number+".accumulator"), state, 0o644)
}

// reduceShards merges the files of a folder, and prints the fingerprint.
func reduceShards(folder string) error {
	s, err := keyed(theKey)
	if err != nil {
		return err
	}
	total, part := fphash.NewAccumulator[int64](s), fphash.NewAccumulator[int64](s)
	for shard := range shards {
		state, err := os.ReadFile(filepath.Join(folder, fmt.Sprint(shard, ".accumulator")))
		if err != nil {
			return err
		}
		if err := errors.Join(part.UnmarshalBinary(state), total.Merge(part)); err != nil {
			return err
		}
	}
	fingerprint, _ := total.Append(nil)
	fmt.Println(fphash.Fingerprint(fingerprint).Hex(s.Bits()))
	return nil
}

// Accumulators that several processes wrote, merged by another process, give the same fingerprint
// as one pass over all words.
func TestMapAndReduceInProcesses(t *testing.T) {
	folder := t.TempDir()
	for shard := range shards {
		if out, _, err := process("map", fmt.Sprint(shard, ":", folder)); err != nil {
			t.Fatal(err, out)
		}
	}
	got, _, err := process("reduce", folder)
	if err != nil {
		t.Fatal(err, got)
	}
	s, err := keyed(theKey)
	if err != nil {
		t.Fatal(err)
	}
	once := fphash.NewAccumulator[int64](s)
	if err := count(once, strings.Join(shards, " ")); err != nil {
		t.Fatal(err)
	}
	fingerprint, _ := once.Append(nil)
	// It is the same on every machine.
	const want = "dbc8b98ffef8757f12e59436e"
	if hex := fphash.Fingerprint(fingerprint).Hex(100); got != want || hex != want {
		t.Errorf("reduced %s, in one pass %s, want %s", got, hex, want)
	}

	other, err := keyed(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	state, err := os.ReadFile(filepath.Join(folder, "0.accumulator"))
	if err != nil {
		t.Fatal(err)
	}
	if err := fphash.NewAccumulator[int64](other).UnmarshalBinary(state); !errors.Is(err, fphash.ErrMismatch) {
		t.Errorf("an accumulator with another key was accepted: %v", err)
	}
	if strings.Contains(string(state), string(theKey)) {
		t.Error("the file contains the key")
	}
}
