package calendar

import (
	"time"

	"github.com/govalues/decimal"
)

// PrepaymentRule says which payments on account an authority wants within a quarter, by its law. Levy plans no others.
type PrepaymentRule struct {
	Country, State string
	Share          decimal.Decimal // of the tax of its days that is paid with a payment on account
	Source         string
	days           func(quarter Period) []Period // nil: the law names none within a quarter
}

// prepaymentRules has the authorities whose law was read. They also accept other amounts, such as a third of the same
// quarter of the year before, which people can pay instead.
var prepaymentRules = []PrepaymentRule{
	{
		"US", "CA", decimal.MustNew(90, 2),
		"Cal. Rev. & Tax. Code 6471(a) and 6472: 90 % for each of the first two months, in the second quarter for April, " +
			"and for May with the first 15 days of June",
		californianDays,
	},
	{
		"US", "FL", decimal.MustNew(60, 2),
		"Fla. Stat. 212.11(1)(a): 60 % of the liability of the month, for dealers who estimate their tax", nil,
	},
	{
		"US", "NY", decimal.One,
		"20 NYCRR 533.3: monthly returns by actual figures, that of the third month is combined with the quarter's",
		firstTwoMonths,
	},
}

// PrepaymentRuleOf returns the rule of an authority, as registrations name it. ok is false if none was read.
func PrepaymentRuleOf(country, state string) (rule PrepaymentRule, ok bool) {
	for _, r := range prepaymentRules {
		if r.Country == country && r.State == state {
			return r, true
		}
	}
	return PrepaymentRule{}, false
}

// Planned reports whether the law names the days of payments on account within a quarter.
func (r PrepaymentRule) Planned() bool { return r.days != nil }

func firstTwoMonths(quarter Period) []Period {
	second := quarter.Start.AddMonths(1)
	return []Period{{quarter.Start, second.AddDays(-1)}, {second, second.LastOfMonth()}}
}

func californianDays(quarter Period) []Period {
	days := firstTwoMonths(quarter)
	// guard: calendar: a payment on account has the days that the law names
	if quarter.End.Month() == time.June {
		days[1].End = DateOn(quarter.End.Year(), time.June, 15)
	}
	return days
}
