package returns

import (
	"errors"
	"slices"
	"strconv"

	"levy/models"
	"levy/returns/vat"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// britishFile is what the VAT API of the United Kingdom takes. The key of the period is added when the return is sent.
func britishFile(layout *tax.ReturnLayout) tax.ReturnFile {
	return tax.ReturnFile{
		ID: vat.Layout, Country: layout.Country, State: layout.State, Form: layout.Form, Name: layout.Name, Edition: layout.Edition,
		Span: layout.Span, MediaType: vat.MediaType, Extension: "json", Source: layout.Source, Confidence: layout.Sure(),
	}
}

// britishReturn makes the VAT return of a filing of the lines of its worksheet. An ERROR among the findings means that there
// is no document.
func britishReturn(in Input) (Document, []Finding) {
	sheet, err := Make(in)
	m := &maker{Input: in, sheet: Worksheet{Findings: sheet.Findings}}
	switch {
	case errors.Is(err, ErrLayout), in.Layout.Country != models.UnitedKingdom:
		m.note(models.SeverityError, "LAYOUT_MISSING", "", "This release and its content do not know the lines of the return: upgrade Levy.",
			0, money.Total{})
	case err != nil:
		m.noteTooLarge("", err)
	// guard: returns: a VAT return of a layout that was not read is not made
	case !in.File.Given():
		m.note(models.SeverityError, "LAYOUT_LOW", "", "The layout was not read in full: type the lines of the worksheet in.",
			0, money.Total{})
	}
	if len(Refusals(m.sheet.Findings)) > 0 {
		return Document{}, m.sheet.Findings
	}
	r := vat.Return{Start: calendar.DateOf(in.Filing.StartDate), End: calendar.DateOf(in.Filing.EndDate)}
	r.VRN = m.britishNumber()
	for i := range r.Boxes {
		number := strconv.Itoa(i + 1)
		at := slices.IndexFunc(sheet.Lines, func(l Line) bool { return l.Line == number })
		if at < 0 {
			m.note(models.SeverityError, "LAYOUT_MISSING", number, "The layout has no such box: import the content of this release.",
				0, money.Total{})
			return Document{}, m.sheet.Findings
		}
		r.Boxes[i] = sheet.Lines[at].Amount
	}
	m.checkBritish(&r.Boxes)
	// guard: returns: an error leaves no VAT return
	if len(Refusals(m.sheet.Findings)) > 0 {
		return Document{}, m.sheet.Findings
	}
	return Document{
		Layout: vat.Layout, MediaType: vat.MediaType, FileName: "GB-" + r.Start.String() + "-" + r.End.String() + ".json",
		Bytes: r.Document(), TransmissionID: in.IDs.Transmission, DocumentID: in.IDs.Document,
	}, m.sheet.Findings
}

// britishNumber returns the VAT registration number. One that is missing or is none is a finding.
func (m *maker) britishNumber() string {
	number := m.Filer.TaxID
	if number == "" {
		number = m.Filer.Account
	}
	vrn, ok := vat.VRN(number)
	switch {
	case number == "":
		m.note(models.SeverityError, "ID_MISSING", "", "The registration has no VAT registration number: enter it as its tax id.",
			0, money.Total{})
	case !ok:
		m.note(models.SeverityError, "ID_FORMAT", "",
			"The VAT registration number of the registration does not have 9 digits: mend its tax id.", 0, money.Total{})
	}
	return vrn
}

// checkBritish notes what keeps a return from the API. Amounts that have no box, or whose box was not read, are entered by
// people.
func (m *maker) checkBritish(boxes *vat.Boxes) {
	if m.Filing.FilingCategory != calendar.FilingRegular {
		m.note(models.SeverityError, "PERIOD_KIND", "", "The authority takes one return for a period, and no other one beside it: "+
			"this filing is entered or carried by you.", 1, money.Total{})
	}
	if code, box := boxes.Fault(); code != "" {
		m.note(models.SeverityError, "DOCUMENT_WRONG", strconv.Itoa(box), "The authority refuses this box ("+code+"): it has too many "+
			"digits, or does not follow from the others.", 1, boxes[box-1])
	}
	free, err := m.freeAdjustment()
	m.noteTooLarge("", err)
	if err == nil && !free.IsZero() {
		m.note(models.SeverityError, "FREE_ADJUSTMENT", "", "The filing is adjusted by hand, and no box has that: enter it as what it is.",
			1, free)
	}
	due := m.Filing.TotalTaxLiability
	for i := range m.Entries {
		e := &m.Entries[i]
		switch e.Kind {
		case models.EntryPurchase, models.EntryWithdrawal:
			m.note(models.SeverityError, "ENTRY_WITHOUT_LINE", "6", "Whether the value of entries of the kind "+string(e.Kind)+
				" belongs to box 6 was not read: type the lines of the worksheet in.", 1, e.Taxable)
		case models.EntryNewPrepayment, models.EntryPriorPayment, models.EntryCredit, models.EntryInterest, models.EntryPenalty:
			continue // the return has neither payments nor what the authority charges
		case models.EntryAcquisition, models.EntryExcessTax, models.EntryInputTax, models.EntryBadDebt:
		}
		due, err = plus(due, e.Effect())
		m.noteTooLarge("", err)
	}
	net, err := boxes.Net()
	m.noteTooLarge("5", err)
	difference, err := net.Minus(due)
	m.noteTooLarge("5", err)
	// guard: returns: boxes 3 and 4 are what sales and entries owe
	if err == nil && !difference.IsZero() {
		m.note(models.SeverityError, "SUMS_DIFFER", "5", "Boxes 3 and 4 are not what the filing owes: an entry names a box that has not "+
			"its tax. Leave the box out, so that tax and value come into theirs.", 1, difference)
	}
}
