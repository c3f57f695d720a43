// Package gobench is the place of what works on any Go benchmark: verdicts on results (packages
// compare and store) and on runs (package ab), and the files and names that they share (resultfile,
// benchname). None of it knows the kit, so that it can become a module of its own one day; a test
// holds that.
package gobench
