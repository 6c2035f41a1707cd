package returns

import (
	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
)

// Wants returns the data that returns want of registrations, by a content. Some of it is for files and payments alone.
func Wants(content *tax.Content) models.ReturnWants {
	wants := models.ReturnWants{
		{Data: models.WantedNumber},
		{Kind: models.ImportSST, Data: models.WantedShared},
		{Kind: models.ImportSST, Data: models.WantedEIN},
		{Country: models.UnitedStates, PaymentMethod: tax.PayByDebit, Data: models.WantedBank},
		{Country: models.UnitedStates, PaymentMethod: tax.PayByCredit, Data: models.WantedBank},
		{Country: models.UnitedStates, PaymentMethod: tax.PayByCredit, Data: models.WantedEIN},
	}
	for i := range tax.PaymentFields {
		name, _ := tax.PaymentFields[i].Specific()
		wants = append(wants, models.ReturnWant{Country: models.UnitedStates, PaymentMethod: tax.PayByCredit, Data: name})
	}
	for _, l := range content.ReturnLayouts() {
		filers := l.Filers
		if len(filers) == 0 {
			filers = []calendar.FilingFrequency{""} // all
		}
		for _, frequency := range filers {
			for _, field := range l.Fields(frequency) {
				wants = append(wants, models.ReturnWant{
					Country: l.Country, State: l.State, Frequency: string(frequency), First: l.From, Last: l.To, Data: field,
				})
			}
		}
	}
	for _, f := range content.ReturnFiles() {
		if f.Given() && contactForms[f.Form] {
			wants = append(wants, models.ReturnWant{
				Country: f.Country, State: f.State, Frequency: f.Frequency, First: f.From, Last: f.To, Data: models.WantedContact,
			})
		}
	}
	return wants
}

// contactForms are the forms whose file names the person whom the authority may ask.
var contactForms = map[string]bool{"WA-E-FILE": true}
