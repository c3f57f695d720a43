// Package filter finds near-duplicates in a pipeline of programs with a sort between them. It reads
// and writes the lines of fphash blocks and fphash pairs; README.md describes them.
package filter
