package ser

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"strings"

	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// The words of the schema.
const (
	returnOnly   = "SEROnly"
	withPayment  = "SERWithPayment"
	onlyPayment  = "PaymentOnly"
	prepayment   = "PrePayment"
	tinFEIN      = "FEIN"
	taxCode      = "041" // sales tax, by the list of tax types of the Federation of Tax Administrators
	mostHolder   = 22
	idLength     = 20
	mostFieldIDs = 15
)

var tinTypes = []string{tinFEIN, "SSN", "Foreign"}

const transmitterLength = 9

// writer writes elements, each on its line.
type writer struct {
	bytes.Buffer
	open []string
}

func (w *writer) indent() { w.WriteString(strings.Repeat("  ", len(w.open))) }

func (w *writer) begin(name, attributes string) {
	w.indent()
	w.WriteString("<" + name + attributes + ">\n")
	w.open = append(w.open, name)
}

func (w *writer) end() {
	name := w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	w.indent()
	w.WriteString("</" + name + ">\n")
}

func (w *writer) text(name, text string) { w.marked(name, "", text) }

func (w *writer) marked(name, attributes, text string) {
	w.indent()
	w.WriteString("<" + name + attributes + ">")
	_ = xml.EscapeText(w, []byte(text)) // a buffer takes all of it
	w.WriteString("</" + name + ">\n")
}

func (w *writer) amount(name string, sum money.Total) { w.text(name, sum.String()) }

// some writes an amount that is not zero.
func (w *writer) some(name string, sum money.Total) {
	if !sum.IsZero() {
		w.amount(name, sum)
	}
}

// write returns the bytes of the return.
func (m *maker) write() []byte {
	w, kind, process := &writer{}, returnOnly, "P"
	if m.Payment != nil {
		kind = withPayment
	}
	if m.Test {
		process = "T"
	}
	w.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	w.begin("SSTSimplifiedReturnTransmission", ` transmissionVersion="`+m.Layout.Edition+`"`)
	w.begin("TransmissionHeader", "")
	w.text("TransmissionId", m.IDs.Transmission)
	w.begin("Transmitter", "")
	w.text("ETIN", m.IDs.Transmitter)
	w.end()
	w.text("ProcessType", process)
	w.text("DocumentCount", "1")
	if m.Payment != nil {
		w.amount("TransmissionPaymentHash", m.due.Total)
	}
	w.end()
	w.begin("SimplifiedReturnDocument", "")
	w.text("DocumentId", m.IDs.Document)
	w.text("DocumentType", kind)
	m.writeHeader(w, kind)
	m.writeReturn(w)
	if m.Payment != nil {
		m.writePayment(w)
	}
	w.end()
	w.end()
	return w.Bytes()
}

func (m *maker) writeHeader(w *writer, kind string) {
	w.begin("SSTFilingHeader", "")
	w.marked("ElectronicPostmark", ` DateSupplier="Transmitter"`, m.Day.String())
	w.text("TaxPeriodStartDate", calendar.DateOf(m.Filing.StartDate).String())
	w.text("TaxPeriodEndDate", calendar.DateOf(m.Filing.EndDate).String())
	w.text("FilingType", kind)
	if m.shared {
		w.text("SSTPID", m.number)
	} else {
		w.text("StateID", m.number)
	}
	w.begin("TIN", ` TypeTIN="`+cmp.Or(m.Taxpayer.TINType, tinFEIN)+`"`)
	w.text("FedTIN", m.tin)
	w.end()
	w.text("FIPSCode", m.Layout.Code)
	w.end()
}

func (m *maker) writeReturn(w *writer) {
	kind := "O"
	if m.amended {
		kind = "A"
	}
	w.begin("SimplifiedElectronicReturn", "")
	w.text("ReturnType", kind)
	w.amount("TotalSales", m.sales.Total)
	w.amount("ExemptionsDeductions", m.exempt.Total)
	if m.breakouts() {
		for i := range m.breakout {
			if sum := m.breakout[i].Total; !sum.IsZero() {
				w.begin("ExemptionDeductionBreakout", "")
				w.text("ExemptionType", exemptionTypes[i])
				w.amount("ExemptionAmount", sum)
				w.end()
			}
		}
	}
	w.amount("TaxableSales", m.taxable.Total)
	w.amount("StateTaxDueSalesInState", m.inState.Total)
	w.amount("StateTaxDueSalesOrigOutOfState", m.outside.Total)
	w.amount("StateTaxDueOwnPurchWithdraw", m.own.Total)
	w.amount("StateTaxDueFoodDrug", m.food.Total)
	for _, code := range m.codes() {
		l := m.locals[code]
		w.begin("JurisdictionDetail", "")
		w.text("JurisdictionCode", code)
		w.amount("JurisTaxDueSalesInState", l.inState.Total)
		w.amount("JurisTaxDueSalesOrigOutOfState", l.outside.Total)
		w.some("JurisTaxDueOwnPurchWithdraw", l.own.Total)
		w.end()
	}
	w.amount("TotalTaxDue", m.total.Total)
	w.some("InterestDue", m.interest.Total)
	w.some("PenaltyDue", m.penalty.Total)
	w.some("Discounts", m.discounts.Total)
	w.some("Priorpayments", m.prior.Total)
	w.some("NewPrepayments", m.next.Total)
	w.amount("AmountDueOrRefund", m.due.Total)
	w.end()
}

// writePayment writes what the state draws, divided into tax, penalty and interest.
func (m *maker) writePayment(w *writer) {
	p, rule := m.Payment, m.Layout.Rule(tax.SimplifiedPayment)
	kind, holder := "Checking", "1"
	if p.Savings {
		kind = "Savings"
	}
	if p.Person {
		holder = "2"
	}
	w.begin("FinancialTransaction", "")
	w.begin("StatePayment", "")
	w.text(kind, "X")
	w.text("RoutingTransitNumber", p.Routing)
	w.text("BankAccountNumber", p.Account)
	w.amount("PaymentAmount", m.due.Total)
	if p.Holder != "" {
		w.text("AccountHolderName", p.Holder)
	}
	w.text("AccountHolderType", holder)
	w.text("RequestedPaymentDate", p.On.String())
	w.begin("AddendaRecord", "")
	w.text("TaxpayerIdentification", m.number[:min(len(m.number), mostFieldIDs)])
	w.begin("TaxTypeCode", "")
	w.text("FTACode", taxCode)
	w.text("StateTaxTypeCode", rule.Value[0])
	w.end()
	w.text("TaxPeriodEndDate", calendar.DateOf(m.Filing.EndDate).String())
	m.writeParts(w)
	w.end()
	w.text("NotIATTransaction", "X")
	w.end()
	w.end()
}

// writeParts writes the parts of a payment, which add up to it. An amount below interest and penalty is all tax.
func (m *maker) writeParts(w *writer) {
	parts := []struct {
		kind string
		sum  money.Total
	}{{"T", m.due.Total}, {"P", m.penalty.Total}, {"I", m.interest.Total}}
	rest := amount{Total: m.due.Total}
	m.add(&rest, m.penalty.Neg())
	m.add(&rest, m.interest.Neg())
	if rest.IsNeg() {
		parts = parts[:1]
	} else {
		parts[0].sum = rest.Total
	}
	for _, part := range parts {
		if !part.sum.IsZero() {
			w.begin("TXPAmount", "")
			w.text("SubAmountType", part.kind)
			w.amount("SubAmount", part.sum)
			w.end()
		}
	}
}
