// Package recipes tests the recipes for comparing in CI that lie beside it: gate.sh, action.yml and
// github.yml, which README.md explains.
package recipes
