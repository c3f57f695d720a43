package main

import "simhashkit/dedup/fingerprints"

// binaryWriter writes the binary format, which has no ids.
type binaryWriter struct{ *fingerprints.BinaryWriter }

func (b binaryWriter) write(r record) error { return b.Write(r.fingerprint, r.mask) }

func (b binaryWriter) end() error { return b.End() }
