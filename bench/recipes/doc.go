// Package recipes holds recipes for comparing in CI: README.md, gate.sh and github.yml. There is no
// code in it but the tests that run them.
package recipes
