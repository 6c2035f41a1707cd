package pdf

// heading prints the top of the first page.
func (r *Report) heading(what, which string) {
	r.font("B", 20, accent)
	r.cell(r.tags.add(headline, root), what, r.width(), 10, "L")
	r.page.Ln(10)
	r.font("", 12, ink)
	r.cell(r.tags.add(paragraph, root), which, r.width(), 7, "L")
	r.page.Ln(7 + 3)
}

// section begins a part. It begins a new page if only the title would fit on this one.
func (r *Report) section(name, detail string) {
	if !r.hasSpace(9 + 5*line) {
		r.page.AddPage()
	} else {
		r.page.Ln(5)
	}
	head := r.tags.add(subtitle, root)
	r.font("B", 12, accent)
	width := r.page.GetStringWidth(name) + 3
	r.cell(head, name, width, 6, "L")
	r.font("", 9, pale)
	r.cell(head, detail, r.width()-width, 6, "L")
	r.page.Ln(6 + 1)
}

// box prints a note in a box, so that no reader misses it.
func (r *Report) box(text string) {
	r.font("", 9, ink)
	r.fill(notice)
	r.paragraph(text, 5.4, true)
	r.page.Ln(2)
}

func (r *Report) sentence(text string) {
	r.font("", 9, ink)
	r.paragraph(text, line, false)
}

// paragraph prints a text in lines of a height, with or without a background.
func (r *Report) paragraph(text string, height float64, filled bool) {
	p := r.tags.add(paragraph, root)
	for _, text := range r.wrapped(text, r.width()) {
		if !r.hasSpace(height) {
			r.page.AddPage()
			r.font("", 9, ink)
		}
		if filled {
			r.background([]float64{r.width()}, height, "", true)
		}
		r.cell(p, text, r.width(), height, "L")
		r.page.Ln(height)
	}
}

// fact is a property of the filing. A fact without a value is not printed. A fact without a name continues the one
// before.
type fact struct{ name, value string }

const factSize = 8 // size of the letters, in points

// facts prints facts in two columns, read downwards.
func (r *Report) facts(all []fact) {
	width := r.width() / 2
	rows := r.factRows(all, width*0.64)
	if len(rows) == 0 {
		return
	}
	half := (len(rows) + 1) / 2
	top := r.page.GetY()
	facts := r.tags.add(list, root)
	var value part
	for i, f := range rows {
		x, y := float64(margin), top+float64(i)*5
		if i >= half {
			x, y = margin+width, top+float64(i-half)*5
		}
		r.page.SetXY(x, y)
		if f.name != "" {
			item := r.tags.add(listItem, facts)
			r.font("", factSize, pale)
			r.cell(r.tags.add(itemName, item), f.name, width*0.36, 5, "L")
			value = r.tags.add(itemValue, item)
		}
		r.page.SetX(x + width*0.36)
		r.font("", factSize, ink)
		r.cell(value, f.value, width*0.64, 5, "L")
	}
	r.page.SetXY(margin, top+float64(half)*5)
}

// factRows returns the facts with a value, a row for each line of the value.
func (r *Report) factRows(all []fact, width float64) (rows []fact) {
	r.font("", factSize, ink)
	for _, f := range all {
		if f.value == "" {
			continue
		}
		for _, line := range r.wrapped(f.value, width) {
			rows = append(rows, fact{f.name, line})
			f.name = ""
		}
	}
	return rows
}
