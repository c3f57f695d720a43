//go:build !race

package fphash

const raceDetector = false
