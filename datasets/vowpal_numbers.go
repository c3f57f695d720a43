package datasets

import (
	"bytes"
	"cmp"
	"slices"
)

// numbered finds numbers that stand in two namespaces of a line. It costs nothing while a line has
// one namespace.
type numbered struct {
	names [][]byte // of the namespaces that differ
	list  []numberedFeature
}

// numberedFeature is a feature whose name is a number.
type numberedFeature struct {
	index     uint64
	namespace int
	place     int
}

func (n *numbered) begin() { n.names, n.list = n.names[:0], n.list[:0] }

// namespace returns the number of a namespace, from 0.
func (n *numbered) namespace(name []byte) int {
	for i, other := range n.names {
		if bytes.Equal(name, other) {
			return i
		}
	}
	n.names = append(n.names, name)
	return len(n.names) - 1
}

func (n *numbered) add(index uint64, namespace, place int) {
	n.list = append(n.list, numberedFeature{index, namespace, place})
}

// find returns two features of the same number in different namespaces, in the order of the line.
func (n *numbered) find() (a, b numberedFeature, found bool) {
	if len(n.names) < 2 {
		return a, b, false
	}
	slices.SortFunc(n.list, func(a, b numberedFeature) int {
		return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.place, b.place))
	})
	for i := 1; i < len(n.list); i++ {
		if a, b = n.list[i-1], n.list[i]; a.index == b.index && a.namespace != b.namespace {
			return a, b, true
		}
	}
	return a, b, false
}
