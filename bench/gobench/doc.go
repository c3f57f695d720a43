// Package gobench holds the packages that work on any Go benchmark: compare and store judge
// results, ab judges runs, resultfile and benchname read files and names. They import nothing else
// of the kit, which a test checks, so that gobench can become a module of its own.
package gobench
