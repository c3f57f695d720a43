package fphash

// RaceDetector reports whether the race detector is on.
const RaceDetector = raceDetector
