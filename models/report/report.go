// Package report is the report of a filing as a document: what it says, its one
// canonical form as JSON, and the hash over that form.
//
// The canonical form is RFC 8785: members sorted by name, no white space, one way to
// write every text. The hash is the SHA-256 of the report in that form while
// report_hash is null, so that anybody can recompute it from the report alone. For
// the same reason amounts are the decimal texts of the contract, with two decimals.
//
// A report has one Head and any number of Transactions. Nothing here holds more than
// one transaction at a time. Fields are declared in the order of their names in JSON:
// that is what makes the form canonical.
package report

import "time"

// Head is a report without its transactions.
type Head struct {
	ContentVersions []string       `json:"content_versions"` // those the transactions were taxed by, sorted
	Excluded        *Exclusion     `json:"excluded_unresolved,omitzero"`
	Filing          Filing         `json:"filing"`
	GeneratedAt     time.Time      `json:"generated_at"` // when it was filed; of a preview, now; in UTC
	Jurisdictions   []Jurisdiction `json:"jurisdictions"`
	Hash            *string        `json:"report_hash"`       // nil before FILED
	Taxpayer        *Taxpayer      `json:"taxpayer,omitzero"` // nil in reports of before it was kept
	Totals          Totals         `json:"totals"`

	// Test says that nothing was filed with anybody: the organization is one for tests, or the
	// confirmation is that of the simulated authority. It stands in the PDF alone.
	Test bool `json:"-"`
	// History is what happened to the filing, the oldest first. It stands in the PDF alone.
	History []Event `json:"-"`
}

// Taxpayer is for whom a filing is, as the organization said it in its onboarding; of what it
// has not said there is nothing.
type Taxpayer struct {
	Address    []string `json:"address,omitzero"` // line by line
	DBA        string   `json:"dba,omitzero"`
	EIN        string   `json:"ein,omitzero"` // of the United States
	Name       string   `json:"legal_name,omitzero"`
	SalesTaxID string   `json:"sales_tax_id,omitzero"` // of the registration
	TaxID      string   `json:"tax_id,omitzero"`
}

// EachTaxID changes the numbers of a taxpayer.
func (t *Taxpayer) EachTaxID(change func(string) (string, error)) (err error) {
	for _, text := range []*string{&t.EIN, &t.SalesTaxID, &t.TaxID} {
		if *text, err = change(*text); err != nil {
			return err
		}
	}
	return nil
}

// Exclusion is what the approval left out by decision, because it could not be processed.
type Exclusion struct {
	Amount       string     `json:"amount"` // of those with a reference rate
	DecidedAt    *time.Time `json:"decided_at"`
	DecidedBy    *string    `json:"decided_by"`
	Count        int64      `json:"transaction_count"`
	Transactions []Excluded `json:"transactions"` // in the order of their ids
}

// Excluded is a transaction that was left out, as it was then.
type Excluded struct {
	Amount     *string   `json:"amount"` // net, in the currency of the filing; nil without a reference rate
	ExternalID string    `json:"external_id"`
	Reason     *string   `json:"reason"`
	TaxDate    time.Time `json:"tax_date,format:DateOnly"`
	ID         string    `json:"transaction_id"`
	Type       string    `json:"type"`
}

// Event is something that happened to the filing, in words.
type Event struct {
	At       time.Time
	Action   string
	By, Note string
}

// Filing is what a report says of its filing: what was filed for whom, and what
// came back. What people note beside it is not part of it.
type Filing struct {
	AmendsFilingID        *string    `json:"amends_filing_id"`
	ApprovedAt            *time.Time `json:"approved_at"`
	ApprovedBy            *string    `json:"approved_by"`
	CountryCode           string     `json:"country_code"`
	Currency              *string    `json:"currency"` // of all amounts of the report
	DateFiled             *time.Time `json:"date_filed,format:DateOnly"`
	DueDate               *time.Time `json:"due_date,format:DateOnly"`
	EndDate               time.Time  `json:"end_date,format:DateOnly"`
	Category              string     `json:"filing_category"`
	Frequency             *string    `json:"filing_frequency"`
	ID                    string     `json:"id"`
	OrganizationID        string     `json:"organization_id"`
	PaymentConfirmationID *string    `json:"payment_confirmation_id"`
	RegistrationID        string     `json:"registration_id"`
	ReturnConfirmationID  *string    `json:"return_confirmation_id"`
	StartDate             time.Time  `json:"start_date,format:DateOnly"`
	StateCode             *string    `json:"state_code"`
	StateName             *string    `json:"state_name"`
	Status                string     `json:"status"`
}

// Totals are the amounts of the filing. Credit notes count as negative sales.
type Totals struct {
	Amount                      string `json:"amount"` // what is paid
	AmountAdjusted              string `json:"amount_adjusted"`
	AmountCalculated            string `json:"amount_calculated"`
	AmountDiscounts             string `json:"amount_discounts"`
	AmountFees                  string `json:"amount_fees"`
	AmountPenalties             string `json:"amount_penalties"`
	AmountSales                 string `json:"amount_sales"`
	AmountTaxCollected          string `json:"amount_tax_collected"`
	MarketplaceTransactionCount int64  `json:"marketplace_transaction_count"`
	TaxRemitted                 string `json:"tax_remitted"`
	TotalTaxLiability           string `json:"total_tax_liability"`
	TotalTaxableSales           string `json:"total_taxable_sales"`
	TransactionCount            int64  `json:"transaction_count"` // those without marketplace
}

// Jurisdiction is what the transactions owe to one of the places that tax them.
type Jurisdiction struct {
	Code          string `json:"code"`
	Name          string `json:"jurisdiction_name"`
	Type          string `json:"jurisdiction_type"`
	TaxAmount     string `json:"tax_amount"`
	TaxableAmount string `json:"taxable_amount"`
}

// Reader is who gets a report while it is read: its head, then its transactions. What either function gets is valid
// until it returns, and its error ends the report.
type Reader struct {
	Head        func(*Head) error
	Transaction func(*Transaction) error
	// Limit is the most transactions; 0 for all. A report with a limit is for people: its head has the history.
	Limit int
	Taxes bool // each transaction comes with its tax by jurisdiction
}

// Transaction is a row of the report: what one sale or credit note adds to the
// totals.
type Transaction struct {
	Exempt        string    `json:"exempt"`
	ExternalID    string    `json:"external_id"`
	Marketplace   bool      `json:"marketplace"`
	NetAmount     string    `json:"net_amount"`
	TaxCalculated string    `json:"tax_calculated"`
	TaxCollected  string    `json:"tax_collected"`
	TaxDate       time.Time `json:"tax_date,format:DateOnly"`
	TaxLiability  string    `json:"tax_liability"`
	TaxableAmount string    `json:"taxable_amount"`
	ID            string    `json:"transaction_id"`
	Type          string    `json:"type"`

	// Taxes are the amounts for the jurisdictions of the head, in their order, "" for
	// those that do not tax it. They stand in the CSV alone.
	Taxes []string `json:"-"`
}
