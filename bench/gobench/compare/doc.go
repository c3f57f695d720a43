// Package compare compares benchmark results and says what got worse, so that a build may fail by
// it.
//
// It reads the Go benchmark format and groups results by the projections of benchstat. It says
// which differences are regressions, and what could not be compared: missing evidence is never
// taken for no change. Columns show benchstat's medians, moved apart around their middle as the
// judged change says.
//
// # Exact and statistical units
//
// A unit that the file declares exact ("Unit recall assume=exact") has no noise. One sample is
// enough, and any loss is a regression. Values that agree to one unit of the eighth digit are
// equal, since files have eight. All other units are statistical and want [MinSamples] samples a
// side.
//
// A unit that is declared judge=no ("Unit heap-bytes judge=no") is shown without a verdict: one
// sample of what has noise says nothing. The direction comes from the file too ("Unit recall
// better=higher"). Without it less time, memory and allocations are better, and more of anything
// per second. A unit without a direction that has changed is a gap.
//
// # What counts as a regression
//
// A regression is a change for the worse that is significant and whose estimate is beyond the
// threshold. To ask that the whole interval lie beyond the threshold would take several times as
// many samples to find a change of twice the threshold, and would not lower the rate of false
// alarms.
//
// The estimate is the difference of 20% trimmed means of logarithms (of the values themselves where
// some are not positive, relative to the old mean). The test is Yuen's extension of Welch's t test
// to trimmed means (K. K. Yuen, The two-sample trimmed t for unequal population variances,
// Biometrika 61, 1974). benchstat's U test has no power left for a correction: with 8 samples a
// side its least p is 1/6435, which is not enough for 140 benchmarks.
//
// P values are adjusted by Holm's method over all comparisons with noise (S. Holm, A simple
// sequentially rejective multiple test procedure, 1979): a single false alarm fails a build, so the
// family-wise error must be held, not the share of false discoveries. [DefaultAlpha] then bounds
// the probability of any false alarm in a whole comparison, as far as samples tell of the noise.
// Each interval is of 95%.
//
// # Noise that is not independent
//
// Samples of one process resemble each other: code and data stay where they lie until the process
// ends, and load comes in stretches. Two things account for that.
//
// Runs: lines that end or begin a run of a program (goos:, pkg:, PASS, ok, "# date:", the end of a
// file) cut a file into process runs. Where a benchmark has several, each counts once, by its
// trimmed mean; the larger of the variances between and within runs is used. With fewer than
// [EnoughRuns] runs a side the spread between them is not known well, and [DefaultRunNoise] is
// added to the standard error. With fewer than [MinRuns], a change beyond the threshold is unclear
// unless it is beyond [PlacementChange], more than placement in memory and drift have been seen to
// do; Row.Withheld has the verdict that the figures would have had. With Strict it is a gap, too.
// Constants, and what a program allocates, do not depend on placement.
//
// Stretches: with a single run, samples whose first autocorrelation is significant count for as
// many as first-order autoregression leaves of them.
//
// # What that is worth
//
// Measured on 41 runs of one program, 51 benchmarks of 10 samples each, on a virtual machine with
// two shared cores (testdata/runs.txt.gz). That many runs were drawn to each side, all 51 compared,
// and then one of them made slower; 1,000 comparisons a line, of which TestRunsOfOneProgram repeats
// 300.
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
// alarm in 94% to 96% of the comparisons, with any number of runs.
//
// The alarms of a single run are no flaw of the test. 12 of the 51 benchmarks differ from process
// to process by a standard deviation of 1% to 12%, with extremes of 1.25 and 1.39 times the time,
// for as long as the process lives. No number of samples from one process can show that. Of the
// other 39 there was no false alarm in 4,000 comparisons, and from 6 runs on more than 96% of
// slowdowns of 6% were found, and 99% of those of 10%.
//
// The last line is 2,000 comparisons of 20 samples a side, drawn from all recorded ones less what
// differs between processes: the test alone, of all 51 (TestSimulatedFalseAlarms).
//
// # Other tests
//
// [Options].Judge puts another test in the place of this one, for samples that were taken for each
// other: package ab runs two sides in turn, so that what disturbs one disturbs both. Everything
// else, from gaps to writers, stays the same.
package compare
