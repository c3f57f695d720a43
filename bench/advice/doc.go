// Package advice turns benchmark results into advice: which hash to use, and what is wrong with the
// others.
//
// It measures nothing: every figure is that of a row, and says which. [Recommend] decides which
// hash to use and why, by rules that are the same wherever the answer is shown:
//
//   - Choices, each a hash with an encoding and a width, are compared at one width, the one that
//     most rows of quality have.
//   - A choice is weak if one of its cases is, and good if all are. A case that failed is
//     undecided. A good one is recommended only if it was measured in all usual cases, those that
//     at least half of the choices were measured in; if no good one was, those that lack some are.
//   - Good on the vectors that are asked about but weak on others is recommended only where nothing
//     else is.
//   - The default is kept unless it is weak, or another good one is clearly cheaper: it saves a
//     fifth of the time and more, in samples that were taken in turn, and its bits are not surely
//     worth fewer on any vectors. Of several that are as cheap, the first by the number of
//     instructions a key is recommended, not the least of noisy times.
//   - Where the default is undecided, another one takes its place only if its bits are surely worth
//     more, by intervals that are wider the more choices there are: of twenty hashes that are as
//     good, one is better by chance.
//   - Costs are times of the same thing in one run on one machine, each with its best kernel: of
//     whole sketches with f32 weights, or of hashing alone where that was timed for more of the
//     choices. Times on the vectors that are asked about come before all others.
package advice
