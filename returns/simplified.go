package returns

import (
	"slices"

	"levy/models"
	"levy/returns/ser"
	"levy/tax"
	"levy/tax/calendar"
)

// AdapterAuthorities are the authorities whose returns have a document of an adapter. They are states that take the
// simplified electronic return, such as "MI", and "GB" for the United Kingdom.
type AdapterAuthorities struct {
	Tests  []string // a sandbox takes the returns of test organizations
	Live   []string // the operator has configured the service of the state: it takes the returns of the others
	Upload []string // people upload the returns of the others at the web site of the state
}

// NeedsConnection reports whether the adapter that sends a return of a test organization describes the call that has it filed.
// The law of the United Kingdom requires that: the Delivery of Tax Information through Software (Ancillary Metadata) Regulations
// 2019 (SI 2019/360).
func (s AdapterAuthorities) NeedsConnection(f *models.Filing) bool {
	return f.CountryCode == models.UnitedKingdom && f.FilingCategory == calendar.FilingRegular && s.Sends(true, f.CountryCode, f.StateCode)
}

// Sends reports whether an adapter sends returns of an organization to an authority. Returns of test organizations go to sandboxes
// alone.
func (s AdapterAuthorities) Sends(test bool, country, state string) bool {
	// guard: returns: a return of a live organization goes where the operator has configured it
	if !test {
		return country == models.UnitedStates && slices.Contains(s.Live, state)
	}
	return (country == models.UnitedStates || country == models.UnitedKingdom) && slices.Contains(s.Tests, state)
}

// Takes reports whether returns of an organization to an authority have a document of an adapter, also one that people upload.
func (s AdapterAuthorities) Takes(test bool, country, state string) bool {
	return s.Sends(test, country, state) || !test && country == models.UnitedStates && slices.Contains(s.Upload, state)
}

// None reports whether there is no adapter that sends returns.
func (s AdapterAuthorities) None() bool { return len(s.Tests) == 0 && len(s.Live) == 0 }

// Of returns the facts with the kind of their document.
func (s AdapterAuthorities) Of(facts models.ReturnFacts) models.ReturnFacts {
	f := &facts.Filing
	takes := s.Takes(facts.Test, f.CountryCode, f.StateCode)
	facts.Simplified = takes && f.CountryCode == models.UnitedStates
	// The United Kingdom takes no amended return: people carry the difference, and no document keeps them from the approval.
	facts.British = takes && f.CountryCode == models.UnitedKingdom && f.FilingCategory == calendar.FilingRegular
	return facts
}

// Refuses returns the codes of the findings by which the adapter of a return has nothing to send. Without such an adapter
// there are none, because a person types the worksheet in.
func (s AdapterAuthorities) Refuses(content *tax.Content, facts models.ReturnFacts, day calendar.Date) []string {
	f := &facts.Filing
	sends := s.Sends(facts.Test, f.CountryCode, f.StateCode)
	if facts = s.Of(facts); !sends || !facts.Simplified && !facts.British {
		return nil
	}
	_, findings := Preview(content, facts, day)
	return Refusals(findings)
}

// simplifiedOf makes the simplified return of a filing. Without ids it is a preview. Without the Streamlined id of its
// organization there is none, also where a state takes its own number: the ids begin with it.
func simplifiedOf(content *tax.Content, facts models.ReturnFacts, ids IDs, day calendar.Date) (Document, []Finding) {
	f, t := facts.Filing, facts.Filer
	in := ser.Input{
		Filing: f, Figures: facts.Figures, Entries: f.Entries, Located: facts.Located, IDs: ser.IDs(ids), Test: facts.Test, Day: day,
		Taxpayer: ser.Taxpayer{Number: t.SharedNumber, TIN: t.EIN},
	}
	in.Layout, _ = content.SimplifiedReturn(f.StateCode, calendar.DateOf(f.EndDate))
	for _, b := range facts.Before {
		in.Before = append(in.Before, ser.Before{Figures: b.Figures, Entries: b.Filing.Entries, Discounts: b.Filing.AmountDiscounts})
	}
	if t.SharedNumber == "" {
		in.IDs = ser.IDs{} // the findings are those of a preview
	}
	d, told := ser.Make(in)
	findings := make([]Finding, len(told))
	for i, x := range told {
		findings[i] = Finding(x)
	}
	return Document{
		Layout: d.Layout, MediaType: d.MediaType, FileName: d.FileName, Bytes: d.Bytes, TransmissionID: d.TransmissionID,
		DocumentID: d.DocumentID,
	}, findings
}
