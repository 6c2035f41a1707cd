package web

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The charts are drawn here, as SVG: they need no script, can be read without one, printed, and take the colours of the
// page. What they show stands in a table beside them.

// Size of the curve, and the room for its labels.
const (
	curveWidth, curveHeight = 720, 220
	curveLeft, curveBottom  = 8, 24
	curveTop                = 18
)

// monthSales is what counts towards a threshold in a month.
type monthSales struct {
	Start  string `json:"start_date"`
	Amount string `json:"included_amount"`
	Count  int    `json:"transaction_count"`
}

// curve is sales by month as a line, with what the forecast continues them at.
type curve struct {
	Line, Area, Ahead string // points of SVG; Ahead is empty without a forecast
	Dots              []curveDot
	Labels            []curveLabel
	Most              string // the largest amount, at the upper edge
	Expected          string // the month in which the threshold is expected to be crossed
}

type curveDot struct {
	X, Y string
	Text string
}

type curveLabel struct {
	X    string
	Text string
}

// curveOf draws months, the oldest first, and, unless ahead is 0, as many months more at the average. nil: no sales.
func curveOf(months []monthSales, average, currency string, ahead int) *curve {
	amounts, most, least := make([]float64, len(months)), 0.0, 0.0
	for i, m := range months {
		amounts[i] = amountOf(m.Amount)
		most, least = max(most, amounts[i]), min(least, amounts[i])
	}
	if most == least {
		return nil
	}
	last := len(months) - 1
	across := func(i int) string { return point(curveLeft + float64(i)*(curveWidth-2*curveLeft)/float64(last+ahead)) }
	up := func(amount float64) string {
		return point(curveTop + (most-amount)*(curveHeight-curveTop-curveBottom)/(most-least))
	}
	c := &curve{}
	var line []string
	for i, m := range months {
		line = append(line, across(i)+","+up(amounts[i]))
		name := monthName(m.Start, 0)
		c.Dots = append(c.Dots, curveDot{across(i), up(amounts[i]),
			fmt.Sprintf("%s: %s %s, %d", name, grouped(m.Amount), currency, m.Count)})
		if m.Amount != "" && amounts[i] == most && c.Most == "" {
			c.Most = grouped(m.Amount) + " " + currency
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
		c.Expected = monthName(months[last].Start, ahead)
		c.Labels = append(c.Labels, curveLabel{across(last + ahead), c.Expected})
	}
	return c
}

// amountOf is near enough for a drawing.
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

// slice is a part of a whole, from X on and Width wide in thousandths.
type slice struct {
	Name, Amount, Share string
	X, Width            string
	Class               string
}

// mostSlices is how many parts are shown by themselves.
const mostSlices = 6

// stackOf are the parts of a sum beside each other, the largest first and the small ones together. What is not above
// zero has no part in it. None for fewer than two parts.
func stackOf(parts []part) (shown []slice) {
	type amount struct {
		name string
		sum  *big.Rat
	}
	all, total := []amount{}, new(big.Rat)
	for _, p := range parts {
		sum, ok := new(big.Rat).SetString(p.Tax)
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
