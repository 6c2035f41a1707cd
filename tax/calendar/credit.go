package calendar

// CreditTreatment says how an authority gives back what a return takes off beyond what it owes.
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
	ClaimMonths    int    // from the end of the period until the claim is too late; 0: not known
	Source         string // of the rule
}

// creditRules has the authorities whose law was read. The law of no other one was: they carry, without a deadline.
var creditRules = []CreditRule{}

// CreditRuleOf returns the rule of an authority, as registrations name it.
func CreditRuleOf(country, state string) CreditRule {
	for _, r := range creditRules {
		if r.Country == country && r.State == state {
			return r
		}
	}
	return CreditRule{Country: country, State: state, Treatment: CreditCarried}
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
