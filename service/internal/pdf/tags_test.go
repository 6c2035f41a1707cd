package pdf_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	reader "github.com/ledongthuc/pdf"
	"github.com/stretchr/testify/require"

	"levy/models/report"
)

// TestTags checks the structure for screen readers in documents of all kinds.
func TestTags(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		head *report.Head
		rows int
	}{
		"filed":                {head(9), 9},
		"of many pages":        {head(60), 60},
		"without transactions": {preview(), 0},
		"with every part":      {everything(), 30},
		"with long texts":      {long(), 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := parse(t, write(t, c.head, c.rows))
			d.requireTagged(t)
			s := d.structure(t)
			s.requireTables(t)
			s.requireOrder(t)
		})
	}
}

func preview() *report.Head {
	h := head(0)
	h.Hash, h.Jurisdictions, h.Filing.StateName = nil, nil, nil
	return h
}

// everything returns a report with every part that a report can have.
func everything() *report.Head {
	h := head(30)
	by, reason, amount := "Zoë", "The state of the destination is not certain.", "9999.00"
	late := h.Filing.DueDate.AddDate(0, 0, 62)
	h.Test, h.Filing.DateFiled = true, &late
	h.Taxpayer = &report.Taxpayer{
		Name: "Example Goods LLC", DBA: "Goods", EIN: "12-3456789", TaxID: "77", SalesTaxID: "NY-778899",
		Address: []string{"1 Main St", "Albany NY 12207", "US"},
	}
	h.Excluded = &report.Exclusion{Amount: amount, DecidedBy: &by, DecidedAt: h.Filing.ApprovedAt, Count: 1}
	h.Excluded.Transactions = []report.Excluded{
		{Amount: &amount, ExternalID: "LOST", Reason: &reason, TaxDate: h.Filing.StartDate, ID: "txn_1", Type: "SALE"},
	}
	h.History = []report.Event{{At: h.GeneratedAt, Action: "APPROVED", By: by, Note: "Seen."}}
	return h
}

// long returns a report of long texts, and of characters that the fonts lack.
func long() *report.Head {
	h := everything()
	h.Filing.StateName = new(strings.Repeat("New Łódź 東京 ", 20))
	h.Excluded.DecidedBy = new(strings.Repeat("Zoë Ångström 🧾 ", 20))
	h.Taxpayer.Name = strings.Repeat("Holdings", 20) + " LLC"
	for i := range 40 {
		h.History = append(h.History, report.Event{At: h.GeneratedAt, By: fmt.Sprint(i), Note: strings.Repeat("word ", i*9)})
	}
	return h
}

// requireTagged checks the document: its language, its title, and that every text is read or is an artifact.
func (d *parsed) requireTagged(t *testing.T) {
	t.Helper()
	require.True(t, d.catalog.Key("MarkInfo").Key("Marked").Bool())
	require.Equal(t, "en", d.catalog.Key("Lang").Text())
	require.True(t, d.catalog.Key("ViewerPreferences").Key("DisplayDocTitle").Bool())
	require.Regexp(t, `^Sales tax return: .+, 1 January 2026 to 31 March 2026$`, d.title)
	require.Contains(t, d.metadata(t), ">"+d.title+"</rdf:li>")
	for i, p := range d.pages {
		require.Equal(t, "S", p.object.Key("Tabs").Name())
		require.Equal(t, int64(i), p.object.Key("StructParents").Int64())
		require.Empty(t, p.drawn, "drawings are artifacts")
		for _, text := range p.texts {
			require.NotEmpty(t, text.tag, "%q is neither read nor an artifact", text.shown)
		}
	}
}

// element is a structure element.
type element struct {
	kind  string
	scope string // of a header
	kids  []*element
	texts []text // the displayed texts of an element without a kind
}

// structure reads the structure tree, and checks that it and the content refer to each other.
func (d *parsed) structure(t *testing.T) *element {
	t.Helper()
	byMark := map[[2]int64]text{}
	for _, p := range d.pages {
		for _, text := range p.texts {
			if !text.artifact {
				require.NotContains(t, byMark, [2]int64{int64(text.page), text.id}, "%q is in the content of another", text.shown)
				byMark[[2]int64{int64(text.page), text.id}] = text
			}
		}
	}
	root := d.catalog.Key("StructTreeRoot")
	owners := root.Key("ParentTree").Key("Nums")
	require.Equal(t, 2*len(d.pages), owners.Len())
	read := 0
	var walk func(v, parent reader.Value) *element
	walk = func(v, parent reader.Value) *element {
		require.Equal(t, parent.String(), v.Key("P").String())
		e := &element{kind: v.Key("S").Name(), scope: v.Key("A").Key("Scope").Name()}
		for _, kid := range kidsOf(v.Key("K")) {
			if kid.Kind() == reader.Dict && kid.Key("MCID").IsNull() {
				e.kids = append(e.kids, walk(kid, v))
				continue
			}
			id, page := kid, v.Key("Pg")
			if kid.Kind() == reader.Dict {
				id, page = kid.Key("MCID"), kid.Key("Pg")
			}
			number := page.Key("StructParents").Int64()
			require.Equal(t, v.String(), owners.Index(int(2*number+1)).Index(int(id.Int64())).String())
			found, known := byMark[[2]int64{number, id.Int64()}]
			require.True(t, known, "%s has content that is not there", e.kind)
			require.Equal(t, e.kind, found.tag)
			require.Equal(t, found.meant, v.Key("ActualText").Text())
			e.kids = append(e.kids, &element{texts: []text{found}})
			read++
		}
		return e
	}
	tree := walk(root.Key("K"), root)
	require.Equal(t, len(byMark), read, "every text that is no artifact is read once")
	require.Equal(t, "Document", tree.kind)
	require.Equal(t, []string{"H1", "P"}, []string{tree.kids[0].kind, tree.kids[1].kind})
	return tree
}

func kidsOf(k reader.Value) []reader.Value {
	if k.IsNull() {
		return nil
	}
	if k.Kind() != reader.Array {
		return []reader.Value{k}
	}
	var all []reader.Value
	for i := range k.Len() {
		all = append(all, k.Index(i))
	}
	return all
}

// all returns the element and all its descendants, in the reading order.
func (e *element) all() []*element {
	all := []*element{e}
	for _, kid := range e.kids {
		all = append(all, kid.all()...)
	}
	return all
}

// read returns the text that a screen reader reads from the element, with a space between its texts.
func (e *element) read() string {
	var said []string
	for _, in := range e.all() {
		for _, text := range in.texts {
			if text.meant != "" {
				text.shown = text.meant
			}
			said = append(said, text.shown)
		}
	}
	return strings.Join(said, " ")
}

// requireTables checks that elements have allowed parents, and that each cell of a table has a header.
func (e *element) requireTables(t *testing.T) {
	t.Helper()
	in := map[string][]string{
		"Document": {"H1", "H2", "P", "L", "Table"}, "L": {"LI"}, "LI": {"Lbl", "LBody"},
		"Table": {"TR"}, "TR": {"TH", "TD"},
	}
	for _, outer := range e.all() {
		for _, inner := range outer.kids {
			may := append(in[outer.kind], "Span", "")
			require.Contains(t, may, inner.kind, "in %s", outer.kind)
		}
		if outer.kind == "LI" {
			require.Len(t, outer.kids, 2)
		}
		if outer.kind != "Table" {
			continue
		}
		heads := outer.kids[0].kids
		for _, row := range outer.kids[1:] {
			require.Len(t, row.kids, len(heads))
			hasHead := slices.ContainsFunc(row.kids, func(c *element) bool { return c.scope == "Row" && c.read() != "" })
			for i, cell := range row.kids {
				require.True(t, heads[i].scope == "Column" && heads[i].read() != "" || hasHead, "%q has no header", cell.read())
			}
		}
	}
}

// requireOrder checks that texts are read in their visible order: from the top, from the left, and lists column
// by column.
func (e *element) requireOrder(t *testing.T) {
	t.Helper()
	var last text
	check := func(texts []text, columns bool) {
		for _, next := range texts {
			below, sameLine := next.y < last.y-4, math.Abs(next.y-last.y) < 4 // letters of two sizes
			inOrder := next.page > last.page || next.page == last.page &&
				(below || sameLine && next.x > last.x || columns && next.x > last.x)
			require.True(t, last.shown == "" || inOrder, "%q is read before %q", last.shown, next.shown)
			last = next
		}
	}
	for _, block := range e.kids {
		byPlace := []text{}
		for _, in := range block.all() {
			byPlace = append(byPlace, in.texts...)
		}
		if block.kind != "Table" {
			check(byPlace, block.kind == "L")
			continue
		}
		for _, row := range block.kids { // its cells lie next to each other, each with several lines
			row.requireCells(t)
			check(row.first(), false)
		}
	}
}

// requireCells checks that the cells of a row are read from the left, and the lines of each from above.
func (e *element) requireCells(t *testing.T) {
	t.Helper()
	for _, cell := range e.kids {
		var lines []text
		for _, in := range cell.all() {
			lines = append(lines, in.texts...)
		}
		require.True(t, slices.IsSortedFunc(lines, func(a, b text) int {
			if a.page != b.page {
				return a.page - b.page
			}
			return int(b.y - a.y)
		}))
	}
}

// first returns the first line of each cell of a row.
func (e *element) first() []text {
	var all []text
	for _, cell := range e.kids {
		for _, in := range cell.all() {
			if len(in.texts) > 0 {
				all = append(all, in.texts[0])
				break
			}
		}
	}
	return all
}

// TestRead checks that a screen reader reads texts in full that are printed only in part.
func TestRead(t *testing.T) {
	t.Parallel()
	const name = "Zoë Ångström Łódź 東京"
	h := everything()
	h.Taxpayer.Name = name
	h.Jurisdictions[0].Name = "Fulton County TSPLOST (outside Atlanta, College Park, East Point, Hapeville)"
	h.Jurisdictions[0].Code = "US-OH-D-portage-area-regional-transportation-authority-parta"
	d := parse(t, write(t, h, 1))
	said := d.structure(t).read()
	shown := strings.Join(read(t, write(t, h, 1)), "")
	require.Contains(t, said, "Legal name "+name+" Doing business as Goods")
	require.Contains(t, shown, "Zoë Ångström Łódź \uFFFD\uFFFD\n")
	require.Contains(t, said, "no letter for is shown as \uFFFD")
	require.NotContains(t, said, "did not fit")
	require.Contains(t, said, h.Jurisdictions[0].Name)
	require.Contains(t, strings.ReplaceAll(said, " ", ""), h.Jurisdictions[0].Code, "on as many lines as it needs")
	require.Contains(t, said, "SHA-256 of the canonical JSON report: "+*h.Hash)
	require.Contains(t, said, "Address 1 Main St Albany NY 12207 US")

	cut := head(7) // the seventh has a long name
	said = parse(t, write(t, cut, 7)).structure(t).read()
	require.Contains(t, said, "Łódź-заказ-注文-🧾-ORDER-00006-with-a-very-long-name-indeed")
	require.Contains(t, said, "A text that ends with … did not fit.")

	plain := head(2)
	plain.GeneratedAt = plain.GeneratedAt.Add(time.Hour)
	said = parse(t, write(t, plain, 2)).structure(t).read()
	require.NotContains(t, said, "is shown as")
	require.NotContains(t, said, "did not fit")
}
