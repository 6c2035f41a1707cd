package ser

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// MediaType is that of a return.
const MediaType = tax.SimplifiedMediaType

// Make makes the return of a filing. All findings are told at once. With an ERROR among them there are no bytes, but the
// lines.
func Make(in Input) (Document, []Finding) {
	m := &maker{Input: in, sure: tax.ConfidenceHigh, findings: []Finding{}}
	m.locals = map[string]*local{}
	m.preview = m.IDs.Transmission == "" || strings.Trim(m.IDs.Transmission, "0") == ""
	if m.Layout.Edition == "" {
		m.note(models.SeverityError, "LAYOUT_MISSING", "", "The state does not take the simplified return for this period.", 0, money.Total{})
		return Document{Lines: []Line{}}, m.findings
	}
	m.checkPeriod()
	m.identify()
	m.addFigures()
	m.addEntries()
	m.addAmounts()
	m.sum()
	m.checkSums()
	m.proposeAllowance()
	m.checkPayment()
	d := Document{
		Layout: m.Layout.ID(), MediaType: MediaType, FileName: m.fileName(), Lines: m.lines(), TransmissionID: m.IDs.Transmission,
		DocumentID: m.IDs.Document,
	}
	m.checkConfidence()
	d.Sure = m.sure
	if !m.failed() {
		d.Bytes = m.write()
		m.checkBytes(d.Bytes)
	}
	// guard: simplified: an error leaves no document
	if m.failed() {
		d.Bytes = nil
	}
	return d, m.findings
}

// maker makes a return.
type maker struct {
	Input
	values
	preview  bool
	amended  bool
	number   string // of the seller
	shared   bool   // it is that of the agreement
	tin      string
	sure     tax.Confidence
	findings []Finding
	tooLarge bool // a sum was, and is not computed any further
	offered  int  // figures that have an index
}

// values are the amounts of a return.
type values struct {
	sales, exempt, taxable      amount
	breakout                    [len(exemptionTypes)]amount
	inState, outside, own, food amount
	locals                      map[string]*local
	total                       amount
	interest, penalty           amount
	discounts, prior, next      amount
	due                         amount
}

// amount is a sum and the figures that add up to it.
type amount struct {
	money.Total
	figures []int
}

// local is the tax of the jurisdictions of one code.
type local struct {
	name                  string // of the first jurisdiction
	inState, outside, own amount
}

// failed reports whether there is an ERROR.
func (m *maker) failed() bool {
	return slices.ContainsFunc(m.findings, func(f Finding) bool { return f.Severity == models.SeverityError })
}

// note adds a finding.
func (m *maker) note(severity, code, line, message string, count int64, sum money.Total) {
	m.findings = append(m.findings, Finding{severity, code, line, message, count, sum})
}

// rest notes that the return rests on something with a confidence.
func (m *maker) rest(on tax.Confidence) {
	if order(on) > order(m.sure) {
		m.sure = on
	}
}

func order(c tax.Confidence) int {
	return slices.Index([]tax.Confidence{tax.ConfidenceHigh, tax.ConfidenceMedium, tax.ConfidenceLow}, c)
}

// add adds to an amount. A sum that is too large is noted once.
func (m *maker) add(to *amount, by money.Total, figures ...int) {
	if by.IsZero() {
		return
	}
	sum, err := to.Plus(by)
	if err != nil {
		m.noteTooLarge("")
		return
	}
	to.Total = sum
	to.figures = append(to.figures, figures...)
}

func (m *maker) noteTooLarge(line string) {
	if !m.tooLarge {
		m.tooLarge = true
		m.note(models.SeverityError, "AMOUNT_TOO_LARGE", line, "An amount has more than 13 digits before the point, which the return has "+
			"no room for.", 1, money.Total{})
	}
}

// checkPeriod refuses what is no return of a whole period of the state.
func (m *maker) checkPeriod() {
	f := &m.Filing
	m.amended = f.FilingCategory == models.FilingAmendment
	if !m.amended && f.FilingCategory != calendar.FilingRegular {
		m.note(models.SeverityError, "PERIOD_KIND", "", "The filing is a prepayment: the simplified return is for periods.", 1, money.Total{})
	}
	if f.StartDate.Day() != 1 || f.EndDate.AddDate(0, 0, 1).Day() != 1 || f.EndDate.Before(f.StartDate) {
		m.note(models.SeverityError, "PERIOD_PART", "", "The filing is not of whole months: the state takes one return per period, with the "+
			"figures of all of it.", 1, money.Total{})
	}
	if m.amended && (len(m.Before) == 0 || f.AmendedTotals == nil) {
		m.note(models.SeverityError, "ORIGINAL_UNKNOWN", "", "The figures of the return that is amended are not known, and the amended one "+
			"repeats them.", 1, money.Total{})
	}
	missing := m.Figures.Missing
	for i := range m.Before {
		missing += m.Before[i].Figures.Missing
	}
	if missing > 0 {
		m.note(models.SeverityError, "FIGURES_MISSING", "", "Transactions of an earlier release have no figures yet: the return lacks them. "+
			"Levy writes them in the background.", missing, money.Total{})
	}
	if m.Day == 0 {
		m.note(models.SeverityError, "DAY_MISSING", "", "The day of sending is not known.", 0, money.Total{})
	}
}

// identify chooses the number of the seller.
func (m *maker) identify() {
	t := &m.Taxpayer
	m.number, m.shared = t.Number, t.Number != ""
	one := m.Layout.Rule(tax.SimplifiedNumber)
	switch {
	case m.shared && !isSharedNumber(t.Number):
		m.note(models.SeverityError, "ID_FORMAT", "SSTPID", "The Streamlined id is S and 8 digits: mend sst_id of the settings.", 1,
			money.Total{})
	case m.shared:
	case one.Has("ONLY_SHARED"), t.StateNumber == "":
		m.note(models.SeverityError, "ID_MISSING", "SSTPID", "The organization has no Streamlined id (S and 8 digits), which the "+
			"ids of its documents begin with: enter it as sst_id in its settings.", 1, money.Total{})
	default:
		m.number = t.StateNumber
		m.rest(one.Confidence)
		if !isStateNumber(m.number, digitsOf(t.TIN)) {
			m.note(models.SeverityError, "ID_FORMAT", "StateID", "The sales tax id of the registration is to be the number of the state: up to "+
				"20 letters, digits and hyphens, and not the federal tax id.", 1, money.Total{})
		}
	}
	m.tin = digitsOf(t.TIN)
	switch {
	case t.TIN == "":
		m.note(models.SeverityError, "ID_MISSING", "FedTIN",
			"The organization has no federal tax id of 9 digits: enter it as ein in its business details.",
			1, money.Total{})
	case !isTIN(m.tin):
		m.note(models.SeverityError, "ID_FORMAT", "FedTIN", "The federal tax id of the organization is 9 digits, with or without dashes: "+
			"mend ein in its business details.", 1, money.Total{})
	case !slices.Contains(tinTypes, cmp.Or(t.TINType, tinFEIN)):
		m.note(models.SeverityError, "ID_FORMAT", "FedTIN", "The type of the federal tax id is unknown.", 1, money.Total{})
	}
	m.identifyDocument()
}

// identifyDocument checks the ids of the attempt; a preview gets zeros.
func (m *maker) identifyDocument() {
	if m.preview {
		zeros := strings.Repeat("0", idLength)
		m.IDs = IDs{Transmitter: m.Taxpayer.Number, Transmission: zeros, Document: zeros}
		return
	}
	if ids := m.IDs; len(ids.Transmitter) != transmitterLength || !isID(ids.Transmission) || !isID(ids.Document) ||
		ids.Transmission == ids.Document {
		m.note(models.SeverityError, "ID_FORMAT", "TransmissionId", "The ids of the attempt are not two that differ of 20 characters, and "+
			"the transmitter one of 9.", 1, money.Total{})
	}
}

// digitsOf returns a number without its dashes.
func digitsOf(number string) string { return strings.ReplaceAll(strings.TrimSpace(number), "-", "") }

func (m *maker) fileName() string {
	name := "US-" + m.Layout.State + "-" + calendar.DateOf(m.Filing.StartDate).String() + "-" + calendar.DateOf(m.Filing.EndDate).String()
	if m.amended {
		name += "-amended"
	}
	return name + ".xml"
}

// checkConfidence says how sure the return is. Levy gives no bytes that rest on a rule that was not read.
func (m *maker) checkConfidence() {
	if m.breakouts() {
		m.rest(m.Layout.Rule(tax.SimplifiedBreakout).Confidence)
	}
	if m.sure == tax.ConfidenceMedium {
		m.note(models.SeverityInfo, "LAYOUT_MED", "", "Parts of the return rest on what was not read again: compare what the state shows with "+
			"these lines.", 0, money.Total{})
	}
}

// checkBytes reads the document as the state does, before anything leaves.
func (m *maker) checkBytes(document []byte) {
	faults := len(Sums(document))
	for _, e := range Validate(document, Receiver{
		Layout: m.Layout, Test: m.Test, SignedIn: m.IDs.Transmitter, ContentType: MediaType, Day: m.Day,
	}) {
		// guard: simplified: a preview has zeros for both ids, which no state gets
		if e.Number != numberDuplicate || !m.preview {
			faults++
			if e.Number == numberSettlement {
				m.note(models.SeverityError, "PAYMENT_DAY", "RequestedPaymentDate", "The day of payment is over, or banks do not work on it.",
					1, money.Total{})
			}
		}
	}
	// guard: simplified: a document that the state would refuse does not leave
	if faults > 0 || !bytes.Contains(document, []byte(m.IDs.Transmission)) {
		m.note(models.SeverityError, "DOCUMENT_WRONG", "", "The document does not keep the rules of the state: do not file it, and tell your "+
			"operator.", int64(faults), money.Total{})
	}
}
