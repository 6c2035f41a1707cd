package filings

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax/calendar"
)

// GetFilingReview says what an approver should know of a filing.
func (o *Operations) GetFilingReview(ctx context.Context, r contract.GetFilingReviewRequest) (contract.FilingReview, error) {
	c := call.Of(ctx)
	facts, err := o.reviewFacts(ctx, c.Scope, r.FilingID)
	if err != nil {
		return contract.FilingReview{}, err
	}
	checks, err := rules.CheckFiling(&facts)
	if err != nil {
		return contract.FilingReview{}, err
	}
	var places []models.PlaceChange
	if facts.MissingFigures() == 0 {
		if places, err = rules.ComparePlaces(facts.Figures.Figures, facts.BeforeFigures.Figures); err != nil {
			return contract.FilingReview{}, err
		}
	}
	f := &facts.Filing
	answer := contract.FilingReview{
		FilingID: f.ID, Amount: f.AmountText(), Currency: f.Currency, Attestation: attestationOf(f),
		Checks: convert.ConvertAll(checks, func(x models.FilingCheck) contract.FilingCheck {
			return contract.FilingCheck{Code: x.Code, Passed: x.Passed, Count: x.Count, Message: checkInWords(x)}
		}),
		Places: convert.ConvertAll(places, func(p models.PlaceChange) contract.FilingPlaceChange {
			return contract.FilingPlaceChange{
				Level: p.Level, Jurisdiction: p.Name, Owed: p.Now.String(), OwedBefore: p.Before.String(), Change: p.Change.String(),
				Cause: convert.Optional(p.Cause),
			}
		}),
	}
	if facts.Before != nil {
		answer.BeforeFilingID = &facts.Before.ID
	}
	if answer.FiledByHand, err = o.filedByHand(ctx, c.Scope, f); err != nil {
		return contract.FilingReview{}, err
	}
	answer.SecondPersonRequired, err = o.deps.Filings.SecondPerson(ctx, c.Scope, c.Actor(), f.ID)
	if second, ok := errors.AsType[*models.SecondPersonError](err); ok {
		answer.DecidedByAnother = convert.Optional(second.Error())
		err = nil
	}
	return answer, err
}

// reviewFacts reads a filing, the one of the period before that was not cancelled, and their figures.
func (o *Operations) reviewFacts(ctx context.Context, scope models.Scope, id string) (facts rules.FilingReviewFacts, err error) {
	if facts.Filing, facts.Figures, err = o.deps.Reports.FilingWithFigures(ctx, scope, id); err != nil {
		return facts, err
	}
	f := &facts.Filing
	for _, x := range f.Findings() {
		if x.Severity != models.SeverityInfo {
			facts.FindingsToRead++
		}
	}
	earlier, err := o.deps.Filings.ListFilings(ctx, scope, models.FilingFilter{
		RegistrationID: f.RegistrationID, Categories: []string{string(f.FilingCategory)}, EndsBy: f.StartDate.AddDate(0, 0, -1),
		Statuses: models.FilingsThatCount,
	}, []models.Order{{Column: "end_date", Desc: true}}, models.Page{Limit: 1})
	if err != nil || len(earlier.Items) == 0 || earlier.Items[0].Currency != f.Currency {
		return facts, err
	}
	facts.Before = &earlier.Items[0]
	facts.BeforeFigures, err = o.deps.Reports.Figures(ctx, scope, facts.Before.ID)
	return facts, err
}

// filedByHand reports whether people hand the filing over, because no adapter reached the authority of its registration.
// It is nil if Levy did not hand over the registration.
func (o *Operations) filedByHand(ctx context.Context, scope models.Scope, f *models.Filing) (*bool, error) {
	r, err := o.deps.Registrations.Registration(ctx, scope, f.RegistrationID)
	if err != nil || r.Authority == nil {
		return nil, err
	}
	return new(*r.Authority == models.ManualAuthority), nil
}

// attestationOf returns the words with which a person approves a filing.
func attestationOf(f *models.Filing) string {
	place := strings.TrimPrefix(convert.ValueOf(f.StateName)+", "+f.CountryCode, ", ")
	return fmt.Sprintf("I have reviewed the return of %s for %s to %s, and approve that %s %s is filed and paid.", place,
		calendar.DateOf(f.StartDate), calendar.DateOf(f.EndDate), f.AmountText(), f.Currency)
}

// checkInWords returns the result of a check for people.
func checkInWords(x models.FilingCheck) string {
	words := map[string][2]string{ // not passed, passed
		models.CheckUnresolved: {"%d transactions of the period cannot be processed.", "All transactions of the period are processed."},
		models.CheckCollected:  {"Tax is owed, and none was collected.", "Tax was collected, or none is owed."},
		models.CheckFindings:   {"%d findings have to be read.", "Nothing was found that has to be read."},
		models.CheckFiguresKnown: {
			"The figures of %d transactions of an earlier release are not written yet, so there is no comparison by place.",
			"The comparison by place has all transactions.",
		},
		models.CheckUnusual: {
			"The tax owed changed by more than half of what it was in the period before.",
			"The tax owed is near that of the period before.",
		},
		models.CheckNothingBefore: {"", "There is no return of the period before in this currency."},
	}[x.Code]
	if x.Passed {
		return words[1]
	}
	if strings.Contains(words[0], "%d") {
		return fmt.Sprintf(words[0], x.Count)
	}
	return words[0]
}
