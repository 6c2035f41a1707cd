package pdf_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	reader "github.com/ledongthuc/pdf"
	"github.com/stretchr/testify/require"
)

// parsed is a document as a reader sees it.
type parsed struct {
	catalog reader.Value
	title   string
	pages   []page
}

// page is the content of a page.
type page struct {
	object reader.Value
	texts  []text
	drawn  []string // operators outside of artifacts
}

// text is one displayed text with its marked content.
type text struct {
	shown    string
	meant    string // empty if it is the displayed text
	tag      string // empty outside of marked content
	id       int64
	artifact bool
	page     int
	x, y     float64 // in points from below, on the left
}

// parse reads a document with another package than the one that wrote it.
func parse(t require.TestingT, file []byte) *parsed {
	r, err := reader.NewReader(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	d := &parsed{catalog: r.Trailer().Key("Root"), title: r.Trailer().Key("Info").Key("Title").Text()}
	for i := range r.NumPage() {
		d.pages = append(d.pages, parsePage(t, r.Page(i+1), i))
	}
	return d
}

// parsePage interprets the operators of a page's content.
func parsePage(t require.TestingT, from reader.Page, number int) page {
	p := page{object: from.V}
	fonts := map[string]reader.TextEncoding{}
	for _, name := range from.Fonts() {
		font := from.Font(name)
		fonts[name] = font.Encoder()
	}
	var font reader.TextEncoding
	var marked []text // open marked content
	var x, y float64
	reader.Interpret(from.V.Key("Contents"), func(stack *reader.Stack, operator string) {
		var operands []reader.Value
		for stack.Len() > 0 {
			operands = append([]reader.Value{stack.Pop()}, operands...)
		}
		switch operator {
		case "BDC":
			tag, properties := operands[0].Name(), operands[1]
			require.True(t, tag == "Artifact" || properties.Key("MCID").Kind() == reader.Integer)
			marked = append(marked, text{
				tag: tag, artifact: tag == "Artifact", meant: properties.Key("ActualText").Text(),
				id: properties.Key("MCID").Int64(), page: number,
			})
		case "EMC":
			require.NotEmpty(t, marked)
			marked = marked[:len(marked)-1]
		case "Tf":
			font = fonts[operands[0].Name()]
		case "Td":
			x, y = operands[0].Float64(), operands[1].Float64()
		case "Tj":
			shown := text{page: number}
			if len(marked) > 0 {
				shown = marked[len(marked)-1]
			}
			shown.shown, shown.x, shown.y = font.Decode(operands[0].RawString()), x, y
			p.texts = append(p.texts, shown)
		case "f", "S", "B":
			if len(marked) == 0 || !marked[len(marked)-1].artifact {
				p.drawn = append(p.drawn, operator)
			}
		}
	})
	require.Empty(t, marked)
	return p
}

// read returns the text of each page, a line for each displayed text.
func read(t *testing.T, file []byte) (pages []string) {
	t.Helper()
	for _, p := range parse(t, file).pages {
		var all strings.Builder
		for _, text := range p.texts {
			all.WriteString(text.shown + "\n")
		}
		pages = append(pages, all.String())
	}
	return pages
}

// metadata returns the description of the document.
func (d *parsed) metadata(t *testing.T) string {
	t.Helper()
	all, err := io.ReadAll(d.catalog.Key("Metadata").Reader())
	require.NoError(t, err)
	return string(all)
}
