package returns

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
)

// toPay are the lines of what is to be paid, but for forms that name it DUE.
var toPay = map[string]string{
	"GENERAL/1": "9", "US-TX": "15", "US-FL": "14", "US-CA": "26", "US-MO": "8", "US-OH": "11", "CA-GST34": "113C",
}

// oddMonth is a return of a layout with figures of "LEVEL", which stands for the level of its authority.
func oddMonth(t *testing.T, l *tax.ReturnLayout, figures ...string) Input {
	t.Helper()
	country, state, level := l.Country, l.State, "STATE"
	switch country {
	case tax.AnyCountry:
		country, state = "US", "CO"
	case "CA":
		level = "FEDERAL"
	case "GB":
		level = "COUNTRY"
	}
	frequency, end := calendar.FilingMonthly, calendar.Date(20260831)
	if len(l.Filers) > 0 {
		frequency = l.Filers[0]
	}
	if l.To != 0 {
		end = l.To
	}
	for i := range figures {
		figures[i] = strings.ReplaceAll(figures[i], "LEVEL", level)
	}
	in := ofPeriod(t, country, state, frequency, end.AddDays(1-int(end)%100), end, end.AddDays(20), figures...)
	in.Layout = *l
	return in
}

// oneSale is a sale of 101.50, taxed at 6 % and 1 %, or a credit note with the sign "-".
func oneSale(sign, channel string) []string {
	owed := []string{sign + "6.09", sign + "1.02"}
	if channel != models.ChannelOwn {
		owed = []string{"0.00", "0.00"}
	}
	return []string{
		"LEVEL Home 0.06 " + channel + " /PHYSICAL " + sign + "101.50 " + sign + "101.50 " + sign + "6.09 " + owed[0] + " Here_County",
		"COUNTY Here_County 0.01 " + channel + " /PHYSICAL 0.00 " + sign + "101.50 " + sign + "1.02 " + owed[1] + " Here_County",
	}
}

// A month without own sales owes nothing, in each form. One with nothing but a credit note gives back what the sale owed
// without a discount: all forms round alike on both sides of zero.
func TestOddMonthsOfEachForm(t *testing.T) {
	t.Parallel()
	law, err := tax.LoadContent()
	require.NoError(t, err)
	for _, l := range law.ReturnLayouts() {
		due := "DUE"
		for form, line := range toPay {
			if strings.HasPrefix(l.ID, form+"-") || l.ID == form || strings.HasPrefix(l.ID, form+"/") {
				due = line
			}
		}
		empty, w := made(t, oddMonth(t, &l))
		require.NotEmpty(t, empty)
		for line, amount := range empty {
			require.Equal(t, "0.00", amount, l.ID+" "+line)
		}
		require.Empty(t, errorsOf(w.Findings), l.ID)
		require.Contains(t, empty, due, l.ID)

		market, w := made(t, oddMonth(t, &l, oneSale("", models.ChannelMarketplace)...))
		require.Equal(t, "0.00", market[due], l.ID)
		require.Contains(t, []string{"0.00", ""}, market["XD"], l.ID)
		require.Empty(t, errorsOf(w.Findings), l.ID)

		sale := oddMonth(t, &l, oneSale("", models.ChannelOwn)...)
		sale.Day++ // after the due day there is no discount
		sold, _ := made(t, sale)
		back := oddMonth(t, &l, oneSale("-", models.ChannelOwn)...)
		given, _ := made(t, back)
		if l.State == "OH" { // an overpayment is a line of its own
			require.Equal(t, "0.00 "+sold["11"], given["11"]+" "+given["12"])
		} else {
			require.Equal(t, total(t, sold[due]).Neg().String(), given[due], l.ID)
		}
		if l.ID != "GENERAL/1" {
			require.Equal(t, total(t, sold["XD"]).Neg().String(), given["XD"], l.ID)
		}
	}
}
