// Package compare compares benchmark results, such that a build may fail by the verdict.
//
// It reads the Go benchmark format of any tool and groups results by the projections of benchstat.
// It shows the same medians, moved apart around their middle as the judged change says. Beyond
// that it says which differences are regressions, and what could not be compared: an absence of
// evidence is never taken for the absence of a change.
//
// # Exact and statistical units
//
// A unit that the file declares exact ("Unit recall assume=exact") has no noise: one sample is
// enough, and whatever got worse, be it by a hair, is a regression. Values that agree to one unit
// of the eighth digit are equal, since files have eight. Everything else is statistical and wants
// [MinSamples] samples a side.
//
// A unit that is declared judge=no ("Unit heap-bytes judge=no") is shown beside the others, and no
// verdict follows from it: one sample of what has noise says nothing, and would be a gap in every
// comparison. benchstat skips what it does not know of a unit.
//
// The direction comes from the file too ("Unit recall better=higher"). Without metadata less time,
// memory and allocations are better, and more of anything per second. A unit without a direction
// that has changed is a gap: it cannot be judged.
//
// # Significant, and what matters
//
// A regression is a change for the worse that is significant and whose estimate is beyond the
// threshold. Asking that the whole confidence interval lie beyond the threshold would take several
// times as many samples to find a change of twice the threshold, and gain nothing where nothing has
// changed, which is where alarms are false.
//
// The estimate is the difference of 20% trimmed means of logarithms (of the values themselves where
// some are not positive, relative to the old mean), the test is Yuen's extension of Welch's t test
// to trimmed means (K. K. Yuen, The two-sample trimmed t for unequal population variances,
// Biometrika 61, 1974). benchstat's U test has no power to spare for a correction: with 8 samples a
// side it cannot give a p below 1/6435, which is not enough for 140 benchmarks. Medians are what is
// shown as old and new, as far apart as the change says.
//
// P values are adjusted by Holm's method over all comparisons with noise of the run (S. Holm, A
// simple sequentially rejective multiple test procedure, 1979), because a single false alarm fails
// a build: the family-wise error is to be held, not the share of false discoveries. So
// [DefaultAlpha] bounds, as far as samples tell of the noise (below), the probability of any false
// alarm in a whole comparison, however many benchmarks it has. Intervals are of 95% each.
//
// # Noise that is not independent
//
// Samples of one process resemble each other: code and data lie where they lie until the process
// ends, and a neighbour's load comes in stretches. Two things account for that.
//
// Runs: lines that end or begin a run of a program (goos:, pkg:, PASS, ok, "# date:", the end of a
// file) cut a file into process runs. Where a benchmark has several, each run counts once, by its
// trimmed mean, and its samples only make that more exact; the larger one of the variance between
// runs and of that within them is used. With fewer than [EnoughRuns] runs a side nobody can know
// the spread between them, and the standard error of a side is taken to be at least
// [DefaultRunNoise] more than its samples say. With fewer than [MinRuns] on either side that is not
// enough: what would be a change beyond the threshold is then unclear, and a gap, unless it is
// beyond [PlacementChange], more than placement in memory has been seen to do. Row.Withheld has the
// verdict that the figures would have had. Constants, and what a program allocates, do not depend
// on placement.
//
// Stretches: with a single run, samples whose first autocorrelation is significant count for as
// many as first-order autoregression leaves of them.
//
// # What that is worth
//
// Measured on 41 runs of one program, 51 benchmarks of 10 samples each, on a virtual machine with
// two shared cores (testdata/runs.txt.gz): drawn at random, that many runs to a side, all 51
// compared, and then one of them made slower; 1,000 comparisons a line, of which
// TestRunsOfOneProgram repeats 300.
//
//	                          any false alarm    a change withheld    6% found    10% found
//	 1 run a side                        0.0%                  76%        0.0%         0.1%
//	 1 run, gaps of runs accepted         47%                    -         77%          88%
//	 2 runs                              0.0%                 7.7%        0.0%         0.0%
//	 3 runs                              1.1%                    -         72%          80%
//	 6 runs                              0.2%                    -         81%          89%
//	10 runs                              0.1%                    -         93%          96%
//	20 samples, see below                0.0%                    -         99%         100%
//
// A gate on any p < 0.05 for the worse in what benchstat shows of the same samples raised a false
// alarm in 94% to 96% of the comparisons, with however many runs.
//
// So one run a side shows only what is far out, and says so: at least 3 are needed. The alarms that
// a single run would raise are no flaw of the test. 12 of the 51 benchmarks differ from process to
// process by a standard deviation of 1% to 12%, for as long as the process lives (extremes are 1.25
// and 1.39 times the time): no number of samples from one process can show that, and it is the same
// 12 that are hard to find slowdowns in. Of the other 39 alone there was no false alarm in 4,000
// comparisons, and from 6 runs on more than 96% of slowdowns of 6% were found, and 99% of those of
// 10%.
//
// The last line is 2,000 comparisons of 20 samples a side, drawn from all recorded ones less what
// differs between processes: the test alone, of all 51 (TestSimulatedFalseAlarms).
//
// # Who takes the samples knows more
//
// [Options].Judge puts another test in the place of this one, for samples that were taken for each
// other: package bench/ab runs two sides alternately, so that what disturbs one disturbs both.
// Everything else, from gaps to writers, stays the same.
package compare
