package returns

import (
	"cmp"
	"slices"

	"levy/models"
	"levy/returns/vat"
	"levy/tax"
	"levy/tax/calendar"
)

// inputOf is what the document of a filing is made of, with the file that its period has in a content.
func inputOf(content *tax.Content, facts models.ReturnFacts, day calendar.Date) Input {
	f := facts.Filing
	in := Input{Filing: f, Figures: facts.Figures, Entries: f.Entries, Filer: facts.Filer, Day: day}
	in.File = FileOf(content, facts)
	if facts.British {
		in.Layout, _ = content.ReturnLayout(f.CountryCode, f.StateCode, calendar.DateOf(f.EndDate))
		in.Fields = facts.Fields
	}
	if f.CountryCode == models.EuropeanUnion {
		in = in.WithShop(content, facts.Corrections)
	}
	return in
}

// FileOf returns the file that the authority of a filing takes, in a content; an empty one for none. It is the return that an
// adapter sends where one does. That of the one-stop shop is the file of the member that identifies the seller.
func FileOf(content *tax.Content, facts models.ReturnFacts) tax.ReturnFile {
	f := facts.Filing
	switch {
	case facts.Simplified:
		return content.SimplifiedFile(f.StateCode, calendar.DateOf(f.EndDate))
	case facts.British:
		layout, _ := content.ReturnLayout(f.CountryCode, f.StateCode, calendar.DateOf(f.EndDate))
		return britishFile(&layout)
	}
	country, state := f.CountryCode, f.StateCode
	if country == models.EuropeanUnion {
		country, state = facts.Filer.Member, tax.ShopState
	}
	file, _ := content.ReturnFile(country, state, string(f.Frequency()), calendar.DateOf(f.EndDate))
	return file
}

// Files returns the files of all authorities in a content, in each of their editions: those that people upload, and those
// that adapters send.
func Files(content *tax.Content) []tax.ReturnFile {
	files := append(content.ReturnFiles(), content.SimplifiedFiles()...)
	for _, layout := range content.ReturnLayouts() {
		if layout.Country == models.UnitedKingdom {
			files = append(files, britishFile(&layout))
		}
	}
	slices.SortFunc(files, func(x, y tax.ReturnFile) int {
		return cmp.Or(cmp.Compare(x.Country, y.Country), cmp.Compare(x.State, y.State), cmp.Compare(x.ID, y.ID), cmp.Compare(x.From, y.From))
	})
	return files
}

// OnlySent reports whether Levy makes a file only for returns that an adapter sends.
func OnlySent(f *tax.ReturnFile) bool { return f.Form == tax.SimplifiedForm || f.ID == vat.Layout }

// Preview makes the document of a filing as it is now. It has no ids yet.
func Preview(content *tax.Content, facts models.ReturnFacts, day calendar.Date) (Document, []Finding) {
	return makeWith(content, facts, IDs{}, day)
}

// makeWith makes the document of a filing with its ids: the return that an adapter sends where one does, else the file.
func makeWith(content *tax.Content, facts models.ReturnFacts, ids IDs, day calendar.Date) (Document, []Finding) {
	if facts.Simplified {
		return simplifiedOf(content, facts, ids, day)
	}
	in := inputOf(content, facts, day)
	in.IDs = ids
	if facts.British {
		return britishReturn(in)
	}
	return MakeDocument(in)
}

// transmitterOf returns the transmitter of the document of a filing; "" for a simplified return that has no document. It is
// never a tax id, because ids that people see begin with it.
func transmitterOf(facts models.ReturnFacts) string {
	if facts.Simplified {
		return facts.Filer.SharedNumber
	}
	return OwnTransmitter
}

// OfAttempt makes the document of an attempt with its ids; nil if there is none, which the findings explain. n is how
// often its ids were taken.
func OfAttempt(
	content *tax.Content, facts models.ReturnFacts, key models.AuthorityKey, day calendar.Date, n int,
) (*models.FilingDocument, []Finding) {
	ids := NewIDs(transmitterOf(facts), day, key, n)
	d, findings := makeWith(content, facts, ids, day)
	if d.Bytes == nil {
		return nil, findings
	}
	if b := facts.Document; b != nil && b.Day != day {
		findings = append(findings, Finding{
			Severity: models.SeverityInfo, Code: "DAY_CHANGED", Count: 1,
			Message: "An earlier attempt had a document of " + b.Day.String() + ": this one is of " + day.String() + ".",
		})
	}
	return &models.FilingDocument{
		Attempt: key.Attempt, Layout: d.Layout, MediaType: d.MediaType, FileName: d.FileName, Transmitter: ids.Transmitter,
		TransmissionID: d.TransmissionID, DocumentID: d.DocumentID, Day: day, Content: d.Bytes, Findings: findings,
	}, findings
}

// Refusals returns the codes of the findings that leave a return without a document.
func Refusals(findings []Finding) (codes []string) {
	for _, f := range findings {
		if f.Severity == models.SeverityError {
			codes = append(codes, f.Code)
		}
	}
	return codes
}
