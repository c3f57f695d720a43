// Package filter has the lines by which programs that are connected by pipes, with whatever sorts
// between them, find near-duplicates: what the commands fphash blocks and fphash pairs read and
// write. README.md has the formats.
package filter
