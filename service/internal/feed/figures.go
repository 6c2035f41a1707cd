package feed

import (
	"cmp"
	"context"
	"slices"
	"time"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// GetFigures reads what is owed and what needs a person.
func (o *Operations) GetFigures(ctx context.Context, r contract.GetFiguresRequest) (contract.Figures, error) {
	today := o.now().UTC().Truncate(24 * time.Hour)
	f, err := o.deps.Work.Figures(ctx, call.Of(ctx).Visibility(), r.Params.OrganizationID, today)
	if err != nil {
		return contract.Figures{}, err
	}
	return contract.Figures{
		AsOf: convert.DayOf(today), UpToDate: f.UpToDate,
		OwedNow: figures(f.OwedNow), DueSoon: figures(f.DueSoon), Exposed: figures(f.Exposed), Untaxable: figures(f.Untaxable),
		Days: convert.ConvertAll(f.Days, func(d models.OverviewDay) contract.DayFigure {
			return contract.DayFigure{Day: convert.DayOf(d.Day), Currency: d.Currency, Amount: d.Amount, Count: d.Count}
		}),
		Months: months(&f),
		Places: convert.ConvertAll(f.Places, func(p models.OverviewPlace) contract.PlaceFigure {
			return contract.PlaceFigure{CountryCode: p.Country, StateCode: p.State, Currency: p.Currency, Amount: p.Amount, Count: p.Count}
		}),
		Clients: convert.ConvertAll(f.Clients, func(c models.ClientHealth) contract.ClientHealth {
			return contract.ClientHealth{OrganizationID: c.OrganizationID, OrganizationName: convert.Optional(c.Name),
				OverdueCount: c.Overdue, ExposedCount: c.Exposed, UntaxableCount: c.Untaxable}
		}),
	}, nil
}

// figures returns the figures of an answer, the largest count first.
func figures(all []models.OverviewFigure) []contract.Figure {
	sorted := convert.ConvertAll(all, func(f models.OverviewFigure) contract.Figure {
		return contract.Figure{Currency: f.Currency, Amount: f.Amount, Count: f.Count}
	})
	slices.SortStableFunc(sorted, func(a, b contract.Figure) int { return cmp.Compare(b.Count, a.Count) })
	return sorted
}

// months returns 13 months for each currency that has figures in one of them.
func months(f *models.Overview) []contract.MonthFigures {
	type key struct {
		month    int // from the first one
		currency string
	}
	byKey, currencies := map[key]*contract.MonthFigures{}, []string{}
	at := func(d models.OverviewDay) *contract.MonthFigures {
		k := key{(d.Day.Year()-f.Since.Year())*12 + int(d.Day.Month()-f.Since.Month()), d.Currency}
		if byKey[k] == nil {
			byKey[k] = &contract.MonthFigures{StartDate: convert.DayOf(f.Since.AddDate(0, k.month, 0)), Currency: k.currency,
				DueAmount: "0.00", ExposedAmount: "0.00", UntaxableAmount: "0.00"}
			if !slices.Contains(currencies, k.currency) {
				currencies = append(currencies, k.currency)
			}
		}
		return byKey[k]
	}
	for _, d := range f.DueMonths {
		at(d).DueAmount = d.Amount
	}
	for _, d := range f.ExposedMonths {
		at(d).ExposedAmount = d.Amount
	}
	for _, d := range f.UntaxableMonths {
		m := at(d)
		m.UntaxableAmount, m.UntaxableCount = d.Amount, d.Count
	}
	slices.Sort(currencies)
	all := []contract.MonthFigures{}
	for month := range 13 {
		for _, currency := range currencies {
			if byKey[key{month, currency}] == nil {
				at(models.OverviewDay{Day: f.Since.AddDate(0, month, 0), OverviewFigure: models.OverviewFigure{Currency: currency}})
			}
			all = append(all, *byKey[key{month, currency}])
		}
	}
	return all
}
