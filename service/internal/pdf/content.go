package pdf

import (
	"strings"
	"unicode/utf8"
)

// cell prints the part of a text that fits into the width, as content of a part. It moves the pen to the right
// of the text.
func (r *Report) cell(p part, text string, width, height float64, align string) {
	shown := r.fit(text, width)
	if shown == "" {
		r.page.SetX(r.page.GetX() + width)
		return
	}
	meant := ""
	if shown != text {
		meant = text
		r.unprintable = r.unprintable || printable(text) != text
		r.cut = r.cut || printable(text) != shown
	}
	r.page.RawWriteStr(r.tags.mark(p, r.page.PageNo(), meant))
	r.page.CellFormat(width, height, shown, "", 0, align, false, 0, "")
	r.page.RawWriteStr(endOfMarked)
}

// background draws the border and the background of cells of these widths. It does not move the pen.
func (r *Report) background(widths []float64, height float64, border string, filled bool) {
	if border == "" && !filled {
		return
	}
	x := r.page.GetX()
	r.page.RawWriteStr(layoutArtifact)
	for _, width := range widths {
		r.page.CellFormat(width, height, "", border, 0, "", filled, 0, "")
	}
	r.page.RawWriteStr(endOfMarked)
	r.page.SetX(x)
}

// fit returns the part of a text that fits into the width, with three dots if it was cut.
func (r *Report) fit(s string, width float64) string {
	s = printable(s)
	if r.fits(s, width) {
		return s
	}
	cut := []rune(s)
	for len(cut) > 0 && !r.fits(string(cut)+"…", width) {
		cut = cut[:len(cut)-1]
	}
	return string(cut) + "…"
}

// fits reports whether a printable text in the current font fits into a cell of the width.
func (r *Report) fits(s string, width float64) bool {
	return r.page.GetStringWidth(s) <= width-2*r.page.GetCellMargin()
}

// wrapped splits a text into lines that fit into the width: between words, and within a word that is longer
// than a line.
func (r *Report) wrapped(text string, width float64) []string {
	fits := func(s string) bool { return r.fits(printable(s), width) }
	if fits(text) {
		return []string{text}
	}
	var lines []string
	last := ""
	for _, word := range strings.Fields(text) {
		if last != "" && fits(last+" "+word) {
			last += " " + word
			continue
		}
		if last != "" {
			lines = append(lines, last)
		}
		for last = word; !fits(last); {
			n := fitting(last, fits)
			lines, last = append(lines, last[:n]), last[n:]
		}
	}
	return append(lines, last)
}

// fitting returns how many bytes of a text fit, at least those of one character.
func fitting(text string, fits func(string) bool) int {
	end := 0
	for end < len(text) {
		_, size := utf8.DecodeRuneInString(text[end:])
		if end > 0 && !fits(text[:end+size]) {
			break
		}
		end += size
	}
	return end
}
