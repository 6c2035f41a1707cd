package models

import (
	"strings"
	"time"

	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// ReturnFinding is what a person should know of a worksheet or a document of a return. Line is "" if it is about all of
// it. An ERROR of a document means that there is none.
type ReturnFinding struct {
	Severity string      `json:"severity"`
	Code     string      `json:"code"`
	Line     string      `json:"line,omitempty"`
	Message  string      `json:"message"`
	Count    int64       `json:"count,omitempty"`
	Amount   money.Total `json:"amount,omitzero"`
}

// IsSimplifiedLayout reports whether a layout is that of the simplified return of the Streamlined states.
func IsSimplifiedLayout(layout string) bool {
	_, simplified := SimplifiedEdition(layout)
	return simplified
}

// SimplifiedEdition returns the edition of the schema in the layout of a simplified return; false for another layout.
func SimplifiedEdition(layout string) (edition string, simplified bool) {
	return strings.CutPrefix(layout, tax.SimplifiedLayout)
}

// ReturnFiler is the taxpayer of a return, as its document names it. Account is the number that the authority gave.
type ReturnFiler struct {
	Name, Account         string
	SharedNumber          string // of the Streamlined Sales Tax registration: "S" and 8 digits
	EIN                   string // of the United States
	Contact, Email, Phone string // the person whom the authority may ask
	TaxID                 string // the number for VAT
	Member                string // of the Union, that identifies the seller at the Union scheme of the one-stop shop; "" elsewhere
}

// ReturnFacts are what the document of an attempt is made of: the filing with its entries, its frozen
// figures, and its taxpayer.
type ReturnFacts struct {
	Filing  Filing
	Figures FilingFigures
	Filer   ReturnFiler
	Test    bool // of a test organization
	Located bool // the organization has a presence in the jurisdiction in the period
	// Before are the return that an amendment corrects and its filed amendments, the oldest first. It is read of test
	// organizations alone, because simplified returns are the only ones that use it.
	Before []FiledBefore
	// Corrections are what a regular return of the one-stop shop corrects of earlier periods.
	Corrections ShopCorrections
	// Simplified tells that the document is the simplified electronic return.
	Simplified bool
	// British tells that the document is the VAT return of the United Kingdom, which an adapter sends.
	British bool
	// Fields are those of the registration that are for its authority alone.
	Fields map[string]string
	// Document is the one of the last attempt that has one; nil for none.
	Document *FilingDocument
}

// FiledBefore is a filed return or amendment, with its entries and figures.
type FiledBefore struct {
	Filing  Filing
	Figures FilingFigures
}

// ShopCorrections are the amendments of earlier periods of a scheme whose differences a return of the one-stop shop has. An
// amendment is in one return. Waiting counts the amendments that are in none yet, and not in this one.
type ShopCorrections struct {
	Amendments []FiledBefore // the oldest period first
	Waiting    int64
}

// FilingDocument is what an authority gets of one attempt of a filing. It is written once: a repetition sends the same
// bytes, and another attempt has ids of its own.
type FilingDocument struct {
	Attempt                                 int
	Layout, MediaType, FileName             string
	Transmitter, TransmissionID, DocumentID string
	Day                                     calendar.Date // of filing, by the calendar of the authority
	Content                                 []byte
	Hash                                    string // SHA-256 of the content, hexadecimal
	Findings                                []ReturnFinding
	BuiltAt                                 time.Time
}
