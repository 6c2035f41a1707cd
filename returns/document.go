package returns

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// Document is the file of a return for its authority. One without bytes is none.
type Document struct {
	Layout, MediaType, FileName string
	Bytes                       []byte
	TransmissionID, DocumentID  string
}

// formats make the files of authorities, by form. An ERROR among the findings means that there is no document.
var formats = map[string]func(Input) (Document, []Finding){
	"WA-E-FILE": washingtonFile, "NE-SCHEDULE-I": nebraskaFile, "DE-OSS": germanShop, "BE-OSS": belgianShop,
}

// MakeDocument makes the file of a return by the layout of its file. Levy gives none with an ERROR among the
// findings, or of a layout that was not read in full. There is none either when the authority wants nothing of this
// return.
func MakeDocument(in Input) (Document, []Finding) {
	m := &maker{Input: in}
	if in.IDs == (IDs{}) {
		m.IDs = previewIDs()
	}
	format, known := formats[in.File.Form]
	switch {
	case in.File.ID == "":
		return Document{}, nil
	// guard: returns: no file is made of a layout that was not read
	case !in.File.Given():
		m.note(models.SeverityError, "LAYOUT_LOW", "", "How the file of this authority looks was not read in full: there is none. "+
			"Type the lines of the worksheet in.", 0, money.Total{})
		return Document{}, m.sheet.Findings
	case !known:
		m.note(models.SeverityError, "LAYOUT_MISSING", "", "This release does not know the layout of the file: upgrade Levy.",
			0, money.Total{})
		return Document{}, m.sheet.Findings
	}
	document, findings := format(m.Input)
	all := append(m.findDocument(), findings...)
	// guard: returns: an error leaves no document
	if len(Refusals(all)) > 0 {
		document = Document{}
	}
	return document, all
}

// findDocument returns what is to be known of any file.
func (m *maker) findDocument() []Finding {
	if m.File.Confidence == tax.ConfidenceMedium {
		m.note(models.SeverityInfo, "LAYOUT_MED", "", "Parts of the file rest on an older edition, or on an example: compare what the "+
			"authority shows after the upload with the worksheet.", 0, money.Total{})
	}
	m.findMissing()
	for i := range m.Entries {
		if e := &m.Entries[i]; !e.Kind.Penal() {
			m.note(models.SeverityError, "ENTRY_WITHOUT_LINE", "", "The file has no place for entries of the kind "+string(e.Kind)+
				": enter the lines of the worksheet yourself.", 1, e.Amount)
		}
	}
	free, err := m.freeAdjustment()
	m.noteTooLarge("", err)
	if !free.IsZero() {
		m.note(models.SeverityError, "FREE_ADJUSTMENT", "", "The filing is adjusted by hand: the file has no place for it. Enter the lines "+
			"of the worksheet yourself.", 1, free)
	}
	sum, err := m.sum(owed, own)
	if err != nil {
		m.noteTooLarge("", err)
		return m.sheet.Findings
	}
	difference, err := sum.Minus(m.Filing.TotalTaxLiability)
	m.noteTooLarge("", err)
	// guard: returns: a file has the figures that add up to what the filing owes
	if err == nil && !difference.IsZero() && m.Figures.Missing == 0 {
		m.note(models.SeverityError, "SUMS_DIFFER", "",
			"The figures do not add up to the tax of the filing: do not file them, and tell your operator.", 1, difference)
	}
	return m.sheet.Findings
}

// noteTooLarge notes that a sum of a line has more digits than a return may have.
func (m *maker) noteTooLarge(line string, err error) {
	if err != nil {
		m.note(models.SeverityError, "AMOUNT_TOO_LARGE", line, "An amount of this line has more digits than a return may have.",
			1, money.Total{})
	}
}

// total is sum for a line of a file. A sum that is too large, or below zero, is a finding.
func (m *maker) total(line string, of func(*models.FilingFigure) money.Total, is where) money.Total {
	sum, err := m.sum(of, is)
	m.noteTooLarge(line, err)
	m.refuseNegative(line, sum)
	return sum
}

// places returns the jurisdictions with tax or a base among the figures of a condition, each at each of its rates.
func (m *maker) places(is where) (found []place) {
	for i := range m.Figures.Figures {
		x := &m.Figures.Figures[i]
		if p := (place{x.Level, x.Name, x.Rate}); is(x) && bearsTax(x) && !slices.Contains(found, p) {
			found = append(found, p)
		}
	}
	return found
}

// regularMonths refuses returns that are not the first one of a whole period of some months.
func (m *maker) regularMonths(months int) {
	f := &m.Filing
	if f.FilingCategory != calendar.FilingRegular {
		code, said := "PERIOD_KIND", "The file is for returns of a period: this filing is of another kind. Enter it yourself."
		if f.FilingCategory == models.FilingAmendment {
			code, said = "AMENDMENT_DIFFERENCE", "The authority wants all figures of an amended return again, and this filing has the "+
				"difference. Enter the sum of the return and of its amendments yourself."
		}
		m.note(models.SeverityError, code, "", said, 1, money.Total{})
		return
	}
	start, end := f.StartDate, f.EndDate
	if start.Day() != 1 || !end.AddDate(0, 0, 1).Equal(start.AddDate(0, months, 0)) {
		m.note(models.SeverityError, "PERIOD_PART", "", "The filing is not of a whole period of the authority: add the figures of the other "+
			"filings of this period, and enter them yourself.", 1, money.Total{})
	}
}

// document returns the file of some lines.
func (m *maker) document(lines []string, end string) Document {
	var file bytes.Buffer
	for _, line := range lines {
		file.WriteString(line + end)
	}
	return Document{
		Layout: m.File.ID, MediaType: m.File.MediaType, Bytes: file.Bytes(),
		FileName: strings.Join([]string{
			m.File.Country, m.File.State, calendar.DateOf(m.Filing.StartDate).String(), calendar.DateOf(m.Filing.EndDate).String(),
		}, "-") + "." + m.File.Extension,
		TransmissionID: m.IDs.Transmission, DocumentID: m.IDs.Document,
	}
}

// raw returns a text as a field of a file without quotes. Texts that would end the field, begin a comment, or look like a
// formula are a finding. A guard for spreadsheets would change what the authority reads.
func (m *maker) raw(line, field, text string) string {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		m.note(models.SeverityError, "CONTACT_MISSING", line, "The business contact has no "+field+": the file wants it.", 1, money.Total{})
	// guard: returns: what would change the fields of a file is refused
	case strings.ContainsAny(text, ",\"'#;\\") || strings.ContainsFunc(text, unicode.IsControl) || strings.Contains("=+-@", text[:1]):
		m.note(models.SeverityError, "TEXT_REFUSED", line, "The "+field+" of the business contact has a character that the file cannot have: "+
			"a comma, a quote, #, or =, +, - or @ at its beginning.", 1, money.Total{})
	}
	return text
}

// digits returns the digits of a text, and whether it has no letters.
func digits(text string) (string, bool) {
	var found strings.Builder
	letters := false
	for _, r := range text {
		switch {
		case '0' <= r && r <= '9':
			found.WriteRune(r)
		case unicode.IsLetter(r):
			letters = true
		}
	}
	return found.String(), !letters
}

// coded is an amount of the code of a place.
type coded struct {
	code   string
	amount money.Total
}

// refusedPlace is what a place without a code has.
type refusedPlace struct {
	coded

	transactions int64
}

// byCode sums up an amount of figures by the code of their place, in the order of the codes. A place without a code is a
// finding that names it.
func (m *maker) byCode(
	line string, of func(*models.FilingFigure) money.Total, placeOf func(*models.FilingFigure) string, is where,
) []coded {
	var sums []coded
	var refused []refusedPlace
	for i := range m.Figures.Figures {
		x := &m.Figures.Figures[i]
		if !is(x) || of(x).IsZero() {
			continue
		}
		place := placeOf(x)
		code, ok := m.File.Code(place)
		if !ok {
			at := slices.IndexFunc(refused, func(r refusedPlace) bool { return r.code == place })
			if at < 0 {
				at, refused = len(refused), append(refused, refusedPlace{coded: coded{code: place}})
			}
			refused[at].transactions += x.Transactions
			refused[at].amount = m.added(refused[at].amount, of(x))
			continue
		}
		at := slices.IndexFunc(sums, func(c coded) bool { return c.code == code })
		if at < 0 {
			at, sums = len(sums), append(sums, coded{code: code})
		}
		sum, err := sums[at].amount.Plus(of(x))
		m.noteTooLarge(line, err)
		sums[at].amount = sum
	}
	for _, r := range refused {
		m.note(models.SeverityError, "CODE_MISSING", line, "The content has no code of the authority for "+
			cmp.Or(r.code, "sales whose place is not known")+".", r.transactions, r.amount)
	}
	for _, c := range sums {
		m.refuseNegative(line+"-"+c.code, c.amount)
	}
	slices.SortFunc(sums, func(x, y coded) int { return cmp.Compare(x.code, y.code) })
	return sums
}
