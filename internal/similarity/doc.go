// Package similarity computes the similarity of texts, and finds the texts of a group that may be
// similar to a text.
//
// # Definition
//
// A text is a sequence of words: letters and digits in any case. Punctuation and white space are
// ignored, and each character of a script without spaces between words, such as Chinese or Thai, is
// a word. If more than half of the words are such characters, each character of the other words is
// a word, too. Features returns this definition, also one in which each symbol is a word. The
// similarity of two texts is
//
//	S(a, b) = LCS(a, b) / max(|a|, |b|)
//
// where LCS is the length of the longest common subsequence: the largest number of words that occur
// in both texts in the same order, with any other words between them. S = 0.9 means that nine out
// of ten words of the longer text occur in the other text, in the same order.
//
// Two examples:
//
//	I would recommend this film      5 words
//	I would not recommend this film  6 words, 5 in common: S = 5/6 = 0.83
//
//	the dog bites the man            5 words
//	the man bites the dog            "the bites the" in common: S = 3/5 = 0.6
//
// The longer text is the denominator so that an additional word has the same effect as a changed
// word. A text without words, such as "***", is similar only to texts with the same bytes. An empty
// text is similar to no text.
//
// # Limits
//
// A few words can change the meaning of a text: numbers and negations. Traits show whether two
// texts differ in these, or in their symbols.
//
// A quotation within a longer text is not similar to that text. Nor are
// translations, paraphrases, the same passages in another order, or texts that spell most words
// differently.
//
// # Cost
//
// Comparer.AtLeast rejects most pairs in linear time, because their lengths or their common words
// rule out the threshold. Other pairs take up to n²·(1-S)/64 steps for n words, and far fewer if
// most words are rare in the text. Memory is about 50 bytes for each word of the longer text.
//
// Prefixes finds the texts of a group that share a rare word with a text, which all similar texts
// do. A text of n words has (1-s)·n + 1 rare words, with about 50 bytes each.
//
// Words and texts are compared by 64-bit hashes.
//
// # Sources
//
// Bit-parallel LCS: Crochemore, Iliopoulos, Pinzon, Reid, A fast and practical bit-vector
// algorithm for the longest common subsequence problem, IPL 2001; Hyyrö, Bit-parallel LCS-length
// computation revisited, AWOCA 2004. The diagonal band: Ukkonen, Algorithms for approximate string
// matching, 1985. Prefix filter: Chaudhuri, Ganti, Kaushik, A primitive operator for similarity
// joins in data cleaning, ICDE 2006; Bayardo, Ma, Srikant, Scaling up all pairs similarity search,
// WWW 2007; Xiao, Wang, Lin, Yu, Efficient similarity joins for near duplicate detection, WWW
// 2008. The bitmap filter: Sandes, Teodoro, Melo, Bitmap filter: speeding up exact set
// similarity joins, 2020.
package similarity
