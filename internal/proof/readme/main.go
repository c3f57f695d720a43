// Command readme writes the figures of README.md anew: the tables between the lines
// <!-- tables from FILE --> and <!-- end of tables --> show the result file that the first of them
// names, and those of rates the comparisons in a folder. From the root of simhashkit:
//
//	go run ./internal/proof/readme
package main

import "simhashkit/internal/proof/pages"

const name = "README.md"

var blocks = []pages.Block{{Name: "tables", Write: tables}, {Name: "rates", Write: rates}}

func main() { pages.Main(name, blocks) }
