package api

import (
	"context"

	"levy/contract"
	"levy/rules"
	"levy/tax/money"
	"levy/tax/nexus"
)

// nexusMonths is how many months are shown.
const nexusMonths = 24

// ListNexusMonths adds up what counts in a jurisdiction by month, by the rule of today.
func (s *Server) ListNexusMonths(ctx context.Context, r contract.ListNexusMonthsRequest) (contract.NexusMonths, error) {
	day := dateOf(s.now())
	c, err := s.deps.Nexus.LoadNexusPlace(ctx, callOf(ctx).scope, r.NexusID, day)
	if err != nil {
		return contract.NexusMonths{}, err
	}
	place := c.Records[0].Place()
	rule := s.deps.Law.Current().Nexus().Terms(place, c.Home, day)
	var rates rules.Rates
	if pairs := rules.NexusRatesFor(&c, []nexus.Rule{rule}, day); len(pairs) > 0 {
		if rates, err = s.deps.Nexus.ConversionRates(ctx, pairs); err != nil {
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
		NexusID: r.NexusID, Currency: rule.Currency, Months: convertAll(months, nexusMonth),
		AverageAmount: money.Format(average.Amount), AverageCount: average.Count,
	}, nil
}

func nexusMonth(m nexus.DailySales) contract.NexusMonth {
	return contract.NexusMonth{
		StartDate: dayOf(m.Day.Time()), IncludedAmount: money.Format(m.Amount), TransactionCount: m.Count,
	}
}
