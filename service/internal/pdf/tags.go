package pdf

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// kind is the structure type of a part (ISO 32000-1, 14.8.4) with its attributes (14.8.5), in the form of the file.
// Screen readers announce it.
type kind string

const (
	document   kind = "Document"
	headline   kind = "H1"
	subtitle   kind = "H2"
	paragraph  kind = "P"
	list       kind = "L /A <</O /List /ListNumbering /None>>" // names with their values
	listItem   kind = "LI"
	itemName   kind = "Lbl"
	itemValue  kind = "LBody"
	table      kind = "Table"
	tableRow   kind = "TR"
	columnHead kind = "TH /A <</O /Table /Scope /Column>>"
	rowHead    kind = "TH /A <</O /Table /Scope /Row>>"
	tableCell  kind = "TD"
)

// structureType returns the kind without its attributes.
func (k kind) structureType() string {
	name, _, _ := strings.Cut(string(k), " ")
	return name
}

// part is a structure element, by its number in the reading order.
type part int

// root is the part that contains all others.
const root part = 0

// These are artifacts, not parts: screen readers do not read what repeats on the pages (14.8.2.2).
const (
	pageHeader part = -1 - iota
	pageFooter
)

// layoutArtifact begins decoration: rules and backgrounds.
const layoutArtifact = "/Artifact <</Type /Layout>> BDC"

// paginationArtifacts begin content that repeats on the pages.
var paginationArtifacts = map[part]string{
	pageHeader: "/Artifact <</Type /Pagination /Subtype /Header>> BDC",
	pageFooter: "/Artifact <</Type /Pagination /Subtype /Footer>> BDC",
}

// endOfMarked ends the content that an artifact or mark begins.
const endOfMarked = "EMC"

// tags is the logical structure of a document (14.7). Each cell of a table needs about 100 bytes.
type tags struct {
	kinds   []kind   // of each part
	parents []part   // of each part
	kids    [][]kid  // of each part, in the reading order
	marked  [][]part // for each page the part of each marked-content sequence, by its identifier
}

// kid is a child of a part: another part, or marked content of a page if page is not 0.
type kid struct {
	part part
	page int // the first page is 1
	id   int
}

func newTags() *tags {
	return &tags{kinds: []kind{document}, parents: []part{root}, kids: [][]kid{nil}}
}

// add adds a part at the end of another one.
func (t *tags) add(k kind, to part) part {
	added := part(len(t.kinds))
	t.kinds, t.parents, t.kids = append(t.kinds, k), append(t.parents, to), append(t.kids, nil)
	t.kids[to] = append(t.kids[to], kid{part: added})
	return added
}

// mark returns the operator that begins content of a part, on a page counted from 1 (14.6). meant is the full text
// if the printed one is shortened (14.9.4), else empty.
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

// textString returns a text as an object of a file (7.9.2.2).
func textString(s string) string {
	var b strings.Builder
	b.WriteString("<FEFF")
	for _, unit := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, "%04X", unit)
	}
	b.WriteString(">")
	return b.String()
}
