package filings

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax"
	"levy/tax/money"
)

// ListFilingEntries lists the entries of a filing.
func (o *Operations) ListFilingEntries(
	ctx context.Context, r contract.ListFilingEntriesRequest,
) (contract.FilingEntryList, error) {
	scope := call.Of(ctx).Scope
	if err := o.deps.Reports.FilingExists(ctx, scope, r.FilingID); err != nil {
		return nil, err
	}
	entries, err := o.deps.Filings.FilingEntries(ctx, scope, r.FilingID)
	if err != nil {
		return nil, err
	}
	return convert.ConvertAll(entries, entryAnswer), nil
}

// CreateFilingEntry adds an entry to a filing.
func (o *Operations) CreateFilingEntry(
	ctx context.Context, r contract.CreateFilingEntryRequest,
) (contract.FilingEntry, error) {
	var e models.FilingEntry
	by := call.Of(ctx).Actor().Name()
	err := o.changeEntries(ctx, r.FilingID, func(f *models.Filing) error {
		var faults []models.Fault
		e, faults = NewEntry(o.deps.Law.Current(), f, &r.Body, o.now())
		e.CreatedBy = by
		return f.AddEntry(e, faults...)
	})
	return convert.Answered(e, err, entryAnswer)
}

// DeleteFilingEntry deletes an entry of a filing and returns it.
func (o *Operations) DeleteFilingEntry(
	ctx context.Context, r contract.DeleteFilingEntryRequest,
) (contract.FilingEntry, error) {
	var e models.FilingEntry
	err := o.changeEntries(ctx, r.FilingID, func(f *models.Filing) error {
		if err := f.DeleteEntry(r.EntryID); err != nil {
			return err
		}
		e = *f.EntryChange.Deleted
		return nil
	})
	return convert.Answered(e, err, entryAnswer)
}

// changeEntries changes the entries of a filing. Errors: those of EntryError.
func (o *Operations) changeEntries(ctx context.Context, id string, change func(*models.Filing) error) error {
	_, err := o.updateFiling(ctx, id, change)
	return EntryError(err)
}

// EntryError returns the error of a change of entries. A fault about the amount of the filing becomes one of the entry's
// amount.
func EntryError(err error) error {
	var invalid *models.InvalidError
	if errors.As(err, &invalid) {
		faults := slices.Clone(invalid.Faults)
		for i := range faults {
			if faults[i].Path == "amount_adjusted" || faults[i].Path == "amount_penalties" {
				faults[i].Path, faults[i].Of = "amount", nil
			}
		}
		return &models.InvalidError{Faults: faults}
	}
	return err
}

// DryRunEntry finds the faults of a new entry by the stored filing. Errors: models.ErrNotFound, those of
// models.Filing.AddEntry.
func (o *Operations) DryRunEntry(ctx context.Context, _ time.Time, id string, b *contract.FilingEntryCreate) error {
	scope := call.Of(ctx).Scope
	f, err := o.deps.Filings.Filing(ctx, scope, id)
	if err != nil {
		return err
	}
	if f.Entries, err = o.deps.Filings.FilingEntries(ctx, scope, id); err != nil {
		return err
	}
	e, faults := NewEntry(o.deps.Law.Current(), &f, b, o.now())
	return f.AddEntry(e, faults...)
}

// NewEntry returns the entry of a request at a moment, and all its faults. Without a filing (nil) the entry has no
// jurisdiction.
func NewEntry(
	law *tax.Content, f *models.Filing, b *contract.FilingEntryCreate, now time.Time,
) (e models.FilingEntry, faults []models.Fault) {
	e = models.FilingEntry{
		ID: models.NewID(models.PrefixFilingEntry), Kind: models.FilingEntryKind(b.Kind), Line: b.Line, Note: b.Note,
		CreatedAt: now.UTC(), ExternalID: b.ExternalID,
	}
	for _, amount := range []struct {
		path, text string
		to         *money.Total
	}{{"amount", b.Amount, &e.Amount}, {"taxable", cmp.Or(b.Taxable, "0.00"), &e.Taxable}} {
		var err error
		if *amount.to, err = money.ParseTotal(amount.text); err != nil { // the validator tells it in its own words
			faults = append(faults, models.Fault{
				Code: models.FieldInvalidFormat, Path: amount.path, Message: amount.path + " is not an amount.",
			})
		}
	}
	if f != nil {
		j, wrong := entryJurisdiction(law, f, b)
		faults = append(faults, wrong...)
		e.OrganizationID, e.FilingID = f.OrganizationID, f.ID
		e.JurisdictionID, e.JurisdictionType, e.JurisdictionName = j.ID, string(j.Type), j.Name
	}
	return e, append(faults, e.Faults()...)
}

// EntryFaults returns all faults of a request for a filing. Without a filing (nil) they are those that need none.
func EntryFaults(law *tax.Content, f *models.Filing, b *contract.FilingEntryCreate, now time.Time) []models.Fault {
	e, faults := NewEntry(law, f, b, now)
	if f == nil {
		return faults
	}
	of := *f
	return convert.FaultsOf(of.AddEntry(e, faults...))
}

// entryJurisdiction returns the jurisdiction that a new entry names; zero for none.
func entryJurisdiction(
	law *tax.Content, f *models.Filing, b *contract.FilingEntryCreate,
) (j tax.Jurisdiction, faults []models.Fault) {
	missing := func(path, of string) []models.Fault {
		return []models.Fault{{
			Code: models.FieldMissing, Path: path, Message: path + " is required with " + of + ".", Of: []string{of},
		}}
	}
	path := "jurisdiction_name"
	var known bool
	switch {
	case b.JurisdictionID != "":
		path = "jurisdiction_id"
		j, known = law.Jurisdiction(b.JurisdictionID)
	case b.JurisdictionName == "" && b.JurisdictionType == "":
		return j, nil
	case b.JurisdictionName == "":
		return j, missing("jurisdiction_name", "jurisdiction_type")
	case b.JurisdictionType == "":
		return j, missing("jurisdiction_type", "jurisdiction_name")
	default:
		state := f.StateCode
		if state == f.CountryCode {
			state = ""
		}
		j, known = law.JurisdictionNamed(f.CountryCode, state, tax.JurisdictionType(b.JurisdictionType), b.JurisdictionName)
	}
	if !known || !belongsTo(f, &j) {
		return tax.Jurisdiction{}, []models.Fault{{
			Code: models.FieldInvalidEnum, Path: path,
			Message: "The tax content has no such jurisdiction of the authority of this filing.",
		}}
	}
	return j, nil
}

// belongsTo reports whether a jurisdiction is one of the authority of a filing. The one-stop shop has all countries.
func belongsTo(f *models.Filing, j *tax.Jurisdiction) bool {
	switch {
	case f.CountryCode == models.EuropeanUnion:
		return j.Type == tax.TypeCountry
	case j.Country != f.CountryCode:
		return false
	}
	return f.StateCode == f.CountryCode || j.State == f.StateCode
}

func entryAnswer(e models.FilingEntry) contract.FilingEntry {
	return contract.FilingEntry{
		ID: e.ID, FilingID: e.FilingID, Kind: contract.FilingEntryKind(e.Kind), Amount: e.Amount.String(),
		Taxable: e.Taxable.String(), JurisdictionID: e.JurisdictionID,
		JurisdictionType: contract.JurisdictionType(e.JurisdictionType), JurisdictionName: e.JurisdictionName,
		Line: e.Line, Note: e.Note, CreatedBy: e.CreatedBy, CreatedAt: convert.Instant(e.CreatedAt), ExternalID: e.ExternalID,
	}
}
