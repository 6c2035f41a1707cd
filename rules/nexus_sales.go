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

// NexusSold has the sales of a place in the currency of its rule, day by day.
type NexusSold struct {
	Days []nexus.DailySales
	// CollectedSince is the day since which more tax is collected there than refunded; zero if it is not.
	CollectedSince calendar.Date
	// Unconverted is the number of sales without an amount, because there is no rate.
	Unconverted int
	Missing     []models.CurrencyPair // the rates for them
}

// NexusSalesIn adds up the sales in a place, converted into a currency. Errors: money.ErrOverflow.
func NexusSalesIn(
	c *models.NexusCase, place nexus.Place, currency string, day calendar.Date, rates Rates,
) (s NexusSold, err error) {
	sums := convertedSums{}
	for i := range c.Days {
		d := &c.Days[i]
		if !place.Counts(d.CountryCode, d.StateCode, c.Home, day) {
			continue
		}
		sold, ok, err := sums.add(d, currency, rates)
		if err != nil {
			return s, err
		}
		if !ok {
			s.Unconverted += d.N
			s.Missing = append(s.Missing, models.CurrencyPair{From: d.Currency, To: currency, Day: d.RateDay()})
		}
		if err := s.add(sold); err != nil {
			return s, err
		}
	}
	s.CollectedSince, err = collectedSince(c, place, day)
	return s, err
}

// collectedSince returns the day since which the collected tax of a place is positive at the end of each day; zero if
// it is not. One currency is enough. Currencies are added up separately: by the rates of two days, a refund would not
// subtract exactly the tax of its sale. Marketplaces remit what they collect, so it does not count.
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

// add adds sales to those of the same day, direct or by a marketplace. Days come in order.
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

// ConvertNexusDay returns the sales of a day in another currency, by the rate of that day. ok is false if there is no
// rate; then only the number counts. Errors: money.ErrOverflow.
func ConvertNexusDay(
	d *models.NexusDay, currency string, rates Rates,
) (sold nexus.DailySales, ok bool, err error) {
	return convertedSums{}.add(d, currency, rates)
}

// convertedSums has sums of sales and their refunds, before and after conversion, by place, currency and day of the
// sales. Each part adds the growth of the converted sum. Thus nothing is left after a full refund, however many parts
// it has.
type convertedSums map[conversionGroup][2]nexusAmounts

type conversionGroup struct {
	country, state, currency string
	marketplace              bool
	day                      calendar.Date
}

type nexusAmounts [3]decimal.Decimal // all, exempt, for resale

// add converts a part. It returns the same as ConvertNexusDay.
func (s convertedSums) add(
	d *models.NexusDay, currency string, rates Rates,
) (sold nexus.DailySales, ok bool, err error) {
	sold = nexus.DailySales{
		Day: calendar.DateOf(d.Day), Marketplace: d.Marketplace, Count: d.N, ExemptCount: d.ExemptN,
		ResaleCount: d.ResaleN,
	}
	amounts := nexusAmounts{d.Amount, d.ExemptAmount, d.ResaleAmount}
	if d.Currency != currency {
		rate, known := rates[models.CurrencyPair{From: d.Currency, To: currency, Day: d.RateDay()}]
		if !known {
			return sold, false, nil
		}
		together := conversionGroup{d.CountryCode, d.StateCode, d.Currency, d.Marketplace, calendar.DateOf(d.RateDay())}
		sums := s[together]
		for i := range amounts {
			before := sums[1][i]
			if sums[0][i], err = money.Add(sums[0][i], amounts[i]); err != nil {
				return sold, false, err
			}
			if sums[1][i], err = money.MulRateHalfUp(sums[0][i], rate.Rate, 2); err != nil {
				return sold, false, err
			}
			if amounts[i], err = money.Add(sums[1][i], before.Neg()); err != nil {
				return sold, false, err
			}
		}
		s[together] = sums
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
				wanted[models.CurrencyPair{From: d.Currency, To: terms[i].Currency, Day: d.RateDay()}] = true
			}
		}
	}
	pairs := make([]models.CurrencyPair, 0, len(wanted))
	for pair := range wanted {
		pairs = append(pairs, pair)
	}
	return pairs
}

// PresencesIn returns the presences in a place that have begun.
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
