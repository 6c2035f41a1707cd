package pdf

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// kind is what a part of the document is to a screen reader: its structure type (ISO 32000-1,
// 14.8.4) and its attributes (14.8.5), as the file has them.
type kind string

const (
	document   kind = "Document"
	headline   kind = "H1"
	subtitle   kind = "H2"
	paragraph  kind = "P"
	list       kind = "L /A <</O /List /ListNumbering /None>>" // of names with their values
	listItem   kind = "LI"
	itemName   kind = "Lbl"
	itemValue  kind = "LBody"
	table      kind = "Table"
	tableRow   kind = "TR"
	columnHead kind = "TH /A <</O /Table /Scope /Column>>"
	rowHead    kind = "TH /A <</O /Table /Scope /Row>>"
	tableCell  kind = "TD"
)

// structureType is the kind without its attributes.
func (k kind) structureType() string {
	name, _, _ := strings.Cut(string(k), " ")
	return name
}

// part is a structure element, by its number in the order of reading.
type part int

// root is the part that all others are in.
const root part = 0

// Not parts but artifacts: what repeats on the pages and is not read (14.8.2.2).
const (
	pageHeader part = -1 - iota
	pageFooter
)

// layoutArtifact begins what only pleases the eye: rules and backgrounds.
const layoutArtifact = "/Artifact <</Type /Layout>> BDC"

// paginationArtifacts begin what repeats on the pages.
var paginationArtifacts = map[part]string{
	pageHeader: "/Artifact <</Type /Pagination /Subtype /Header>> BDC",
	pageFooter: "/Artifact <</Type /Pagination /Subtype /Footer>> BDC",
}

// endOfMarked ends what these and mark begin.
const endOfMarked = "EMC"

// tags is the logical structure of a document (14.7). It grows by about 100 bytes with each cell
// of a table.
type tags struct {
	kinds   []kind   // of each part
	parents []part   // of each part
	kids    [][]kid  // of each part, in the order of reading
	marked  [][]part // of each page: the part of each marked-content sequence, by its identifier
}

// kid is what a part consists of: another part, or where page is not 0 marked content of this page.
type kid struct {
	part part
	page int // the first is 1
	id   int
}

func newTags() *tags {
	return &tags{kinds: []kind{document}, parents: []part{root}, kids: [][]kid{nil}}
}

// add adds a part at the end of another.
func (t *tags) add(k kind, to part) part {
	added := part(len(t.kinds))
	t.kinds, t.parents, t.kids = append(t.kinds, k), append(t.parents, to), append(t.kids, nil)
	t.kids[to] = append(t.kids[to], kid{part: added})
	return added
}

// mark is the operator that begins content of a part, on a page counted from 1 (14.6). The text
// that is meant is given where it is not the one that is shown (14.9.4), else "".
func (t *tags) mark(p part, page int, meant string) string {
	if begin, repeats := paginationArtifacts[p]; repeats {
		return begin
	}
	properties := ""
	if meant != "" {
		properties = " /ActualText " + textString(meant)
		p = t.add(kind("Span"+properties), p)
	}
	for len(t.marked) < page {
		t.marked = append(t.marked, nil)
	}
	id := len(t.marked[page-1])
	t.marked[page-1] = append(t.marked[page-1], p)
	t.kids[p] = append(t.kids[p], kid{page: page, id: id})
	return fmt.Sprintf("/%s <</MCID %d%s>> BDC", t.kinds[p].structureType(), id, properties)
}

// textString is a text as an object of a file (7.9.2.2).
func textString(s string) string {
	var b strings.Builder
	b.WriteString("<FEFF")
	for _, unit := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, "%04X", unit)
	}
	b.WriteString(">")
	return b.String()
}
