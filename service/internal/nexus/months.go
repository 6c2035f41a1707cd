package nexus

import (
	"context"

	"levy/contract"
	"levy/rules"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax/money"
	"levy/tax/nexus"
)

// nexusMonths is the number of months in the answer.
const nexusMonths = 24

// ListNexusMonths sums the sales that count in a jurisdiction by month, by the rule of today.
func (o *Operations) ListNexusMonths(ctx context.Context, r contract.ListNexusMonthsRequest) (contract.NexusMonths, error) {
	day := convert.DateOf(o.now())
	c, err := o.deps.Nexus.LoadNexusPlace(ctx, call.Of(ctx).Scope, r.NexusID, day)
	if err != nil {
		return contract.NexusMonths{}, err
	}
	place := c.Records[0].Place()
	rule := o.deps.Law.Current().Nexus().Terms(place, c.Home, day)
	var rates rules.Rates
	if pairs := rules.NexusRatesFor(&c, []nexus.Rule{rule}, day); len(pairs) > 0 {
		if rates, err = o.deps.Nexus.ConversionRates(ctx, pairs); err != nil {
			return contract.NexusMonths{}, err
		}
	}
	sold, err := rules.NexusSalesIn(&c, place, rule.Currency, day, rates)
	if err != nil {
		return contract.NexusMonths{}, err
	}
	months, average, err := nexus.Months(&rule, day, nexusMonths, sold.Days, len(rules.PresencesIn(&c, place, day)) > 0)
	if err != nil {
		return contract.NexusMonths{}, err
	}
	return contract.NexusMonths{
		NexusID: r.NexusID, Currency: rule.Currency, Months: convert.ConvertAll(months, nexusMonth),
		AverageAmount: money.Format(average.Amount), AverageCount: average.Count,
	}, nil
}

func nexusMonth(m nexus.DailySales) contract.NexusMonth {
	return contract.NexusMonth{
		StartDate: convert.DayOf(m.Day.Time()), IncludedAmount: money.Format(m.Amount), TransactionCount: m.Count,
	}
}
