// Package gotest makes tasks of the benchmarks of Go packages, at two git revisions or in a working
// tree as it is.
//
// A revision is checked out into a git worktree in a temporary folder, so that the user's files are
// never touched. Test binaries are built there by go test -c and run in the folder of their
// package, as go test does, one benchmark a process. Binaries are built with -trimpath, so that two
// of the same source are the same, byte for byte, wherever they are built: else even the length of
// a folder's name moves code about.
//
// Runs have a fixed number of iterations, the same on both sides. The search of go test for the
// number that fills a duration costs up to three times what it measures, and may end with another
// one in every process.
package gotest
