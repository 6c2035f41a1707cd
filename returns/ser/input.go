package ser

import (
	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// Input is what a return is made of.
type Input struct {
	Layout  tax.SimplifiedReturn
	Filing  models.Filing
	Figures models.FilingFigures
	Entries []models.FilingEntry
	// Before has what was filed for the period before, of an amendment: the return and its filed amendments. The document
	// of an amendment replaces theirs, so it repeats their figures.
	Before   []Before
	Taxpayer Taxpayer
	// Located tells that the seller has a place in the state, so that goods of an unknown origin may ship from there.
	Located bool
	// IDs are those of the attempt. A preview has none, and shows zeros.
	IDs  IDs
	Test bool          // the document is marked as a test
	Day  calendar.Date // of sending: the postmark
	// Allowance returns what the state leaves to sellers that file in time, of the state tax and of all tax; nil if nothing is
	// known. It is proposed: the return takes the discount that was entered in the filing.
	Allowance func(state, all money.Total) (money.Total, error)
	Payment   *Payment // the state draws what is due from this account; nil if it is paid otherwise
}

// Before is a return or amendment that was filed before.
type Before struct {
	Figures   models.FilingFigures
	Entries   []models.FilingEntry
	Discounts money.Total
}

// Taxpayer are the numbers of a seller. Number is that of the agreement, "S" and 8 digits; StateNumber is used without it.
type Taxpayer struct {
	Number, StateNumber string
	TIN, TINType        string // 9 digits, also with dashes; the type is FEIN if it is empty
}

// IDs are how a state recognises a document that it gets again.
type IDs struct{ Transmitter, Transmission, Document string }

// IDsOf returns the ids of a stored document.
func IDsOf(d *models.FilingDocument) IDs {
	return IDs{Transmitter: d.Transmitter, Transmission: d.TransmissionID, Document: d.DocumentID}
}

// Payment is the account from which the state draws what is due.
type Payment struct {
	Savings                  bool // otherwise a checking account
	Routing, Account, Holder string
	Person                   bool // otherwise a business
	On                       calendar.Date
}

// Document is a return as a state takes it, and its lines for people. Without bytes it is only the lines: a finding says
// why.
type Document struct {
	Layout, MediaType, FileName string
	Bytes                       []byte
	TransmissionID, DocumentID  string
	Lines                       []Line
	Sure                        tax.Confidence // the lowest of what the return rests on
}

// Line is a line of the return. Figures are the positions of the figures that add up to it: first those of the filing, then
// those of Before in its order.
type Line struct {
	Line, Name string
	Amount     money.Total
	Rule       string
	Sure       tax.Confidence
	Figures    []int
}

// Finding is what a person should know of a return. Line is "" if it is about all of it. With an ERROR there are no bytes.
type Finding struct {
	Severity, Code, Line, Message string
	Count                         int64
	Amount                        money.Total
}
