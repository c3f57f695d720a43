// Package notices holds the licences and notices of everything that is linked into fphash: the
// modules, and the dictionary, stop words and tables in them.
package notices

import _ "embed"

//go:generate go run ./generate

// Text has a heading with path and version for each module, and below it the module's licence and
// notice files. Command generate writes it.
//
//go:embed notices.txt
var Text string
