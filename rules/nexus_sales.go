package rules

import (
	"maps"
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/calendar"
	"levy/tax/money"
	"levy/tax/nexus"
)

// Rates are the conversions that an evaluation needs.
type Rates map[models.CurrencyPair]models.ConversionRate

// NexusSold are the sales of a place in the currency of its rule, day by day.
type NexusSold struct {
	Days []nexus.DailySales
	// CollectedSince is the day since which more tax is collected there than was given back; zero: there is not.
	CollectedSince calendar.Date
	// Unconverted are sales that are counted but have no amount: there is no rate.
	Unconverted int
	Missing     []models.CurrencyPair // the rates for them
}

// NexusSalesIn adds up what was sold in a place, whatever the currency.
func NexusSalesIn(
	c *models.NexusCase, place nexus.Place, currency string, day calendar.Date, rates Rates,
) (s NexusSold, err error) {
	for i := range c.Days {
		d := &c.Days[i]
		if !place.Counts(d.CountryCode, d.StateCode, c.Home, day) {
			continue
		}
		sold, ok, err := ConvertNexusDay(d, currency, rates)
		if err != nil {
			return s, err
		}
		if !ok {
			s.Unconverted += d.N
			s.Missing = append(s.Missing, models.CurrencyPair{From: d.Currency, To: currency, Day: d.Day})
		}
		if err := s.add(sold); err != nil {
			return s, err
		}
	}
	s.CollectedSince, err = collectedSince(c, place, day)
	return s, err
}

// collectedSince is the day since which tax is collected in a place, in one currency or another, at the end of each
// day up to one; zero: it is not. Each currency is added up by itself: at the rates of two days, a refund would not
// give back exactly what its sale had collected. What marketplaces collect is theirs to hand over.
func collectedSince(c *models.NexusCase, place nexus.Place, until calendar.Date) (since calendar.Date, err error) {
	nets := map[string]decimal.Decimal{} // by currency
	var day calendar.Date
	endDay := func() {
		collected := slices.ContainsFunc(slices.Collect(maps.Values(nets)), decimal.Decimal.IsPos)
		switch {
		case !collected:
			since = 0
		case since == 0:
			since = day
		}
	}
	for i := range c.Days {
		d := &c.Days[i]
		on := calendar.DateOf(d.Day)
		if on > until || d.Marketplace || !place.Counts(d.CountryCode, d.StateCode, c.Home, until) {
			continue
		}
		if on != day {
			endDay()
			day = on
		}
		if nets[d.Currency], err = money.Add(nets[d.Currency], d.CollectedTax); err != nil {
			return 0, err
		}
	}
	endDay()
	return since, nil
}

// add puts sales to those of the same day and way of selling. Days come in order.
func (s *NexusSold) add(sold nexus.DailySales) (err error) {
	i := slices.IndexFunc(
		s.Days[max(0, len(s.Days)-2):],
		func(d nexus.DailySales) bool { return d.Day == sold.Day && d.Marketplace == sold.Marketplace },
	)
	if i < 0 {
		s.Days = append(s.Days, sold)
		return nil
	}
	d := &s.Days[max(0, len(s.Days)-2)+i]
	d.Count += sold.Count
	d.ExemptCount += sold.ExemptCount
	d.ResaleCount += sold.ResaleCount
	for _, sum := range []struct {
		of  *decimal.Decimal
		add decimal.Decimal
	}{{&d.Amount, sold.Amount}, {&d.ExemptAmount, sold.ExemptAmount}, {&d.ResaleAmount, sold.ResaleAmount}} {
		if *sum.of, err = money.Add(*sum.of, sum.add); err != nil {
			return err
		}
	}
	return nil
}

// ConvertNexusDay is a day's sales in another currency, at the rate of the day. ok is false
// when there is no rate: then only the number counts.
func ConvertNexusDay(
	d *models.NexusDay, currency string, rates Rates,
) (sold nexus.DailySales, ok bool, err error) {
	sold = nexus.DailySales{
		Day: calendar.DateOf(d.Day), Marketplace: d.Marketplace, Count: d.N, ExemptCount: d.ExemptN,
		ResaleCount: d.ResaleN,
	}
	amounts := []decimal.Decimal{d.Amount, d.ExemptAmount, d.ResaleAmount}
	if d.Currency != currency {
		rate, known := rates[models.CurrencyPair{From: d.Currency, To: currency, Day: d.Day}]
		if !known {
			return sold, false, nil
		}
		for i := range amounts {
			if amounts[i], err = money.MulRateHalfUp(amounts[i], rate.Rate, 2); err != nil {
				return sold, false, err
			}
		}
	}
	sold.Amount, sold.ExemptAmount, sold.ResaleAmount = amounts[0], amounts[1], amounts[2]
	return sold, true, nil
}

// NexusRatesFor lists the conversions that the records of a case need.
func NexusRatesFor(c *models.NexusCase, terms []nexus.Rule, day calendar.Date) []models.CurrencyPair {
	wanted := map[models.CurrencyPair]bool{}
	for i := range c.Records {
		place := c.Records[i].Place()
		for _, d := range c.Days {
			if d.Currency != terms[i].Currency && place.Counts(d.CountryCode, d.StateCode, c.Home, day) {
				wanted[models.CurrencyPair{From: d.Currency, To: terms[i].Currency, Day: d.Day}] = true
			}
		}
	}
	pairs := make([]models.CurrencyPair, 0, len(wanted))
	for pair := range wanted {
		pairs = append(pairs, pair)
	}
	return pairs
}

// PresencesIn are the days of presence in a place that have begun.
func PresencesIn(c *models.NexusCase, place nexus.Place, day calendar.Date) []calendar.Period {
	var days []calendar.Period
	for _, p := range c.Presences {
		state := p.StateCode
		if state == p.CountryCode {
			state = ""
		}
		if p.CountryCode != place.Country || place.State != "" && place.State != state ||
			calendar.DateOf(p.StartDate) > day {
			continue
		}
		period := calendar.Period{Start: calendar.DateOf(p.StartDate)}
		if p.EndDate != nil {
			period.End = calendar.DateOf(*p.EndDate)
		}
		days = append(days, period)
	}
	return days
}
