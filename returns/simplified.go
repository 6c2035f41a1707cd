package returns

import (
	"slices"

	"levy/models"
	"levy/returns/ser"
	"levy/tax"
	"levy/tax/calendar"
)

// SimplifiedStates are the states whose simplified electronic return an adapter sends, such as "MI".
type SimplifiedStates []string

// Sends reports whether an adapter sends the simplified return of an organization to a state. Only sandboxes do, and only
// returns of test organizations.
func (s SimplifiedStates) Sends(test bool, country, state string) bool {
	return test && country == "US" && slices.Contains(s, state)
}

// Of returns the facts with the kind of their document.
func (s SimplifiedStates) Of(facts models.ReturnFacts) models.ReturnFacts {
	facts.Simplified = s.Sends(facts.Test, facts.Filing.CountryCode, facts.Filing.StateCode)
	return facts
}

// Refuses returns the codes of the findings by which the adapter of a return has nothing to send. Without such an adapter
// there are none, because a person types the worksheet in.
func (s SimplifiedStates) Refuses(content *tax.Content, facts models.ReturnFacts, day calendar.Date) []string {
	facts = s.Of(facts)
	if !facts.Simplified {
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
