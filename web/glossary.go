package web

import "strings"

// word is a term of sales tax with its meaning.
type word struct{ Term, Meaning string }

// ID returns the id of the word on its page.
func (w word) ID() string { return strings.ToLower(strings.ReplaceAll(w.Term, " ", "-")) }

// glossary has the words that a merchant meets on the pages, by the alphabet. docs/glossary.md has those of the code, too.
var glossary = []word{
	{"Amendment", "A return that corrects one that was filed before."},
	{"Authority", "The office that takes returns and registrations, such as the tax office of a state."},
	{"Back tax", "Tax of the days before your first return. No return contains it, so it is reported by hand."},
	{"Certificate", "The document by which a customer proves that its purchases are exempt."},
	{"Credit note", "A document that refunds a sale or a part of it, with its tax."},
	{"Due day", "The last day on which a return may be filed and paid."},
	{"Exception", "A record that cannot go on before a person has decided something."},
	{"Exempt sale", "A sale on which no tax is owed, because of the customer or of what is sold."},
	{"Exposed", "There is nexus in a place, and you are not registered there: the tax is owed and not reported."},
	{"Filing frequency", "How often a registration files a return: each month, quarter or year."},
	{"Jurisdiction", "An area with its own tax or rate: a country, state, county, city or district."},
	{"Liability", "The tax that you owe to an authority, whether you collected it or not."},
	{"Marketplace facilitator", "A marketplace that owes the tax on the sales that you make through it."},
	{"Nexus", "A connection with a place that makes you collect tax there: sales above a threshold, an office, a warehouse."},
	{"Notice", "A letter of an authority about a return or a registration."},
	{"Registration", "The permission and the duty to collect tax for an authority and to file returns with it."},
	{"Return", "The report of the sales and the tax of a period to an authority."},
	{"Tax class", "A group of products that the law treats alike, such as groceries."},
	{"Taxable amount", "The part of a price that is taxed: without discounts, exempt parts and parts below a limit."},
	{"Threshold", "The amount or the number of sales in a place from which on there is nexus."},
	{"Voluntary disclosure", "An offer of many states to those who report back tax before they are asked: fewer years and no penalty."},
}

func (c *Console) glossary(v *pageRequest) error { return v.show("Words of sales tax", glossary) }
