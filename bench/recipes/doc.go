// Package recipes tests the recipes for CI beside it, which README.md explains.
package recipes
