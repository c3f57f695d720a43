// Package text splits texts into features: words, n-grams of words, n-grams of characters, and byte
// shingles.
//
// [New] makes an [Analyzer] from [Options], and [Analyzer.Append] appends the features of a text.
// Features are byte slices, ready for hashing, counting or weighting. [Analyzer.AppendIndices]
// returns the same features as numbers. Options have a text form, such as
// "words,n=1,lang=auto,nfkc,fold", which can be stored with fingerprints. Equal definitions give
// equal features in every program and with every Go toolchain, since characters follow Unicode
// 15.0. Code points not assigned in that version belong to no word and no language, and neither
// NFKC nor case folding changes them.
//
// # Words
//
// Words are the segments of Unicode's UAX #29 that contain a letter or a number: "don't", "3.14"
// and "foo_bar" are one word each; punctuation and emoji are not words. Scripts such as Chinese,
// Japanese, Thai, Lao, Khmer and Burmese have no spaces between words. In a run of such characters,
// every two neighbouring characters form a word; a single character is a word, too. These pairs
// find near-duplicates as well as true words do, and need no dictionary. The rule applies to each
// run, so a text in two languages has the words of both, and a foreign word does not change the
// others.
//
// Package text/zh splits Chinese text with a dictionary. Importing it registers the language. The
// dictionary applies to all texts with lang=zh.
//
// # Normalization
//
// Words and n-grams of characters are taken from valid UTF-8: each invalid byte becomes U+FFFD,
// which belongs to no word. To treat invalid UTF-8 as an error, check for it when reading
// documents. Byte shingles use the original bytes, unless NFKC or Fold is set. NFKC and then case
// folding are applied to the text before it is split.
//
// For byte shingles and n-grams of characters, each run of ASCII white space becomes one space, and
// white space at the beginning and the end is removed. A text of fewer than N words, characters or
// bytes has no features.
package text
