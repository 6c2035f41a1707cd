package nexus

import (
	"fmt"
	"math/big"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/money"
)

// Forecast is when a threshold that is not met will be crossed.
type Forecast struct {
	// Months from the day until the threshold is crossed, 1 to 12.
	Months int
	// Confidence, 0 to 100: 100 less the mean distance of the last six months from
	// their average, in percent of that average. Equal months give 100; six months
	// of which one has everything give 0.
	Confidence int
}

const (
	forecastBase    = 6  // full months that the average is of
	forecastHorizon = 12 // months that are forecast
)

// predict continues the sales at the average of the last six full months before the day. It finds the month in which
// the rule is met. ok is false if the rule is met already, or not within 12 months. sales are as for Evaluate.
//
// Errors: as of Evaluate.
func predict(rule *Rule, day calendar.Date, sales []DailySales, presence bool) (forecast Forecast, ok bool, err error) {
	now, err := Evaluate(rule, day, sales, presence, ApproachingPercent)
	if err != nil || now.Met {
		return Forecast{}, false, err
	}
	months, average, err := Months(rule, day, forecastBase+1, sales, presence)
	if err != nil {
		return Forecast{}, false, err
	}
	months = months[:forecastBase] // the counted sales of each full month, none of them exempt
	ahead := make([]DailySales, 0, len(sales)+forecastHorizon)
	for _, s := range sales {
		if s.Day <= day {
			ahead = append(ahead, s)
		}
	}
	for m := 1; m <= forecastHorizon; m++ {
		average.Day = day.AddMonths(m)
		ahead = append(ahead, average)
		e, err := Evaluate(rule, average.Day, ahead, presence, ApproachingPercent)
		if err != nil {
			return Forecast{}, false, err
		}
		if e.Met {
			return Forecast{Months: m, Confidence: steadiness(rule, months)}, true, nil
		}
	}
	return Forecast{}, false, nil
}

func averageOf(months []DailySales) (DailySales, error) {
	sum := DailySales{Amount: decimal.Zero}
	for _, m := range months {
		var err error
		if sum.Amount, err = money.Add(sum.Amount, m.Amount); err != nil {
			return DailySales{}, err
		}
		sum.Count += m.Count
	}
	cents, err := money.Scaled(sum.Amount, money.Scale)
	if err != nil {
		return DailySales{}, fmt.Errorf("average of the sales: %w", err)
	}
	n := int64(len(months))
	return DailySales{Amount: money.FromCents(cents / n), Count: int((int64(sum.Count) + n/2) / n)}, nil
}

// steadiness is the confidence of a forecast, by the amounts or, where the rule has
// none, by the numbers.
func steadiness(rule *Rule, months []DailySales) int {
	values := make([]*big.Int, len(months))
	sum := new(big.Int)
	for i, m := range months {
		values[i] = big.NewInt(int64(m.Count))
		if rule.HasAmount() {
			cents, _ := money.Scaled(m.Amount, money.Scale) // averageOf has read their sum
			values[i] = big.NewInt(cents)
		}
		sum.Add(sum, values[i])
	}
	if sum.Sign() <= 0 {
		return 0
	}
	n := big.NewInt(int64(len(months)))
	apart := new(big.Int) // n times the sum of the distances from the average
	for _, v := range values {
		distance := new(big.Int).Mul(v, n)
		apart.Add(apart, distance.Sub(distance, sum).Abs(distance))
	}
	percent := apart.Mul(apart, big.NewInt(100))
	percent.Div(percent, sum.Mul(sum, n))
	return max(0, 100-int(min(percent.Int64(), 100)))
}
