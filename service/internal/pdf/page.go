package pdf

import (
	"bytes"
	"encoding/xml"
	"fmt"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"

	"levy/models/report"
)

const (
	plain  = "go"   // regular; with the style "B" it is bold
	mono   = "mono" // for the hash
	margin = 16     // in millimetres, like all lengths here
	line   = 4.6    // height of a row
	foot   = 20     // height of the footer
	pages  = "{pages}"
)

// colour has red, green and blue.
type colour [3]int

var (
	ink    = colour{28, 32, 38}
	pale   = colour{104, 112, 122}
	accent = colour{21, 76, 121}
	rule   = colour{206, 212, 218}
	band   = colour{246, 247, 249}
	notice = colour{255, 247, 224}
)

// newPage returns an empty document on the paper of the country. All metadata follow from the report, so time
// and place of printing change nothing.
func newPage(h *report.Head) *fpdf.Fpdf {
	paper := "A4"
	if h.Filing.CountryCode == "US" || h.Filing.CountryCode == "CA" {
		paper = "Letter"
	}
	p := fpdf.New("P", "mm", paper, "")
	p.SetCatalogSort(true)
	p.SetCreationDate(h.GeneratedAt.UTC())
	p.SetModificationDate(h.GeneratedAt.UTC())
	p.SetProducer("Levy", true)
	p.SetCreator("Levy", true)
	name := "Sales tax return: " + title(h)
	p.SetTitle(name, true)
	p.SetXmpMetadata(metadata(name))
	p.SetLang("en")
	// fpdf changes the fonts that it receives, so it gets copies.
	p.AddUTF8FontFromBytes(plain, "", bytes.Clone(goregular.TTF))
	p.AddUTF8FontFromBytes(plain, "B", bytes.Clone(gobold.TTF))
	p.AddUTF8FontFromBytes(mono, "", bytes.Clone(gomono.TTF))
	p.AliasNbPages(pages)
	p.SetMargins(margin, margin, margin)
	p.SetAutoPageBreak(false, 0) // rows begin new pages themselves, with the header of their table
	p.SetCellMargin(1)
	return p
}

// metadataForm is the description of the document (ISO 32000-1, 14.3.2) with its title.
const metadataForm = `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">%s</rdf:li></rdf:Alt></dc:title>
</rdf:Description>
</rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`

func metadata(title string) []byte {
	var escaped bytes.Buffer
	_ = xml.EscapeText(&escaped, []byte(title)) // memory never fails
	return fmt.Appendf(nil, metadataForm, escaped.Bytes())
}

// header prints the title of the document on every page but the first.
func (r *Report) header() {
	if r.page.PageNo() == 1 {
		return
	}
	r.font("", 8, pale)
	width := r.width()
	r.cell(pageHeader, r.title, width*0.7, line, "L")
	r.cell(pageHeader, r.head.Filing.ID, width*0.3, line, "R")
	r.page.Ln(line + 2)
}

// footer prints the hash and the number of the page.
func (r *Report) footer() {
	_, height := r.page.GetPageSize()
	width := r.width()
	r.page.SetXY(margin, height-foot+6)
	r.stroke(rule)
	r.page.RawWriteStr(layoutArtifact)
	r.page.Line(margin, r.page.GetY(), margin+width, r.page.GetY())
	r.page.RawWriteStr(endOfMarked)
	r.page.Ln(1.5)
	r.font("", 7, pale)
	label := "Preview, not filed: no hash"
	if r.head.Hash != nil {
		label = hashLabel
	}
	r.cell(pageFooter, label, width-22, 3.4, "L")
	// It is aligned left, because the number of pages is not known yet.
	r.cell(pageFooter, fmt.Sprintf("Page %d of %s", r.page.PageNo(), pages), 22, 3.4, "L")
	r.page.Ln(3.4)
	if r.head.Hash != nil {
		r.page.SetFont(mono, "", 7)
		r.text(ink)
		r.cell(pageFooter, *r.head.Hash, width, 3.4, "L")
	}
}

const hashLabel = "SHA-256 of the canonical JSON report"

// width returns the width between the margins.
func (r *Report) width() float64 {
	w, _ := r.page.GetPageSize()
	return w - 2*margin
}

// hasSpace reports whether this height is free on the page.
func (r *Report) hasSpace(height float64) bool {
	_, h := r.page.GetPageSize()
	return r.page.GetY()+height <= h-foot
}

func (r *Report) font(style string, size float64, c colour) {
	r.page.SetFont(plain, style, size)
	r.text(c)
}

func (r *Report) text(c colour)   { r.page.SetTextColor(c[0], c[1], c[2]) }
func (r *Report) fill(c colour)   { r.page.SetFillColor(c[0], c[1], c[2]) }
func (r *Report) stroke(c colour) { r.page.SetDrawColor(c[0], c[1], c[2]) }
