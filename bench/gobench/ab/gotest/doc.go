// Package gotest makes tasks for package ab of the benchmarks of Go packages, at two git revisions
// or in a working tree as it is.
//
// A revision is checked out into a git worktree in a temporary folder, so the user's files are
// never touched. Test binaries are built there by go test -c and run in the folder of their
// package, as go test does, one benchmark a process. They are built with -trimpath, so that the
// same source gives the same bytes wherever it is built: otherwise the length of a folder's name
// moves code about.
//
// Runs have a fixed number of iterations, the same on both sides. go test's own search for the
// number that fills a duration costs up to three times what it measures, and may end with another
// one in every process.
package gotest
