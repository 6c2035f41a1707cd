package pdf

// heading is the top of the first page.
func (r *Report) heading(what, which string) {
	r.font("B", 20, accent)
	r.page.CellFormat(r.width(), 10, r.fit(what, r.width()), "", 1, "L", false, 0, "")
	r.font("", 12, ink)
	r.page.CellFormat(r.width(), 7, r.fit(which, r.width()), "", 1, "L", false, 0, "")
	r.page.Ln(3)
}

// section begins a part, on a new page when only its title would fit.
func (r *Report) section(name, beside string) {
	if !r.hasSpace(9 + 5*line) {
		r.page.AddPage()
	} else {
		r.page.Ln(5)
	}
	r.font("B", 12, accent)
	width := r.page.GetStringWidth(name) + 3
	r.page.CellFormat(width, 6, name, "", 0, "L", false, 0, "")
	r.font("", 9, pale)
	r.page.CellFormat(r.width()-width, 6, beside, "", 1, "L", false, 0, "")
	r.page.Ln(1)
}

// box is a note that must not be missed.
func (r *Report) box(text string) {
	r.font("", 9, ink)
	r.fill(notice)
	r.page.MultiCell(r.width(), 5.4, text, "", "L", true)
	r.page.Ln(2)
}

func (r *Report) sentence(text string) {
	r.font("", 9, ink)
	r.page.CellFormat(r.width(), line, text, "", 1, "L", false, 0, "")
}

// fact is something about the filing. Without a value it is not printed.
type fact struct{ name, value string }

// facts prints them in two columns, read downwards.
func (r *Report) facts(all []fact) {
	var known []fact
	for _, f := range all {
		if f.value != "" {
			known = append(known, f)
		}
	}
	half := (len(known) + 1) / 2
	top, width := r.page.GetY(), r.width()/2
	for i, f := range known {
		x, y := float64(margin), top+float64(i)*5
		if i >= half {
			x, y = margin+width, top+float64(i-half)*5
		}
		r.page.SetXY(x, y)
		r.font("", 8, pale)
		r.page.CellFormat(width*0.36, 5, f.name, "", 0, "L", false, 0, "")
		r.font("", 8, ink)
		r.page.CellFormat(width*0.64, 5, r.fit(f.value, width*0.64), "", 0, "L", false, 0, "")
	}
	r.page.SetXY(margin, top+float64(half)*5)
}

// column is one of a table. share is its part of the width, in percent.
type column struct {
	name  string
	share float64
	right bool
}

// open begins a table; its header comes again on every page.
func (r *Report) open(columns []column) {
	r.columns, r.rows = columns, 0
	r.columnHeads()
}

func (r *Report) columnHeads() {
	r.font("B", 7.5, pale)
	r.stroke(rule)
	for _, c := range r.columns {
		r.page.CellFormat(r.width()*c.share/100, line+0.6, c.name, "B", 0, align(c), false, 0, "")
	}
	r.page.Ln(line + 0.6)
}

// row adds a row to the table. A strong one is a sum.
func (r *Report) row(strong bool, cells ...string) {
	if !r.hasSpace(line) {
		r.page.AddPage()
		r.columnHeads()
	}
	style, border := "", ""
	if strong {
		style, border = "B", "T"
	}
	r.font(style, 7.5, ink)
	r.stroke(rule)
	r.fill(band)
	r.rows++
	for i, c := range r.columns {
		width := r.width() * c.share / 100
		r.page.CellFormat(width, line, r.fit(cells[i], width), border, 0, align(c), r.rows%2 == 0, 0, "")
	}
	r.page.Ln(line)
}

func align(c column) string {
	if c.right {
		return "R"
	}
	return "L"
}
