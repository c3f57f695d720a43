//go:build race

package fphash

// raceDetector reports that the race detector is on. Then sync.Pool randomly drops objects, so
// tests cannot count allocations.
const raceDetector = true
