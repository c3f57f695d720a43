// Package gobench holds the packages that work on any Go benchmark. Package ab runs two programs in
// turn and judges them, compare judges files of results, resultfile and benchname read files and
// names. They import nothing of this module but internal packages, which a test checks, so that
// gobench can become a module of its own.
package gobench
