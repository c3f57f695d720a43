//go:build !race

package families_test

const raceDetector = false
