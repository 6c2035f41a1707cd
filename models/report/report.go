// Package report is the report of a filing as a document: its content, its canonical form as JSON,
// and the hash over that form.
//
// The canonical form is RFC 8785: members sorted by name, no white space, one way to write every text.
// The hash is the SHA-256 of the report in that form with report_hash null, so that a reader can recompute it from the
// report alone. For the same reason amounts are the decimal texts of the contract, with two decimals.
//
// A report has one Head and any number of Transactions. Nothing here has more than one transaction in memory.
// Fields are declared in the order of their names in JSON, which makes the form canonical.
package report

import "time"

// Head is a report without its transactions.
type Head struct {
	ContentVersions []string       `json:"content_versions"` // those that taxed the transactions, sorted
	Excluded        *Exclusion     `json:"excluded_unresolved,omitzero"`
	Filing          Filing         `json:"filing"`
	GeneratedAt     time.Time      `json:"generated_at"` // when it was filed; of a preview, now; in UTC
	Jurisdictions   []Jurisdiction `json:"jurisdictions"`
	Hash            *string        `json:"report_hash"`       // nil before FILED
	Taxpayer        *Taxpayer      `json:"taxpayer,omitzero"` // nil in early reports
	Totals          Totals         `json:"totals"`

	// Test means that nothing was really filed: the organization is one for tests, or the confirmation is that of the
	// simulated authority. Only the PDF has it.
	Test bool `json:"-"`
	// History is the history of the filing, the oldest entry first. Only the PDF has it.
	History []Event `json:"-"`
}

// Taxpayer is the taxpayer of a filing, by the onboarding of the organization. It lacks unknown values.
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

// Exclusion are the transactions that the approval excluded because they could not be processed.
type Exclusion struct {
	Amount       string     `json:"amount"` // of those with a reference rate
	DecidedAt    *time.Time `json:"decided_at"`
	DecidedBy    *string    `json:"decided_by"`
	Count        int64      `json:"transaction_count"`
	Transactions []Excluded `json:"transactions"` // in the order of their ids
}

// Excluded is an excluded transaction as it was then.
type Excluded struct {
	Amount     *string   `json:"amount"` // net, in the currency of the filing; nil without a reference rate
	ExternalID string    `json:"external_id"`
	Reason     *string   `json:"reason"`
	TaxDate    time.Time `json:"tax_date,format:DateOnly"`
	ID         string    `json:"transaction_id"`
	Type       string    `json:"type"`
}

// Event is an entry of the history of the filing, as text.
type Event struct {
	At       time.Time
	Action   string
	By, Note string
}

// Filing is the part of a report about its filing: its content, its taxpayer and the confirmations.
// It has no notes of people.
type Filing struct {
	AmendedTotals         *AmendedTotals `json:"amended_totals,omitzero"` // of an amendment; early reports do not have it
	AmendsFilingID        *string        `json:"amends_filing_id"`
	ApprovedAt            *time.Time     `json:"approved_at"`
	ApprovedBy            *string        `json:"approved_by"`
	CountryCode           string         `json:"country_code"`
	Currency              *string        `json:"currency"` // of all amounts of the report
	DateFiled             *time.Time     `json:"date_filed,format:DateOnly"`
	DueDate               *time.Time     `json:"due_date,format:DateOnly"`
	EndDate               time.Time      `json:"end_date,format:DateOnly"`
	Category              string         `json:"filing_category"`
	Frequency             *string        `json:"filing_frequency"`
	Findings              []Finding      `json:"findings,omitzero"` // of its claim; nil in early reports
	ID                    string         `json:"id"`
	OrganizationID        string         `json:"organization_id"`
	PaymentConfirmationID *string        `json:"payment_confirmation_id"`
	RegistrationID        string         `json:"registration_id"`
	ReturnConfirmationID  *string        `json:"return_confirmation_id"`
	StartDate             time.Time      `json:"start_date,format:DateOnly"`
	StateCode             *string        `json:"state_code"`
	StateName             *string        `json:"state_name"`
	Status                string         `json:"status"`
}

// Finding is what a person should know of the filing.
type Finding struct {
	Amount   string `json:"amount"`
	Code     string `json:"code"`
	Count    int64  `json:"count"`
	Message  string `json:"message"`
	Severity string `json:"severity"`
}

// AmendedTotals are what the return of the period should have been, by an amendment and everything filed before it.
type AmendedTotals struct {
	AmountCalculated            string `json:"amount_calculated"`
	AmountSales                 string `json:"amount_sales"`
	AmountTaxCollected          string `json:"amount_tax_collected"`
	PreviouslyPaid              string `json:"previously_paid"`
	PreviouslyReportedLiability string `json:"previously_reported_liability"`
	TotalTaxLiability           string `json:"total_tax_liability"`
	TotalTaxableSales           string `json:"total_taxable_sales"`
}

// Totals are the amounts of the filing. Credit notes count as negative sales. Early reports do not have those that may be
// omitted.
type Totals struct {
	Amount                      string `json:"amount"` // the amount to pay
	AmountAdjusted              string `json:"amount_adjusted"`
	AmountCalculated            string `json:"amount_calculated"`
	AmountCreditApplied         string `json:"amount_credit_applied,omitempty"`
	AmountCreditCarried         string `json:"amount_credit_carried,omitempty"`
	AmountDeferred              string `json:"amount_deferred,omitempty"` // of a prepayment: what is not paid with it
	AmountDiscounts             string `json:"amount_discounts"`
	AmountFees                  string `json:"amount_fees"`
	AmountPenalties             string `json:"amount_penalties"`
	AmountPrepaid               string `json:"amount_prepaid,omitempty"`
	AmountSales                 string `json:"amount_sales"`
	AmountTaxCollected          string `json:"amount_tax_collected"`
	MarketplaceTransactionCount int64  `json:"marketplace_transaction_count"`
	TaxRemitted                 string `json:"tax_remitted"`
	TotalTaxLiability           string `json:"total_tax_liability"`
	TotalTaxableSales           string `json:"total_taxable_sales"`
	TransactionCount            int64  `json:"transaction_count"` // those without marketplace
}

// Jurisdiction are the sums of the transactions for one of the places that tax them.
type Jurisdiction struct {
	Code          string `json:"code"`
	Name          string `json:"jurisdiction_name"`
	Type          string `json:"jurisdiction_type"`
	TaxAmount     string `json:"tax_amount"`     // owed there
	TaxableAmount string `json:"taxable_amount"` // of what may be owed there

	// By law and of all transactions. Early reports do not have them: their other amounts are these.
	TaxCalculated     *string `json:"tax_calculated,omitzero"`
	TaxableCalculated *string `json:"taxable_calculated,omitzero"`
}

// Reader receives a report while it is read: its head, then its transactions. The argument of either function is valid
// until it returns, and its error ends the report.
type Reader struct {
	Head        func(*Head) error
	Transaction func(*Transaction) error
	// Limit is the most transactions; 0 for all. A report with a limit is for people: its head has the history.
	Limit int
	Taxes bool // each transaction comes with its tax by jurisdiction
}

// Transaction is a row of the report: the amounts of one sale or credit note in the totals.
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

	// Taxes are the amounts for the jurisdictions of the head, in their order, "" for those that do not tax it.
	// Only the CSV has them.
	Taxes []string `json:"-"`
}
