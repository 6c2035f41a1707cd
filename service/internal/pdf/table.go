package pdf

// column is a column of a table. share is its part of the width, in percent.
type column struct {
	name  string
	share float64
	right bool
	head  bool // its cells name the subject of their row
	wraps bool // a long text continues in the next line; else it is cut
}

// tableSize is the size of the letters in a table, in points.
const tableSize = 7.5

// open begins a table. Its header is repeated on every page.
func (r *Report) open(columns []column) {
	r.columns, r.lines = columns, 0
	r.table = r.tags.add(table, root)
	r.addParts(func(c column) kind {
		if c.name == "" {
			return tableCell
		}
		return columnHead
	})
	r.columnHeads(r.row)
}

// addParts adds a row to the structure of the table, with a cell for each column.
func (r *Report) addParts(kindOf func(column) kind) {
	row := r.tags.add(tableRow, r.table)
	r.row = make([]part, len(r.columns))
	for i, c := range r.columns {
		r.row[i] = r.tags.add(kindOf(c), row)
	}
}

// columnHeads prints the header of the table as content of these parts.
func (r *Report) columnHeads(parts []part) {
	const height = line + 0.6
	r.font("B", tableSize, pale)
	r.stroke(rule)
	widths := r.columnWidths()
	r.background(widths, height, "B", false)
	for i, c := range r.columns {
		r.cell(parts[i], c.name, widths[i], height, align(c))
	}
	r.page.Ln(height)
}

// add adds a row to the table, with as many lines as it needs. A strong row is a sum.
func (r *Report) add(strong bool, cells ...string) {
	r.addParts(func(c column) kind {
		if c.head {
			return rowHead
		}
		return tableCell
	})
	r.rowFont(strong)
	for _, texts := range r.linesOf(cells) {
		r.addLine(strong, texts)
	}
}

// linesOf returns the cells of a row, line by line.
func (r *Report) linesOf(cells []string) [][]string {
	lines := [][]string{cells}
	for i, c := range r.columns {
		if !c.wraps {
			continue
		}
		for n, text := range r.wrapped(cells[i], r.width()*c.share/100) {
			if n == len(lines) {
				lines = append(lines, make([]string, len(cells)))
			}
			lines[n][i] = text
		}
	}
	return lines
}

// addLine prints a line of the last row.
func (r *Report) addLine(strong bool, texts []string) {
	if !r.hasSpace(line) {
		r.page.AddPage()
		r.columnHeads(r.repeatedHeader())
		r.rowFont(strong)
	}
	border := ""
	if strong {
		border = "T"
	}
	r.stroke(rule)
	r.fill(band)
	r.lines++
	widths := r.columnWidths()
	r.background(widths, line, border, r.lines%2 == 0)
	for i, c := range r.columns {
		if c.right {
			r.shrink(texts[i], widths[i])
		}
		r.cell(r.row[i], texts[i], widths[i], line, align(c))
		r.page.SetFontSize(tableSize)
	}
	r.page.Ln(line)
}

// shrink reduces the letters until a number fits, down to a readable size, because a cut number is useless.
func (r *Report) shrink(number string, width float64) {
	const least = 4.5
	for size := tableSize; size >= least && !r.fits(number, width); size -= 0.25 {
		r.page.SetFontSize(size)
	}
}

func (r *Report) rowFont(strong bool) {
	style := ""
	if strong {
		style = "B"
	}
	r.font(style, tableSize, ink)
}

// repeatedHeader returns the parts of a repeated header. Screen readers do not read it again.
func (r *Report) repeatedHeader() []part {
	parts := make([]part, len(r.columns))
	for i := range parts {
		parts[i] = pageHeader
	}
	return parts
}

func (r *Report) columnWidths() []float64 {
	widths := make([]float64, len(r.columns))
	for i, c := range r.columns {
		widths[i] = r.width() * c.share / 100
	}
	return widths
}

func align(c column) string {
	if c.right {
		return "R"
	}
	return "L"
}
