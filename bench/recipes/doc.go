// Package recipes tests the recipes for CI in this folder, which README.md explains.
package recipes
