// Package text cuts texts into features: words, n-grams of words, n-grams of characters, and byte
// shingles.
//
// [New] makes an [Analyzer] from [Options], and [Analyzer.Append] appends the features of a text.
// Features are byte slices, to be hashed or to be counted and weighted first;
// [Analyzer.AppendIndices] returns the same features as numbers. Options can be written as text,
// such as "words,n=1,lang=auto,nfkc,fold", to be stored with fingerprints. Equal definitions give
// equal features in every program and with every Go toolchain: characters follow Unicode 15.0. Code
// points that it does not assign belong to no word and no language, and neither NFKC nor case
// folding changes them.
//
// # Words
//
// Words are those of Unicode's UAX #29 that contain a letter or a number: "don't", "3.14" and
// "foo_bar" are one word each, and punctuation and emoji are none. Scripts such as Chinese,
// Japanese, Thai, Lao, Khmer and Burmese have no spaces between words. There, every two
// neighbouring characters of a run are a word. This finds near-duplicates as well as true words and
// needs no dictionary. A run of one character is a word. The rule applies to each run, so a text in
// two languages has the words of both, and a foreign word does not change the others.
//
// Package text/zh cuts Chinese by dictionary. Importing it registers the language. It loads and
// uses its dictionary with lang=zh for all texts, and with lang=auto+zh for texts whose letters are
// mostly Chinese. [Analyzer.Choose] says which language a text is taken for, and why.
//
// # Normalization
//
// Words and characters are cut from valid UTF-8: each invalid byte becomes U+FFFD, which belongs to
// no word. To treat invalid UTF-8 as an error, check it when you read documents. Byte shingles use
// the bytes as they are, unless NFKC or Fold is set. NFKC, then case folding, are applied before
// cutting.
//
// For byte shingles and n-grams of characters, a run of ASCII white space is one space, and white
// space at the beginning and the end is removed. A text of fewer than N words, characters or bytes
// has no features.
package text
