package models

import (
	"fmt"
	"strings"

	"github.com/govalues/decimal"

	"levy/tax/money"
)

// The signs of figures.
const (
	FigureSale   = "SALE"
	FigureRefund = "REFUND"
)

// The channels of figures. Sales on a day without an obligation have one of their own, because no form has them.
const (
	ChannelOwn          = "OWN"
	ChannelMarketplace  = "MARKETPLACE"
	ChannelNoObligation = "NO_OBLIGATION"
)

// The origins of figures: from where goods ship, seen from the authority.
const (
	OriginInState    = "IN_STATE"
	OriginOutOfState = "OUT_OF_STATE"
	OriginUnknown    = "UNKNOWN"
)

// The categories of figures whose sales are not taxed in full. Taxed figures have none.
const (
	CategoryResale        = "RESALE"
	CategoryCustomer      = "CUSTOMER"
	CategoryTransaction   = "TRANSACTION"
	CategoryProduct       = "PRODUCT"
	CategoryNotTaxable    = "NOT_TAXABLE"
	CategoryZeroRate      = "ZERO_RATE"
	CategoryThreshold     = "THRESHOLD"
	CategoryHoliday       = "TAX_HOLIDAY"
	CategoryReverseCharge = "REVERSE_CHARGE"
	CategoryExport        = "EXPORT"
	CategoryNoRule        = "NO_RULE"
	CategoryPartial       = "PARTIAL"
	// CategoryAdditional is of a further tax of the authority on sales whose base another figure has. Its base is no part of what
	// is taxable.
	CategoryAdditional = "ADDITIONAL"
)

// FigureKey says what a figure is about, in the terms in which forms ask.
type FigureKey struct {
	Level    string // type of the jurisdiction
	Rate     string // that was applied, such as "0.0625"
	Sign     string
	Channel  string
	Origin   string
	Category string // why it is not taxed in full; "" if it is
	Class    string // the tax class; "" for tax that no line bears
	Name     string // of the jurisdiction
}

// figureFields is the number of the fields of a key.
const figureFields = 8

// fields returns the fields as they are stored. The name comes last, because it may have any character.
func (k *FigureKey) fields() [figureFields]string {
	return [...]string{k.Level, k.Rate, k.Sign, k.Channel, k.Origin, k.Category, k.Class, k.Name}
}

// String returns the key as it is stored.
func (k FigureKey) String() string {
	fields := k.fields()
	return strings.Join(fields[:], "|")
}

// Compare compares the texts of two keys, without making them.
func (k *FigureKey) Compare(other *FigureKey) int {
	mine, others := k.fields(), other.fields()
	for i := range figureFields - 1 {
		if mine[i] != others[i] {
			return strings.Compare(mine[i]+"|", others[i]+"|")
		}
	}
	return strings.Compare(k.Name, other.Name)
}

// ParseFigureKey reads a stored key. Errors: a text that is none.
func ParseFigureKey(text string) (k FigureKey, err error) {
	parts := strings.SplitN(text, "|", figureFields)
	if len(parts) != figureFields {
		return k, fmt.Errorf("%q is no key of a figure", text)
	}
	return FigureKey{
		Level: parts[0], Rate: parts[1], Sign: parts[2], Channel: parts[3], Origin: parts[4], Category: parts[5],
		Class: parts[6], Name: parts[7],
	}, nil
}

// Figure is a part of what a transaction says to the return of an authority. The amounts of refunds are negative. Figures
// of the level of the authority itself have all of its sales once; those of other levels have no gross.
type Figure struct {
	FigureKey
	Gross   decimal.Decimal // net sales, before tax
	Taxable decimal.Decimal
	Tax     decimal.Decimal // calculated
	Owed    decimal.Decimal // its part of the liability
}

// Add adds amounts of a line. Errors: money.ErrOverflow.
func (x *Figure) Add(gross, taxable, calculated decimal.Decimal) (err error) {
	if x.Gross, err = money.Add(x.Gross, gross); err != nil {
		return err
	}
	if x.Taxable, err = money.Add(x.Taxable, taxable); err != nil {
		return err
	}
	x.Tax, err = money.Add(x.Tax, calculated)
	return err
}

// FilingFigure is the sum of such figures over the transactions of a filing, in the currency of the filing.
type FilingFigure struct {
	FigureKey
	Place                     string // the jurisdictions below the authority, such as "Harris County, Houston, Houston MTA (METRO)"
	Transactions              int64
	Gross, Taxable, Tax, Owed money.Total
}

// FilingFigures are all figures of a filing. Missing is the number of its transactions whose figures are not written
// yet. Frozen tells whether the claim has fixed them. Registered tells whether the registration has a number of the
// authority.
type FilingFigures struct {
	Figures    []FilingFigure
	Missing    int64
	Frozen     bool
	Registered bool
}

// FigureTotal is the total of a transaction that has no figures, with what they are decided from.
type FigureTotal struct {
	AuthorityTotal
	OrganizationID string
	TransactionID  string
	Epoch          int
	Type           TransactionType
	Marketplace    bool
	Origin         []byte // a tax.Place as JSON; nil if it is unknown
	Explanation    []byte // nil without one
	ConversionRate decimal.Decimal
}

// MostMissing is up to how many totals without figures are counted.
const MostMissing = 1_000_000

// FigureRun tells how far the run is that writes the figures of transactions of earlier releases.
type FigureRun struct {
	Missing int64 `json:"missing"` // totals without figures, MostMissing at most
	Returns int64 `json:"returns"` // claimed returns whose sums are not complete
}
