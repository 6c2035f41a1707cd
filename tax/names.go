package tax

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// names are names of places, numbered from 1; 0 is no name. Several spellings can share one key, which is the number
// of the first of them. There are tens of thousands, and each process holds them: so they are kept without
// a table of small objects.
type names struct {
	spelled joined
	key     []uint16 // of each spelling
	folded  joined   // the common part of all spellings of one key, in ascending order
	sorted  []uint16 // the keys in the order of folded
}

// joined are texts, one after the other.
type joined struct {
	text string
	ends []uint32
}

func join(list []string) joined {
	j := joined{text: strings.Join(list, ""), ends: make([]uint32, len(list))}
	end := 0
	for i, s := range list {
		end += len(s)
		j.ends[i] = uint32(end)
	}
	return j
}

func (j *joined) at(i int) string {
	start := uint32(0)
	if i > 0 {
		start = j.ends[i-1]
	}
	return j.text[start:j.ends[i]]
}

// text is the spelling of a name.
func (n *names) text(i uint16) string { return n.spelled.at(int(i)) }

// of finds the key of a name that was folded; 0 when there is none.
func (n *names) of(folded []byte) uint16 {
	i := n.first(string(folded))
	if i < len(n.sorted) && n.folded.at(i) == string(folded) {
		return n.sorted[i]
	}
	return 0
}

// first is the position of the first folded name that is not before s.
func (n *names) first(s string) int {
	return sort.Search(len(n.sorted), func(i int) bool { return n.folded.at(i) >= s })
}

// mark marks the keys of the names that begin, when folded, as beginning does.
func (n *names) mark(marked []bool, beginning string) {
	for i := n.first(beginning); i < len(n.sorted) && strings.HasPrefix(n.folded.at(i), beginning); i++ {
		marked[n.sorted[i]] = true
	}
}

// nameBuilder collects names.
type nameBuilder struct {
	text   []string
	number map[string]uint16
	last   uint16 // the name added last: rows in order of ZIP repeat their county, and often their city
}

// newNameBuilder has room for so many names.
func newNameBuilder(most int) *nameBuilder {
	return &nameBuilder{text: append(make([]string, 0, most), ""), number: make(map[string]uint16, most)}
}

// add returns the number of a name.
func (b *nameBuilder) add(s string) uint16 {
	if s == b.text[b.last] {
		return b.last
	}
	if s == "" {
		return 0
	}
	i, ok := b.number[s]
	if !ok {
		i = uint16(len(b.text))
		s = strings.Clone(s)
		b.number[s] = i
		b.text = append(b.text, s)
	}
	b.last = i
	return i
}

// names are the names added, of which those that fold equally share a key.
func (b *nameBuilder) names(fold func([]byte, string) []byte) names {
	type spelling struct {
		folded string
		number uint16
	}
	list := make([]spelling, len(b.text))
	var buf []byte
	for i, s := range b.text {
		buf = fold(buf[:0], s)
		list[i] = spelling{string(buf), uint16(i)}
	}
	slices.SortFunc(list, func(x, y spelling) int {
		if c := strings.Compare(x.folded, y.folded); c != 0 {
			return c // without the other comparison, which hardly ever decides
		}
		return cmp.Compare(x.number, y.number)
	})
	n := names{spelled: join(b.text), key: make([]uint16, len(list)), sorted: make([]uint16, 0, len(list))}
	folded := make([]string, 0, len(list))
	for i, s := range list {
		if i == 0 || s.folded != list[i-1].folded {
			folded, n.sorted = append(folded, s.folded), append(n.sorted, s.number)
		}
		n.key[s.number] = n.sorted[len(n.sorted)-1]
	}
	n.folded, n.sorted = join(folded), slices.Clip(n.sorted)
	return n
}
