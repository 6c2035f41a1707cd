package web

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"levy/contract"
	"levy/models/report"
)

// Charts are SVG drawn by the service. They need no script, can be printed, and have the colours of the page. A table
// next to each chart has the same figures.

// Size of the curve, and the room for its labels, in units of its viewBox.
const (
	curveWidth, curveHeight = 720, 220
	curveLeft, curveBottom  = 8, 24
	curveTop                = 18
)

// curve is a line chart of monthly sales, continued by the forecast.
type curve struct {
	Line, Area, Ahead string // points of SVG polylines; Ahead is empty without a forecast
	Dots              []curveDot
	Labels            []curveLabel
	Most              string // the amount at the top, written there
	Limit             *curveLimit
	Expected          string // the month in which the forecast crosses the threshold
}

// curveLimit is a threshold of sales as a line of the chart: the sales of each month that cross it within its period.
type curveLimit struct {
	Amount, Text string
	Y, TextY     string // of the line and of its label
}

// limitOf returns the threshold of a nexus record over the months of its period. It is nil where sales do not matter.
func limitOf(n *contract.NexusRecord) *curveLimit {
	whole, ok := new(big.Rat).SetString(string(n.ThresholdSales))
	if !ok || whole.Sign() <= 0 || n.SalesOrTransactions == contract.SalesOrTransactionsTRANSACTIONS {
		return nil
	}
	first, last := n.PeriodStartDate.Time, n.PeriodEndDate.AddDate(0, 0, 1) // the first day after the period
	months := (last.Year()-first.Year())*12 + int(last.Month()-first.Month())
	if months < 1 {
		return nil
	}
	amount := whole.Quo(whole, big.NewRat(int64(months), 1)).FloatString(2)
	return &curveLimit{Amount: amount, Text: fmt.Sprintf("Threshold: %s %s in %d months, %s a month",
		grouped(string(n.ThresholdSales)), n.Currency, months, grouped(amount))}
}

type curveDot struct {
	X, Y string
	Text string
}

type curveLabel struct {
	X    string
	Text string
}

// curveOf draws monthly sales, the oldest month first. It continues them at the average for the given number of months.
// limit is the threshold; nil for none. It returns nil if there are no sales.
func curveOf(months []contract.NexusMonth, average, currency string, ahead int, limit *curveLimit) *curve {
	amounts, most, least := make([]float64, len(months)), 0.0, 0.0
	for i, m := range months {
		amounts[i] = amountOf(m.IncludedAmount)
		most, least = max(most, amounts[i]), min(least, amounts[i])
	}
	if most == least {
		return nil
	}
	if limit != nil {
		most = max(most, amountOf(limit.Amount))
	}
	last := len(months) - 1
	across := func(i int) string { return point(curveLeft + float64(i)*(curveWidth-2*curveLeft)/float64(last+ahead)) }
	up := func(amount float64) string {
		return point(curveTop + (most-amount)*(curveHeight-curveTop-curveBottom)/(most-least))
	}
	c := &curve{Limit: limit}
	if limit != nil {
		limit.Y = up(amountOf(limit.Amount))
		limit.TextY = point(amountOf(limit.Y) - 4)
	}
	var line []string
	for i, m := range months {
		line = append(line, across(i)+","+up(amounts[i]))
		name := monthName(m.StartDate.String(), 0)
		c.Dots = append(c.Dots, curveDot{across(i), up(amounts[i]),
			fmt.Sprintf("%s: %s %s, %d", name, grouped(m.IncludedAmount), currency, m.TransactionCount)})
		if m.IncludedAmount != "" && amounts[i] == most && c.Most == "" {
			c.Most = grouped(m.IncludedAmount) + " " + currency
		}
		if i%6 == 0 || i == last && ahead == 0 {
			c.Labels = append(c.Labels, curveLabel{across(i), name})
		}
	}
	c.Line = strings.Join(line, " ")
	c.Area = across(0) + "," + up(0) + " " + c.Line + " " + across(last) + "," + up(0)
	if ahead > 0 {
		level := up(amountOf(average))
		c.Ahead = across(last) + "," + level + " " + across(last+ahead) + "," + level
		c.Expected = monthName(months[last].StartDate.String(), ahead)
		c.Labels = append(c.Labels, curveLabel{across(last + ahead), c.Expected})
	}
	return c
}

// amountOf returns an amount as a float, which is exact enough for a drawing; 0 if it is not a number.
func amountOf(text string) float64 {
	amount, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return amount
}

func point(at float64) string { return strconv.FormatFloat(at, 'f', 1, 64) }

func monthName(day string, later int) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return t.AddDate(0, later, 0).Format("Jan 2006")
}

// slice is a part of a bar that is 1000 wide: it starts at X.
type slice struct {
	Name, Amount, Share string
	X, Width            string
	Class               string
}

// mostSlices is the number of parts that a bar shows individually; smaller ones are added up.
const mostSlices = 6

// stackOf divides a sum into the slices of a bar, the largest first and the small ones added up. Amounts of zero or
// less have no slice. It returns none for fewer than two parts.
func stackOf(parts []report.Jurisdiction) (shown []slice) {
	type amount struct {
		name string
		sum  *big.Rat
	}
	all, total := []amount{}, new(big.Rat)
	for _, p := range parts {
		sum, ok := new(big.Rat).SetString(p.TaxAmount)
		if !ok || sum.Sign() <= 0 {
			continue
		}
		total.Add(total, sum)
		all = append(all, amount{p.Name, sum})
	}
	if len(all) < 2 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b amount) int { return b.sum.Cmp(a.sum) })
	if len(all) > mostSlices+1 {
		rest := new(big.Rat)
		for _, a := range all[mostSlices:] {
			rest.Add(rest, a.sum)
		}
		all = append(all[:mostSlices], amount{fmt.Sprintf("%d others", len(all)-mostSlices), rest})
	}
	at := new(big.Rat)
	for i, a := range all {
		share := new(big.Rat).Quo(a.sum, total)
		wide := new(big.Rat).Mul(share, big.NewRat(1000, 1))
		shown = append(shown, slice{
			Name: a.name, Amount: a.sum.FloatString(2), Share: new(big.Rat).Mul(share, big.NewRat(100, 1)).FloatString(1) + " %",
			X: at.FloatString(1), Width: wide.FloatString(1), Class: "part" + strconv.Itoa(i+1),
		})
		at.Add(at, wide)
	}
	return shown
}
