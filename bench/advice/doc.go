// Package advice turns rows of results into what people ask for: which hash to use, and what is
// wrong with the others.
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
//   - Of the good ones the cheapest is recommended, by times of the same thing in one run on one
//     machine, each with its best kernel: of whole sketches with f32 weights, or of hashing alone
//     where that was timed for more of the choices. Times on the vectors that are asked about come
//     before all others.
//   - As cheap as the best is what its noise cannot tell from it, if its median is not more than
//     half as long again. Too few samples for an interval cannot tell anything.
package advice
