package content

import (
	"errors"
	"fmt"
	"iter"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/nexus"
)

// Data is everything a Content is made of: dated rows as they stand in the
// content tables, each with the place it was read from.
type Data struct {
	Version       string
	Countries     []CountryRow
	Sources       []SourceRow
	Jurisdictions []JurisdictionRow
	Rates         []RateRow
	// Places is read once, in order of ZIP; its strings are not kept.
	Places   iter.Seq2[PlaceRow, error]
	Coverage []CoverageRow
	// Publications are the tables of rates that the states publish.
	Publications []PublicationRow
	Sourcing     []SourcingRow
	Taxability   []TaxabilityRow
	LocalRules   []LocalRuleRow
	Tiers        []TierRow
	Holidays     []HolidayRow
	Categories   []CategoryRow
	// Nexus, FilingDues and HolidayRules are about obligations, not about tax.
	Nexus        []nexus.Row
	FilingDues   []calendar.DueRow
	HolidayRules []calendar.HolidayRow
	FilingSites  []FilingSiteRow
	Layouts      []ReturnLayoutRow
	LayoutLines  []ReturnLineRow
	Allowances   []VendorAllowanceRow

	RegistrationFields []RegistrationFieldRow
	// SimplifiedLines and SimplifiedRules serve the return that the states of an agreement share.
	SimplifiedLines []SimplifiedLineRow
	SimplifiedRules []SimplifiedRuleRow
	ReturnFiles     []ReturnFileRow
	ReturnCodes     []ReturnCodeRow
	// Boundaries names the boundary files imported by the operator.
	Boundaries []BoundaryRow
	// ClassRules, Territories and ImportLimits serve countries with a VAT or a
	// similar tax.
	ClassRules   []ClassRuleRow
	Territories  []TerritoryRow
	ImportLimits []ImportLimitRow
	// BorderTaxes and ReverseCharges serve countries whose law about sellers from abroad is no scheme of Europe.
	BorderTaxes    []BorderTaxRow
	ReverseCharges []ReverseChargeRow
	// OtherTaxes are known to exist and not calculated.
	OtherTaxes      []OtherTaxRow
	MarketplaceLaws []MarketplaceLawRow
	DiscountLaws    []DiscountLawRow
}

// RowRef says where a row was read, so that an error can name it.
type RowRef struct {
	File string
	Line int
}

// String is "file:line".
func (r RowRef) String() string { return fmt.Sprintf("%s:%d", r.File, r.Line) }

// CountryRow is one country of the closed set.
type CountryRow struct{ Code, Name string }

// SourceRow is one publication that rates are taken from. Without an edition, a rate names the day on
// which it was known.
type SourceRow struct{ ID, Title, Publisher, Edition string }

// JurisdictionRow is one taxing place. Label and Slug, when set, replace the
// name in answers and in rule ids. Statewide marks a local tax that is due
// everywhere in its state.
type JurisdictionRow struct {
	At                             RowRef
	ID, Country, State, Level      string
	Name, Parent, Code, CodeSystem string
	Label, Slug                    string
	Statewide                      bool
}

// RateRow is one rate of one jurisdiction for one period. Class is empty for
// the general rate. CertainStart tells whether From is the true start of the
// rate and not merely the first day on which it is evidenced.
type RateRow struct {
	At             RowRef
	JurisdictionID string
	TaxType        string
	Class          string
	Rate           decimal.Decimal
	From, To       calendar.Date
	CertainStart   bool
	SourceID       string
	AsOf           calendar.Date // when it was written down, or last compared with its source
	Confidence     string
	Notes          string
}

// PlaceRow joins a ZIP, city and county to the set of jurisdictions there.
// Jurisdictions is the "|"-separated list of their ids.
type PlaceRow struct {
	At                       RowRef
	ZIP, City, State, County string
	Jurisdictions            string
	Primary                  bool
	Basis                    string
	Completeness             string
	// Share is the part of the people of the ZIP who live there, in thousandths, where that is Known.
	Share int
	Known bool
}

// CoverageRow says whether a state has local taxes.
type CoverageRow struct {
	At          RowRef
	State       string
	HasLocalTax bool
}

// SourcingRow says which place taxes a sale inside one state: DESTINATION,
// ORIGIN, MIXED or NONE.
type SourcingRow struct {
	At         RowRef
	State      string
	Intrastate string
	From, To   calendar.Date
	Confidence string
	// LocalUseTax is the law by which a place of delivery with higher local taxes than the place of sale may take the
	// difference. It is empty without such a law.
	LocalUseTax string
	// FromOutside says what a seller from outside the state may collect instead, and is not calculated; empty for nothing.
	FromOutside string
}

// TaxabilityRow says how a state treats a class. StateRate replaces the rate of
// the state when present. LocalRule is FULL, NONE, VARIES or FIXED:n and
// ThresholdMode BELOW_EXEMPT_ELSE_FULL, EXCESS_ONLY or ABOVE_FULL_AT:n, with n
// in percent.
type TaxabilityRow struct {
	At            RowRef
	State         string
	Class         string
	Treatment     string
	StateRate     *decimal.Decimal
	LocalRule     string
	Threshold     decimal.Decimal
	ThresholdMode string
	From, To      calendar.Date
	Source        string
	Confidence    string
	Notes         string
}

// LocalRuleRow is a rule that a rate alone cannot express. Kind determines the meaning of the numbers; amounts are US
// dollars per item, Rate is a fraction.
type LocalRuleRow struct {
	At            RowRef
	ID, State     string
	Kind          string
	Levels        []string
	Jurisdictions []string
	Classes       []string
	Rate          decimal.Decimal
	Amount        decimal.Decimal
	AmountTo      decimal.Decimal
	ExceptCities  []string
	TaxName       string
	From, To      calendar.Date
	Source        string
	Confidence    string
}

// TierRow is the rate of a local government for the part of the price of an item above an amount of US dollars.
type TierRow struct {
	At             RowRef
	JurisdictionID string
	Above          decimal.Decimal
	Rate           decimal.Decimal
	Classes        []string
	From, To       calendar.Date
	Source         string
	Confidence     string
}

// HolidayRow frees some classes of one state from tax for some days, up to a price per item (zero: no limit). Below
// means that an item at exactly the price is not freed. Delivery says whether a charge for delivery counts for the
// price if it is a part of it. It is COUNTS, APART, or empty if that is not known.
type HolidayRow struct {
	At         RowRef
	State      string
	Name       string
	From, To   calendar.Date
	Goods      []string // the goods that it frees in the words of the law; Classes covers some of them
	Classes    []string
	MaxItem    decimal.Decimal
	Below      bool
	Delivery   string
	Source     string
	Confidence string
	Notes      string
}

// ClassRuleRow says how a country or province outside the United States treats a class, apart from its rates. A class
// with a rate of its own needs no row. Treatment is one of these:
//
//   - EXEMPT: it bears no tax.
//   - FOLLOWS_ITEMS: shipping is treated like the goods that it delivers.
//   - CONDITIONAL: the tax depends on facts that the engine is not told; it counts as taxable.
//   - STANDARD: it has the general rate, although a class above it has a rate of its own.
type ClassRuleRow struct {
	At             RowRef
	JurisdictionID string
	Class          string
	Treatment      string
	UpTo           decimal.Decimal // price of an item above which all of it is taxed; zero for none
	Currency       string          // of UpTo
	From, To       calendar.Date
	Source         string
	Confidence     string
	Notes          string
}

// FilingSiteRow says where returns of a country, or of one of its states, are filed. The returns of a state without a
// row go to the authority of the country.
type FilingSiteRow struct {
	At                  RowRef
	Country, State, URL string
	AsOf                calendar.Date
	Source              string // the authority whose site it is
}

// ReturnLayoutRow is an edition of the return of an authority, for periods that end on its days. Country "*" stands for
// authorities without a row.
type ReturnLayoutRow struct {
	At                  RowRef
	ID                  string
	Country, State      string
	Form, Name, Edition string
	From, To            calendar.Date
	Amends              string   // REPLACES or CORRECTS
	Rounding            string   // where the form rounds
	Filers              []string // filing frequencies; none for all
	LastMonths          []string // the months that end a period; none for all
	Notes               []string // findings of every return, each "CODE: sentence"
	Source, Confidence  string
}

// ReturnLineRow is a line of a layout. A "*" in its number stands for each of several lines.
type ReturnLineRow struct {
	At                       RowRef
	Layout, Line, Name       string
	Unit                     string // CENT or DOLLAR
	Rule, Source, Confidence string
	Each, Formula            string // how it is repeated and computed
	FromZero                 bool   // the form takes no amount below zero
}

// VendorAllowanceRow is a tier of what a state leaves to sellers that file and pay in time. Amounts are in dollars. An
// empty TierTo has no end. Rate zero without an amount says that there is none.
type VendorAllowanceRow struct {
	At                 RowRef
	State, Program     string
	Filers             []string // filing frequencies; none for all
	From, To           calendar.Date
	Dates              string // PERIOD_END or DUE: which days From and To are
	ByDay              int    // paid until this day of the month after the period; 0 for the due day
	TierKind, TierBy   string // MARGINAL, WHOLE or ""; which amount decides
	TierFrom, TierTo   decimal.Decimal
	Rate, Minimum, Cap decimal.Decimal
	CapPer, Basis      string
	Condition          string
	Source, Confidence string
}

// RegistrationFieldRow says how a field of a registration is written for the return of an authority. Pattern is a regular
// expression of the whole value, Expected says it in words.
type RegistrationFieldRow struct {
	At                       RowRef
	Country, State           string // no state: the whole country
	Field, Pattern, Expected string
	Source, Confidence       string
}

// SimplifiedLineRow is a line of an edition of the return that states of an agreement share. A "*" in its number stands for
// each of several lines.
type SimplifiedLineRow struct {
	At                        RowRef
	Edition, Line, Name, Rule string
	Source, Confidence        string
}

// SimplifiedRuleRow says how a state wants a part of that return, for periods that end on its days. State "*" stands
// for states without a row of the part.
type SimplifiedRuleRow struct {
	At                 RowRef
	State, Part        string
	Value              []string
	From, To           calendar.Date
	Source, Confidence string
}

// ReturnFileRow is an edition of the file that an authority takes, for periods that end on its days. Frequency is that of
// the returns; "" for all.
type ReturnFileRow struct {
	At                   RowRef
	ID                   string
	Country, State       string
	Form, Frequency      string
	Name, Edition        string
	From, To             calendar.Date
	MediaType, Extension string
	Source, Confidence   string
}

// ReturnCodeRow is the code that a form has for a place. The place has the names of its jurisdictions below the state.
type ReturnCodeRow struct {
	At                       RowRef
	Form, State, Place, Code string
	From, To                 calendar.Date
	Source, Confidence       string
}

// TerritoryRow says which jurisdiction taxes a range of postal codes instead of
// the country: PostalFrom and PostalTo are compared with the beginning of the
// code. No jurisdiction: the place lies outside the tax territory. Both codes
// are empty for a territory with a country code of its own. Digits is how many
// digits its codes have where those of the country have another number: they
// are known without their letters, too.
type TerritoryRow struct {
	At                   RowRef
	Country              string
	PostalFrom, PostalTo string
	Digits               int
	JurisdictionID       string
	Name                 string
	Source               string
	Tax                  string   // that is due there instead and not calculated; empty for none that is known
	States               []string // codes and names that say where an address is that has no postal code
}

// BorderTaxRow says that the tax of a country on all goods from abroad is due at the border, from the buyer.
type BorderTaxRow struct {
	At            RowRef
	Country       string
	From, To      calendar.Date
	Source, Notes string
}

// ReverseChargeRow is about supplies from a seller abroad to a business in a country: SERVICES, or ELECTRONIC ones. The
// business ACCOUNTS for the tax, or PAYS it to the seller. Notes are what the law asks besides; empty for nothing.
type ReverseChargeRow struct {
	At                          RowRef
	Country, Supplies, Business string
	From, To                    calendar.Date
	Source, Confidence, Notes   string
}

// ImportLimitRow says up to which value goods from abroad bear the tax of the destination when they are sold. Above it,
// the tax is due at the border. Territory is a country or EU. PerItem reports that the limit is one of an item instead
// of a consignment.
type ImportLimitRow struct {
	At        RowRef
	Territory string
	Amount    decimal.Decimal
	Currency  string
	PerItem   bool
	OfTax     bool // Amount is of the tax on the goods, not of their value
	From, To  calendar.Date
	Source    string
}

// OtherTaxRow names a tax or fee other than the taxes on sales, such as a city's tax on meals. It
// is mentioned in a warning and not calculated. Without classes it is about every sale in the jurisdiction, without
// cities about all of the jurisdiction.
type OtherTaxRow struct {
	At             RowRef
	JurisdictionID string
	Cities         []string
	Classes        []string
	Tax            string
	From, To       calendar.Date
	Source         string
	Least          decimal.Decimal // US dollars of these classes from which on a sale bears it; zero for any
}

// MarketplaceLawRow says from when on a marketplace owes the tax of sales through it. Goods is ALL, GOODS or ELECTRONIC
// (electronic supplies). Sellers is ANY, FOREIGN (established abroad) or UNREGISTERED (not registered there). Country
// is EU for all members of the European Union.
type MarketplaceLawRow struct {
	At             RowRef
	Country, State string
	Goods, Sellers string
	Without        []string // classes that it is not about all the same
	From           calendar.Date
	Source         string
}

// DiscountLawRow says whether a reduction of the price lowers the base of a tax. Kind is MANUFACTURER or THIRD_PARTY, for
// a discount that they reimburse to the seller, or TRADE_IN. State is empty for the tax of a country. Country is EU for all
// members of the European Union.
type DiscountLawRow struct {
	At             RowRef
	Country, State string
	Kind           string
	Lowers         bool
	From, To       calendar.Date
	Source         string
}

// CategoryRow is one subcategory of the product catalogue, or a category
// itself when Subcategory is empty; then Default names its usual subcategory.
type CategoryRow struct {
	At                    RowRef
	Category, Subcategory string
	DisplayName           string
	Class                 string
	Default               string
	Frequent              bool
	Description, Example  string
}

// ErrContent is wrapped by every fault found in content tables. The message
// names the row.
var ErrContent = errors.New("content")

// BoundaryRow says that a boundary file was imported for a state. Load names the
// import under which its records are kept.
type BoundaryRow struct {
	At    RowRef
	State string
	Load  int64
}
