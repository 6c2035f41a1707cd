package calendar

// CreditTreatment says how an authority gives back the credit of a return that exceeds its tax.
type CreditTreatment string

// Treatments.
const (
	CreditCarried CreditTreatment = "CARRY" // later returns take it off
	CreditClaimed CreditTreatment = "CLAIM" // a claim of its own asks for it
)

// CreditRule is the rule of an authority about credit, by its law.
type CreditRule struct {
	Country, State string
	Treatment      CreditTreatment
	// ClaimMonths are those from the end of the period in which a claim is in time, 0 if not known. Laws count from a day
	// some weeks later, such as the due day.
	ClaimMonths int
	Source      string // of the rule; "": none was read, and the treatment is the default
}

// creditRules has the authorities whose law was read. The law of no other one was: they carry, without a deadline.
var creditRules = []CreditRule{
	{
		"US", "FL", CreditCarried, 36,
		"Florida form DR-26S, question 3: a credit on the next return; Fla. Stat. 215.26(2): 3 years after the payment",
	},
	{
		"US", "IL", CreditClaimed, 36,
		"35 ILCS 120/6a: claims on forms; Illinois DOR on form ST-1-X: paid at most 3 years before the half-year of the claim",
	},
	{
		"US", "NY", CreditCarried, 36,
		"TB-ST-810: credit on the return; N.Y. Tax Law 1139(a): 3 years after the day on which the tax was payable",
	},
	{
		"US", "TX", CreditCarried, 48,
		"Texas Comptroller, sales tax refunds: credit on a return; Tex. Tax Code 111.107, 111.201: 4 years after it is payable",
	},
	{
		"US", "WA", CreditCarried, 48,
		"RCW 82.32.060(1): credited or refunded at the taxpayer's option, for 4 years before the year of the application",
	},
}

// CreditRuleOf returns the rule of an authority, as registrations name it.
func CreditRuleOf(country, state string) CreditRule {
	for _, r := range creditRules {
		if r.Country == country && r.State == state {
			return r
		}
	}
	return CreditRule{Country: country, State: state, Treatment: CreditCarried}
}

// CreditDeadlines lists the authorities whose deadlines for claims are known, such as US-TX, with their months.
func CreditDeadlines() map[string]int {
	months := map[string]int{}
	for _, r := range creditRules {
		if r.ClaimMonths > 0 {
			months[r.Country+"-"+r.State] = r.ClaimMonths
		}
	}
	return months
}

// CreditClaims lists the authorities that want a claim, such as US-TX.
func CreditClaims() []string {
	claims := []string{}
	for _, r := range creditRules {
		if r.Treatment == CreditClaimed {
			claims = append(claims, r.Country+"-"+r.State)
		}
	}
	return claims
}
