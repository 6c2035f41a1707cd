package filings

import (
	"cmp"
	"context"

	"levy/contract"
	"levy/models"
	"levy/returns"
	"levy/service/internal/convert"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// ListReturnFormats lists the layouts of returns, the files for authorities and the allowances of states, as the tax content has them.
func (o *Operations) ListReturnFormats(
	_ context.Context, r contract.ListReturnFormatsRequest,
) (contract.ReturnFormats, error) {
	law, p := o.deps.Law.Current(), r.Params
	answer := contract.ReturnFormats{
		ContentVersion: law.Version(), Formats: []contract.ReturnFormat{}, Allowances: []contract.ReturnAllowance{},
		Fields: []contract.ReturnField{}, Files: []contract.ReturnFormatFile{},
	}
	for _, l := range append(law.ReturnLayouts(), returns.ShopLayout()) {
		if (p.CountryCode == "" || l.Country == p.CountryCode) && (p.StateCode == "" || l.State == p.StateCode) {
			answer.Formats = append(answer.Formats, returnFormat(&l))
		}
	}
	for _, f := range returns.Files(law) {
		shop := f.State == tax.ShopState && p.CountryCode == models.EuropeanUnion
		if shop || (p.CountryCode == "" || f.Country == p.CountryCode) && (p.StateCode == "" || f.State == p.StateCode) {
			answer.Files = append(answer.Files, returnFormatFile(&f))
		}
	}
	for _, a := range law.VendorAllowances() {
		if (p.CountryCode == "" || p.CountryCode == "US") && (p.StateCode == "" || a.State == p.StateCode) {
			answer.Allowances = append(answer.Allowances, returnAllowance(&a))
		}
	}
	for _, f := range append(law.AllRegistrationFields(), tax.PaymentFields...) {
		if (p.CountryCode == "" || f.Country == p.CountryCode) && (p.StateCode == "" || f.State == "" || f.State == p.StateCode) {
			answer.Fields = append(answer.Fields, contract.ReturnField{
				CountryCode: f.Country, StateCode: convert.Optional(f.State), Field: f.Field, Expected: f.Expected, Source: f.Source,
				Confidence: string(f.Confidence),
			})
		}
	}
	return answer, nil
}

func returnFormat(l *tax.ReturnLayout) contract.ReturnFormat {
	return contract.ReturnFormat{
		Layout: l.ID, CountryCode: l.Country, StateCode: convert.Optional(l.State), Form: l.Form, Name: l.Name, Edition: l.Edition,
		ValidFrom: convert.DayOf(l.From.Time()), ValidTo: convert.DateOrNone(l.To), Amends: l.Amends, Rounding: string(l.Rounding),
		FilingFrequencies: frequencies(l.Filers), Source: l.Source, Confidence: string(l.Sure()),
		Lines: convert.ConvertAll(l.Lines, func(x tax.ReturnLine) contract.ReturnFormatLine {
			return contract.ReturnFormatLine{
				Line: x.Line, Name: x.Name, Unit: unitOf(x.Dollars), Rule: x.Rule, Formula: x.Formula.String(), Source: x.Source,
				Confidence: string(x.Confidence),
			}
		}),
	}
}

func returnFormatFile(f *tax.ReturnFile) contract.ReturnFormatFile {
	filers := []string{}
	if f.Frequency != "" {
		filers = append(filers, f.Frequency)
	}
	return contract.ReturnFormatFile{
		Layout: f.ID, CountryCode: f.Country, StateCode: convert.Optional(f.State), Form: f.Form, Name: f.Name, Edition: f.Edition,
		ValidFrom: convert.DayOf(f.From.Time()), ValidTo: convert.DateOrNone(f.To), FilingFrequencies: filers,
		Format: cmp.Or(fileFormats[f.Extension], "TEXT"), MediaType: f.MediaType, OnlySent: returns.OnlySent(f), Source: f.Source,
		Confidence: string(f.Confidence),
	}
}

// fileFormats name what the bytes of files are, by the end of their name. All others are text: Levy makes no other ones.
var fileFormats = map[string]string{"csv": "CSV", "json": "JSON", "xml": "XML"}

// unitOf names the unit of a line.
func unitOf(dollars bool) string {
	if dollars {
		return "DOLLAR"
	}
	return "CENT"
}

func frequencies(of []calendar.FilingFrequency) []string {
	return convert.ConvertAll(of, func(f calendar.FilingFrequency) string { return string(f) })
}

func returnAllowance(a *tax.VendorAllowance) contract.ReturnAllowance {
	answer := contract.ReturnAllowance{
		StateCode: a.State, Program: a.Program, FilingFrequencies: frequencies(a.Filers), ValidFrom: convert.DateOrNone(a.From),
		ValidTo: convert.DateOrNone(a.To), Days: "PERIOD_END", TierKind: "WHOLE", TierBy: convert.Optional(a.TierBy),
		CapPer: convert.Optional(a.CapPer), Basis: convert.Optional(a.Basis), Condition: convert.Optional(a.Condition),
		Source: a.Source, Confidence: string(a.Confidence),
		Tiers: convert.ConvertAll(a.Tiers, func(t tax.AllowanceTier) contract.ReturnAllowanceTier {
			return contract.ReturnAllowanceTier{
				From: t.From.String(), To: optionalAmount(t.To), Rate: t.Rate.String(), Minimum: optionalAmount(t.Minimum),
				Cap: optionalAmount(t.Cap),
			}
		}),
	}
	if a.ByDueDay {
		answer.Days = "DUE"
	}
	if a.Marginal {
		answer.TierKind = "MARGINAL"
	}
	if a.ByDay > 0 {
		answer.PaidByDay = &a.ByDay
	}
	return answer
}

// optionalAmount returns an amount; nil for 0.00.
func optionalAmount(amount money.Total) *string {
	if amount.IsZero() {
		return nil
	}
	text := amount.String()
	return &text
}
