package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// fpdf writes no structure tree. It is therefore added to the written file: new objects after the old ones,
// and a new cross-reference table instead of the old one.

// errForeign is the error for a file whose form fpdf is not known to write.
var errForeign = errors.New("pdf: the file is not of the form that its writer is known to have")

// write writes the file with the structure tree.
func (t *tags) write(to io.Writer, file []byte) error {
	old, err := parseDrawn(file)
	if err != nil {
		return err
	}
	w := newObjectWriter(to, old.offsets)
	// PDF 1.5 is the first version with object streams, 1.7 that of ISO 32000-1.
	w.raw([]byte("%PDF-1.7"))
	w.raw(file[len("%PDF-1.7"):old.end])
	n := t.numbers(len(old.offsets))
	w.reserve(n.end)
	catalog, err := old.amended(old.catalog, "<<", fmt.Sprintf("/MarkInfo <</Marked true>> /StructTreeRoot %d 0 R "+
		"/ViewerPreferences <</DisplayDocTitle true>>", n.tree))
	if err != nil {
		return err
	}
	w.object(old.catalog, catalog)
	for i := range t.marked {
		number := pageNumber(i + 1)
		page, err := old.amended(number, "<</Type /Page\n", fmt.Sprintf("/StructParents %d /Tabs /S", i))
		if err != nil {
			return err
		}
		w.object(number, page)
	}
	t.tree(w, n)
	for _, number := range old.unicodeMaps() {
		w.stream(number, "", toUnicode())
	}
	return w.end(fmt.Sprintf("/Root %d 0 R /Info %d 0 R", old.catalog, old.info))
}

// pageNumber returns the number of the object of a page. The first page has number 1, and the content
// of a page follows its object.
func pageNumber(page int) int { return 1 + 2*page }

// numbers are the numbers of the new objects.
type numbers struct {
	tree  int // the root of the tree
	part  int // the first part
	pages int // the first page's list of parts
	end   int // the number after the last object
}

func (t *tags) numbers(first int) numbers {
	pages := first + 1 + len(t.kinds)
	return numbers{tree: first, part: first + 1, pages: pages, end: pages + len(t.marked)}
}

// tree writes the structure tree (14.7.2) and the parent tree (14.7.4.4).
func (t *tags) tree(w *objectWriter, n numbers) {
	var pages strings.Builder
	for i := range t.marked {
		fmt.Fprintf(&pages, "%d %d 0 R ", i, n.pages+i)
	}
	w.object(n.tree, fmt.Sprintf("<</Type /StructTreeRoot /K %d 0 R /ParentTree <</Nums [%s]>> /ParentTreeNextKey %d>>",
		n.part, pages.String(), len(t.marked)))
	for i, k := range t.kinds {
		parent := n.part + int(t.parents[i])
		if part(i) == root {
			parent = n.tree
		}
		w.object(n.part+i, fmt.Sprintf("<</S /%s /P %d 0 R%s>>", k, parent, n.content(t.kids[i])))
	}
	for i, parts := range t.marked {
		var all strings.Builder
		for _, p := range parts {
			fmt.Fprintf(&all, "%d 0 R ", n.part+int(p))
		}
		w.object(n.pages+i, "["+all.String()+"]")
	}
}

// content returns the dictionary entries of a part for its kids, and for their page if they have one.
func (n *numbers) content(kids []kid) string {
	if len(kids) == 1 && kids[0].page > 0 {
		return fmt.Sprintf(" /Pg %d 0 R /K %d", pageNumber(kids[0].page), kids[0].id)
	}
	if len(kids) == 0 {
		return "" // an empty cell of a table
	}
	var all strings.Builder
	for _, k := range kids {
		if k.page > 0 {
			fmt.Fprintf(&all, "<</Type /MCR /Pg %d 0 R /MCID %d>> ", pageNumber(k.page), k.id)
		} else {
			fmt.Fprintf(&all, "%d 0 R ", n.part+int(k.part))
		}
	}
	return " /K [" + all.String() + "]"
}

// drawn is a file as fpdf wrote it.
type drawn struct {
	file          []byte
	offsets       []int // where the objects begin, by their numbers
	end           int   // of the last object
	catalog, info int   // numbers of objects
}

// parseDrawn finds the objects of a file by its cross-reference table (7.5.4). Errors: errForeign.
func parseDrawn(file []byte) (*drawn, error) {
	d := &drawn{file: file}
	size := 0
	start := bytes.LastIndex(file, []byte("startxref\n"))
	if start < 0 || !bytes.HasPrefix(file, []byte("%PDF-1.")) {
		return nil, errForeign
	}
	if _, err := fmt.Sscanf(string(file[start:]), "startxref\n%d", &d.end); err != nil || d.end > start {
		return nil, errForeign
	}
	if _, err := fmt.Sscanf(string(file[d.end:start]), "xref\n0 %d", &size); err != nil {
		return nil, errForeign
	}
	_, rows, _ := bytes.Cut(file[d.end:start], []byte("\n0 "+strconv.Itoa(size)+"\n"))
	const rowLength = 20
	if len(rows) < size*rowLength {
		return nil, errForeign
	}
	for i := range size {
		offset, err := strconv.Atoi(string(rows[i*rowLength:][:10]))
		if err != nil || offset > d.end {
			return nil, errForeign
		}
		d.offsets = append(d.offsets, offset)
	}
	_, trailer, _ := bytes.Cut(rows[size*rowLength:], []byte("/Root "))
	if _, err := fmt.Sscanf(string(trailer), "%d 0 R\n/Info %d 0 R", &d.catalog, &d.info); err != nil {
		return nil, errForeign
	}
	return d, nil
}

// unicodeMaps returns the numbers of the objects that map the codes of a font to characters.
func (d *drawn) unicodeMaps() (numbers []int) {
	for number, offset := range d.offsets {
		lines := bytes.SplitN(d.file[offset:d.end], []byte("\n"), 4) // number, dictionary, "stream", content
		if len(lines) == 4 && string(lines[2]) == "stream" && bytes.HasPrefix(lines[3], []byte("/CIDInit ")) {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// amended returns a dictionary of the file with more entries. It must begin with begins. Errors: errForeign.
func (d *drawn) amended(number int, begins, more string) (string, error) {
	if number >= len(d.offsets) {
		return "", errForeign
	}
	object, _, _ := bytes.Cut(d.file[d.offsets[number]:d.end], []byte("endobj"))
	head := fmt.Sprintf("%d 0 obj\n", number)
	inner, isDictionary := bytes.CutSuffix(bytes.TrimSpace(object), []byte(">>"))
	if !isDictionary || !bytes.HasPrefix(object, []byte(head+begins)) {
		return "", errForeign
	}
	return string(inner[len(head):]) + " " + more + ">>", nil
}
