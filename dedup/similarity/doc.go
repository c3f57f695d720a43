// Package similarity says how similar two texts are, and selects the texts of a group that are
// similar to no text before them.
//
// # What is measured
//
// A text is its sequence of words: letters and digits in any case. Punctuation and white space do
// not count, and each character of a script without spaces between words, such as Chinese or Thai,
// is a word. The similarity of two texts is
//
//	S(a, b) = LCS(a, b) / max(|a|, |b|)
//
// where LCS is the length of the longest common subsequence: the most words that both texts have in
// the same order, with any other words between them. S = 0.9 means that nine of ten words of the
// longer text stand in the other one, in the same order.
//
// Two examples:
//
//	I would recommend this film      5 words
//	I would not recommend this film  6 words, 5 in common: S = 5/6 = 0.83
//
//	the dog bites the man            5 words
//	the man bites the dog            "the bites the" in common: S = 3/5 = 0.6
//
// The longer text is the denominator so that one word more counts as much as one word changed. A
// text without any word, such as "***", equals only texts of the same bytes. An empty text is
// similar to none.
//
// # What is not found
//
// A quotation within a longer text is not similar to that text. Nor are
// translations, paraphrases, the same passages in another order, or texts that spell most words
// differently.
//
// # Cost
//
// Comparer.AtLeast rejects most pairs in linear time, because their lengths or the words they share
// cannot reach the threshold. Other pairs cost up to n²·(1-S)/64 steps for n words; words that are
// rare in a text take far fewer. Memory is about 50 bytes a word of the longer text.
//
// Selector compares a text with the kept texts that share some of its rarest words, not with all of
// them, and still misses no similar text. Memory is 44 bytes for each kept text and about 16 bytes
// for each of its keys: (1-s)·n + 1 keys for n words, and at most 2n. The words of kept texts stay
// with the caller.
//
// Words are compared by hashes of 64 bits, and equal texts are found by hashes, too.
//
// # Sources
//
// Bit-parallel LCS: Crochemore, Iliopoulos, Pinzon, Reid, A fast and practical bit-vector
// algorithm for the longest common subsequence problem, IPL 2001; Hyyrö, Bit-parallel LCS-length
// computation revisited, AWOCA 2004. The diagonal band: Ukkonen, Algorithms for approximate string
// matching, 1985. Prefix filter: Chaudhuri, Ganti, Kaushik, A primitive operator for similarity
// joins in data cleaning, ICDE 2006; Bayardo, Ma, Srikant, Scaling up all pairs similarity search,
// WWW 2007; Xiao, Wang, Lin, Yu, Efficient similarity joins for near duplicate detection, WWW
// 2008. Prefixes that share several words: Wang, Li, Feng, Can we beat the prefix filtering?,
// SIGMOD 2012. The bitmap filter: Sandes, Teodoro, Melo, Bitmap filter: speeding up exact set
// similarity joins, 2020.
package similarity
