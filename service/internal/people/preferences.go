package people

import (
	"cmp"
	"context"
	"slices"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// weekdays are the days of a week from Monday on.
var weekdays = []contract.Weekday{contract.WeekdayMONDAY, contract.WeekdayTUESDAY, contract.WeekdayWEDNESDAY,
	contract.WeekdayTHURSDAY, contract.WeekdayFRIDAY, contract.WeekdaySATURDAY, contract.WeekdaySUNDAY}

// GetPreferences returns the preferences of the person.
func (o *Operations) GetPreferences(ctx context.Context, _ contract.GetPreferencesRequest) (contract.Preferences, error) {
	c := call.Of(ctx)
	if c.Person == nil {
		return contract.Preferences{}, notAPerson()
	}
	return preferencesAnswer(c.Person.Preferences), nil
}

// SetPreferences changes the preferences of the person that the request has.
func (o *Operations) SetPreferences(ctx context.Context, r contract.SetPreferencesRequest) (contract.Preferences, error) {
	c, b := call.Of(ctx), &r.Body
	if c.Person == nil {
		return contract.Preferences{}, notAPerson()
	}
	stored, err := o.deps.People.ChangePreferences(ctx, c.Actor(), func(p *models.Preferences) {
		p.Theme = cmp.Or(models.Theme(b.Theme), p.Theme)
		p.DateFormat = cmp.Or(models.DateFormat(b.DateFormat), p.DateFormat)
		p.NumberFormat = cmp.Or(models.NumberFormat(b.NumberFormat), p.NumberFormat)
		if b.TimeZone.IsSpecified() {
			p.ChooseZone(b.TimeZone[true]) // "" for null
		}
		switch {
		case b.PageSize.IsNull():
			p.PageSize = nil
		case b.PageSize.IsSpecified():
			p.PageSize = new(b.PageSize.MustGet())
		}
		if b.EmailsOff != nil {
			p.MailsOff = convert.NotNil(slices.Compact(slices.Sorted(slices.Values(convert.Texts[models.MailKind](b.EmailsOff)))))
		}
		if b.DigestDay != "" {
			p.DigestDay = slices.Index(weekdays, b.DigestDay) + 1
		}
	})
	if err != nil {
		return contract.Preferences{}, err
	}
	return preferencesAnswer(&stored), nil
}

func preferencesAnswer(p *models.Preferences) contract.Preferences {
	return contract.Preferences{
		Theme: contract.Theme(p.Theme), DateFormat: contract.DateFormat(p.DateFormat),
		NumberFormat: contract.NumberFormat(p.NumberFormat), TimeZone: p.TimeZone, TimeZoneChosen: p.ZoneChosen(), PageSize: p.PageSize,
		EmailsOff: convert.NotNil(convert.Texts[contract.EmailKind](p.MailsOff)), DigestDay: weekdays[p.DigestDay-1],
	}
}
