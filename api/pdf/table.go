package pdf

// column is one of a table. share is its part of the width, in percent.
type column struct {
	name  string
	share float64
	right bool
	head  bool // what stands in it says what its row is about
}

// tableSize is the size of the letters in a table, in points.
const tableSize = 7.5

// open begins a table; its header comes again on every page.
func (r *Report) open(columns []column) {
	r.columns, r.rows = columns, 0
	r.table = r.tags.add(table, root)
	r.addRow(func(c column) kind {
		if c.name == "" {
			return tableCell
		}
		return columnHead
	})
	r.columnHeads(r.row)
}

// addRow adds a row to the structure of the table, with a cell for each column.
func (r *Report) addRow(kindOf func(column) kind) {
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
	r.ground(widths, height, "B", false)
	for i, c := range r.columns {
		r.cell(parts[i], c.name, widths[i], height, align(c))
	}
	r.page.Ln(height)
}

// add adds a row to the table. A strong one is a sum.
func (r *Report) add(strong bool, cells ...string) {
	r.addRow(func(c column) kind {
		if c.head {
			return rowHead
		}
		return tableCell
	})
	r.addLine(strong, cells...)
}

// addLine prints a line of the last row of the table: the first one, or what has no space in those
// before it.
func (r *Report) addLine(strong bool, cells ...string) {
	if !r.hasSpace(line) {
		r.page.AddPage()
		r.columnHeads(r.again())
	}
	style, border := "", ""
	if strong {
		style, border = "B", "T"
	}
	r.font(style, tableSize, ink)
	r.stroke(rule)
	r.fill(band)
	r.rows++
	widths := r.columnWidths()
	r.ground(widths, line, border, r.rows%2 == 0)
	for i, c := range r.columns {
		r.cell(r.row[i], cells[i], widths[i], line, align(c))
	}
	r.page.Ln(line)
}

// again are the parts of a header that was on the page before: it is not read again.
func (r *Report) again() []part {
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
