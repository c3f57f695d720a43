//go:build race

package families_test

// raceDetector reports that the race detector is on. Then sync.Pool randomly drops objects, so
// tests cannot count allocations.
const raceDetector = true
