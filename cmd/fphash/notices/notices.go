// Package notices holds the licences and notices of all that is linked into fphash: modules, and the
// dictionaries, stop words and tables that they embed.
package notices

import _ "embed"

//go:generate go run ./generate

// Text is the file notices.txt, which package generate writes: a heading for each module with its
// version, and below it the files that its licence asks to be passed on.
//
//go:embed notices.txt
var Text string
