// Package advice turns rows of results into what people ask for: which hash to use, what is wrong
// with the others, and whether what tutorials say about hashes is true.
//
// It measures nothing: every figure is that of a row, and says which. [Choices] sets the quality of
// each hash beside its cost in the same run, [Recommend] says in words what to use on a data set,
// [Folklore] judges claims.
package advice
