// Package settings chooses features, weights, sketch, width and threshold k for near-duplicate
// texts, by trying some on a sample of them.
//
// Each setting is measured on copies of sampled texts in which 1, 3, 5 and 10% of the words are
// replaced, and on the pairs of the sample: near are those that share so much of their runs of
// three words (Options.Jaccard), strangers those that share less than half of that, and less than
// half of their words. k is the smallest that finds as much as any, among those that take at most
// ten of a million pairs of strangers for near. No clock decides: the same texts, options and seed
// have the same answer on every machine.
package settings
