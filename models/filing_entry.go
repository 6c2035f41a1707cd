package models

import (
	"errors"
	"slices"
	"time"

	"levy/tax/money"
)

// FilingEntryKind is the kind of an amount of a return that no transaction makes.
type FilingEntryKind string

// Kinds of entries.
const (
	EntryPurchase      FilingEntryKind = "PURCHASE"       // own purchases on which no tax was paid
	EntryWithdrawal    FilingEntryKind = "WITHDRAWAL"     // goods taken from stock for own use
	EntryAcquisition   FilingEntryKind = "ACQUISITION"    // from other countries, on which the buyer owes the tax
	EntryExcessTax     FilingEntryKind = "EXCESS_TAX"     // collected above the law, in no transaction
	EntryNewPrepayment FilingEntryKind = "NEW_PREPAYMENT" // paid with this return for the next period
	EntryPriorPayment  FilingEntryKind = "PRIOR_PAYMENT"  // paid elsewhere for this period
	EntryCredit        FilingEntryKind = "CREDIT"         // that the authority has granted
	EntryBadDebt       FilingEntryKind = "BAD_DEBT"       // tax on sales that were never paid
	EntryInputTax      FilingEntryKind = "INPUT_TAX"      // paid on purchases, to be given back
	EntryInterest      FilingEntryKind = "INTEREST"
	EntryPenalty       FilingEntryKind = "PENALTY"
)

// entryEffect says which amount of the filing an entry moves, and in which direction.
type entryEffect struct {
	penalties bool // amount_penalties, else amount_adjusted
	lowers    bool
	taxable   bool // the form asks for the base, so that the entry needs it
}

// entryEffects are the effects of all kinds.
var entryEffects = map[FilingEntryKind]entryEffect{
	EntryPurchase: {taxable: true}, EntryWithdrawal: {taxable: true}, EntryAcquisition: {taxable: true},
	EntryExcessTax: {}, EntryNewPrepayment: {},
	EntryPriorPayment: {lowers: true}, EntryCredit: {lowers: true}, EntryBadDebt: {lowers: true}, EntryInputTax: {lowers: true},
	EntryInterest: {penalties: true}, EntryPenalty: {penalties: true},
}

// Penal reports whether entries of the kind add up to amount_penalties of their filing.
func (k FilingEntryKind) Penal() bool { return entryEffects[k].penalties }

// FilingEntry is an amount that people add to a return because no transaction makes it. Amounts are in the currency of
// the filing.
type FilingEntry struct {
	OrganizationID string
	ID             string
	FilingID       string
	Kind           FilingEntryKind
	// Amount is the tax, or what is paid or taken off: INPUT_TAX of 10.00 lowers what is to be paid by 10.00.
	Amount  money.Total
	Taxable money.Total // the base of the tax; 0.00 for none
	// The jurisdiction of the tax content whose tax it is; empty for the authority of the return.
	JurisdictionID, JurisdictionType, JurisdictionName string
	Line                                               string // the line of the form that a person names; "" for that of the kind
	Note                                               string
	CreatedBy                                          string // the name of the person or the id of the key
	CreatedAt                                          time.Time
	// ExternalID is the client's own number of the entry, which no other entry of the organization has; "" for none.
	ExternalID string
	// The import that added it and the line of its file; empty for entries of people.
	ImportID   string
	ImportLine int64
}

// Effect returns by how much the entry raises what is to be paid.
func (e *FilingEntry) Effect() money.Total {
	if entryEffects[e.Kind].lowers {
		return e.Amount.Neg()
	}
	return e.Amount
}

// Said returns kind, amount and note as text, such as "INTEREST 12.40: notice of 3 July".
func (e *FilingEntry) Said() string { return string(e.Kind) + " " + e.Amount.String() + ": " + e.Note }

// Faults returns what is wrong with a new entry, besides its jurisdiction.
func (e *FilingEntry) Faults() (faults []Fault) {
	effect := entryEffects[e.Kind]
	switch {
	case effect.taxable && e.Taxable.IsZero():
		faults = append(faults, Fault{Code: FieldMissing, Path: "taxable", Of: []string{"kind"},
			Message: "taxable is required for this kind: the form asks for the price, and not for the tax alone."})
	case effect.penalties && !e.Taxable.IsZero():
		faults = append(faults, Fault{Code: FieldNotAllowed, Path: "taxable", Of: []string{"kind"},
			Message: "Interest and penalties have no base: leave taxable out."})
	}
	switch {
	case effect.penalties && e.Amount.IsNeg():
		faults = append(faults, Fault{Code: FieldOutOfRange, Path: "amount", Of: []string{"kind"},
			Message: "Interest and penalties are not below zero."})
	case e.Amount.IsZero() && !effect.taxable:
		faults = append(faults, Fault{Code: FieldOutOfRange, Path: "amount", Of: []string{"kind"},
			Message: "amount must not be 0.00 for this kind: the entry would say nothing."})
	}
	return faults
}

// MostFilingEntries is how many entries a filing may have, and how many recorded payments.
const MostFilingEntries = 500

// LimitFilingEntries is the subject of a LimitError of entries.
const LimitFilingEntries = "filing entries"

// FilingEntryChange is a change of the entries of a filing. Exactly one of its fields is set.
type FilingEntryChange struct{ Added, Deleted *FilingEntry }

// AddEntry adds an entry to the filing and its effect to the amounts. found are faults of the entry: with them those are told
// that the amounts of the filing show. Errors: *InvalidError; *FilingImmutableError once the filing is approved or over;
// *LimitError; *DuplicateError if an entry of the filing has its external id.
func (f *Filing) AddEntry(e FilingEntry, found ...Fault) error {
	immutable := f.checkEntries()
	if immutable == nil {
		found = append(slices.Clone(found), f.faultsOfEntry(&e)...)
	}
	switch {
	case len(found) > 0:
		return &InvalidError{Faults: found}
	case immutable != nil:
		return immutable
	}
	for i := range f.Entries {
		if e.ExternalID != "" && f.Entries[i].ExternalID == e.ExternalID {
			return &DuplicateError{Field: "external_id", ExistingID: f.Entries[i].ID}
		}
	}
	if len(f.Entries) >= MostFilingEntries {
		return &LimitError{What: LimitFilingEntries, Limit: MostFilingEntries}
	}
	f.Entries = append(slices.Clone(f.Entries), e)
	f.EntryChange = &FilingEntryChange{Added: &e}
	return f.move(&e, e.Effect())
}

// faultsOfEntry returns what the amounts of the filing say against a new entry.
func (f Filing) faultsOfEntry(e *FilingEntry) (faults []Fault) {
	// guard: entries: a penalty that was entered as one amount is not counted twice
	if sum, err := f.PenalEntries(); e.Kind.Penal() && (err != nil || f.AmountPenalties != sum) {
		faults = append(faults, Fault{Code: FieldNotAllowed, Path: "kind",
			Message: "amount_penalties of the filing was entered as one amount, which would become the sum of the entries: " +
				"set it to " + sum.String() + " first, then add interest and penalties as entries."})
	}
	if invalid, ok := errors.AsType[*InvalidError](f.move(e, e.Effect())); ok { // f is a copy
		faults = append(faults, invalid.Faults...)
	}
	return faults
}

// DeleteEntry deletes an entry and takes its effect back. Errors: ErrNotFound; *FilingImmutableError once the filing is
// approved or over.
func (f *Filing) DeleteEntry(id string) error {
	at := slices.IndexFunc(f.Entries, func(e FilingEntry) bool { return e.ID == id })
	if at < 0 {
		return ErrNotFound
	}
	if err := f.checkEntries(); err != nil {
		return err
	}
	e := f.Entries[at]
	f.Entries = slices.Delete(slices.Clone(f.Entries), at, at+1)
	f.EntryChange = &FilingEntryChange{Deleted: &e}
	if e.Kind.Penal() {
		// The release before lets people enter another amount beside the entries, from which e cannot be taken.
		var err error
		f.AmountPenalties, err = f.PenalEntries()
		return err
	}
	return f.move(&e, e.Effect().Neg())
}

// checkEntries returns an error if the entries cannot change any more. Errors: *FilingImmutableError.
func (f *Filing) checkEntries() error {
	// guard: entries: the claim freezes them
	if !f.Status.Live() {
		return &FilingImmutableError{Fields: []string{"entries"}}
	}
	return nil
}

// move adds the effect of an entry to the amount that has it. Errors: *InvalidError.
func (f *Filing) move(e *FilingEntry, by money.Total) error {
	to := &f.AmountAdjusted
	if e.Kind.Penal() {
		to = &f.AmountPenalties
	}
	sum, err := to.Plus(by)
	if err != nil {
		return &InvalidError{Faults: []Fault{{Code: FieldOutOfRange, Path: "amount",
			Message: "With it the amount of the filing has more than 18 digits before the point."}}}
	}
	*to = sum
	return nil
}

// PenalEntries returns the sum of interest and penalties among the entries. Errors: money.ErrOverflow.
func (f *Filing) PenalEntries() (money.Total, error) {
	var amounts []money.Total
	for i := range f.Entries {
		if f.Entries[i].Kind.Penal() {
			amounts = append(amounts, f.Entries[i].Amount)
		}
	}
	return sumOf(amounts)
}

// PenaltiesAreEntries reports whether amount_penalties is the sum of entries, so that no one enters it.
func (f *Filing) PenaltiesAreEntries() bool {
	return slices.ContainsFunc(f.Entries, func(e FilingEntry) bool { return e.Kind.Penal() })
}
