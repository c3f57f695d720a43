// Package paired tests from runs of two sides, taken in turn, whether one is slower, and says so as
// soon as that is clear.
//
// A [Test] is one comparison: one benchmark, one unit. A round is one process run of each side, one
// right after the other, in an order that a fair coin decides. A run gives one figure, such as the
// median of its samples. [Test.Add] adds a round, [Test.Look] says whether it decides the
// comparison, and [Test.Last] what is known when time is up.
//
// # The test
//
// If nothing has changed, the two runs of a round could as well have been called the other way
// round. The coin makes that so, whatever drift, outliers, autocorrelation or modes there are; no
// model of the noise is needed. The statistic is the sum of the ranks of new among all runs of both
// sides. Its distribution is that of the same figures exchanged within rounds by coins, in all 2^n
// ways: computed exactly up to some 200 rounds, normal beyond. It is the rank sum test for paired
// data of F. C. T. Lam and M. T. Longnecker (A modified Wilcoxon rank sum test for paired data,
// Biometrika 70, 1983) with the distribution of a permutation test.
//
// Wilcoxon's signed-rank test, the usual one for pairs, is as exact, but sees only differences
// within rounds. Where a process is fast or slow for as long as it lives, those are large in every
// other round. Of the recorded benchmark that has the most of that, 6% slower, at a level of 0.1%
// and 75 rounds, the signed-rank test found 40 of 100, the sign test 90, this one 100. Where rounds
// have a common drift that is much more than the noise, the signed-rank test finds more (6% slower,
// a level of 0.5%, a drift of 30% over 75 rounds: 94% against 93% with normal noise of 8%, 45%
// against 35% with modes that are 25% apart; without drift it is 45% against 83% there).
//
// The estimate is the median of the differences of all new from all old runs (J. L. Hodges, E. L.
// Lehmann, Estimates of location based on rank tests, 1963). The interval holds the shifts that the
// test does not reject. Both are of logarithms, since times and rates are compared by ratios; where
// a figure is not positive, of plain differences relative to the median of old.
//
// # Early stopping
//
// Testing at 2% again and again finds something in the end. So there are looks at certain numbers
// of rounds only, each with a part of alpha that is fixed beforehand: a half is kept for the last
// look, whose time is not known, and the k-th of the others has 1/(k(k+1)) of the rest. The
// probability of any false alarm is at most the sum, however the looks depend on each other. A P is
// scaled by the share of its look, to be compared with the whole alpha.
//
// A comparison is decided by a change that is significant with an estimate beyond the threshold, or
// by an interval of 95% within the threshold. The second hides little: a change of twice the
// threshold would have to lie outside of the interval by at least half of its width. Alpha is that
// of one comparison: for m comparisons, divide it by m.
//
// # What that is worth
//
// Measured on 41 runs of one program, 51 benchmarks, with rounds drawn from them, a threshold of
// 3%, and an alpha of 2% for a single comparison or for 51 of them (TestRecordedRuns; 2,000
// comparisons for 75 rounds, 300 for the others). Rounds are the mean number until the decision.
//
//	                nothing changed                  6% slower          10% slower
//	at most         alarms   no change   rounds      found   rounds     found   rounds
//	 1 × 20 rounds    0.0%       97.0%      8.0       98.7%      9.4      99.7%      9.2
//	 1 × 30           0.0%       99.7%      8.1      100.0%      9.6     100.0%      9.3
//	 1 × 75           0.0%      100.0%      8.1      100.0%      9.9     100.0%      9.5
//	51 × 20           0.0%       97.0%      7.8       97.3%     15.5      98.0%     15.1
//	51 × 30           0.0%       99.0%      8.0       99.3%     15.7      98.7%     15.3
//	51 × 75           0.0%      100.0%      8.2      100.0%     16.3     100.0%     15.9
//
// Of the 11 benchmarks alone whose runs differ by a standard deviation of 1% or more, 75 rounds
// found 429 and 428 of 429 slowdowns of 6%, with alpha for 1 and for 51. No slowdown was taken for
// no change. None of 200 unchanged runs of all 51 benchmarks raised an alarm. One file of 10
// samples a side and benchstat's p < 0.05, which is what most people do, called a change in 22.4%
// of the comparisons in which there was none, and found 97.0% and 98.5%.
//
// Rounds drawn from recorded runs leave out what one machine does to the next process; the whole
// command is measured with that.
package paired
