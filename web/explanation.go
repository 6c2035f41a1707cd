package web

import (
	"cmp"
	"regexp"
	"strings"
)

// fieldNames are the labels of API fields whose names are not readable.
var fieldNames = map[string]string{
	"external_id": "Your ID", "secondary_external_id": "Your second ID",
	"external_friendly_id": "Number that the customer sees", "external_product_id": "Product",
	"shop_date": "Local date", "shop_date_tz": "Local time zone", "related_to": "Refers to",
	"street_1": "Street", "street_2": "Second line of the street", "full_address": "Address in one line",
	"is_unincorporated": "Outside of any city",
	"total_amount":      "Total", "total_discount": "Discount", "net_amount": "Amount after discount",
	"taxable_amount": "Taxable amount", "unrounded_amount": "Tax before rounding",
	"tax_amount": "Tax", "tax_amount_imported": "Tax collected", "total_tax_amount_imported": "Tax collected",
	"tax_amount_calculated": "Tax calculated", "total_tax_amount_calculated": "Tax calculated",
	"total_tax_liability_amount": "Tax owed", "tax_rate_imported": "Rate collected",
	"tax_rate_calculated": "Rate calculated",
}

// fieldName returns the label of an API field.
func fieldName(field string) string { return cmp.Or(fieldNames[field], sentence(field)) }

// isAmount reports whether a field has an amount of money.
func isAmount(field string) bool {
	return strings.Contains(field, "amount") || strings.Contains(field, "discount")
}

// isNumeric reports whether a field has a number.
func isNumeric(field string) bool {
	return isAmount(field) || strings.Contains(field, "rate") || field == "quantity"
}

// classNames are the labels of tax classes whose codes are not readable.
var classNames = map[string]string{
	"CLOTHING_CHILD": "children's clothing", "DRUGS_RX": "prescription drugs",
	"DRUGS_OTC": "drugs without prescription", "EBOOK": "e-books", "SAAS": "software as a service",
	"SAAS_B2B": "software as a service for businesses", "SAAS_B2C": "software as a service for consumers",
	"IAAS": "infrastructure as a service", "TELECOM": "telecommunication", "IT_SUPPORT": "computer support",
	"PAY_TV": "pay television",
}

// className returns the label of a tax class.
func className(code string) string {
	return cmp.Or(classNames[code], strings.ToLower(strings.ReplaceAll(code, "_", " ")))
}

// classCode returns the code of a tax class that a person typed by its label or code.
func classCode(typed string) string {
	typed = strings.TrimSpace(typed)
	for code, name := range classNames {
		if strings.EqualFold(name, typed) {
			return code
		}
	}
	return strings.ToUpper(strings.ReplaceAll(typed, " ", "_"))
}

var (
	moneyInText = regexp.MustCompile(`^[+-]?[0-9]{4,}\.[0-9]{2,}$`)
	smallInText = regexp.MustCompile(`^[+-]?[0-9]{1,3}\.[0-9]{2}$`)
	rateInText  = regexp.MustCompile(`^[0-9]+\.[0-9]+$`)
	wordInText  = regexp.MustCompile(`^[a-z]+$`)
	dayInText   = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	fieldInText = regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`)
	codeInText  = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`)
)

// readable returns a sentence of the service with grouped amounts, days in the form of the person, and labels instead of
// codes. The stored sentence, which the API returns, stays unchanged.
func readable(sentence string) string {
	words := strings.Split(sentence, " ")
	for i, word := range words {
		before, after := "", ""
		if i > 0 {
			before = words[i-1]
		}
		if i+1 < len(words) {
			after = words[i+1]
		}
		end := len(strings.TrimRight(word, ".,;:)"))
		start := min(end, len(word)-len(strings.TrimLeft(word, "(")))
		words[i] = word[:start] + readableWord(before, word[start:end], after) + word[end:]
	}
	return strings.Join(words, " ")
}

// readableWord returns a word of a sentence as people read it, by the words before and after it. The number of a section of
// a law follows a sign or a capital letter, and stays.
func readableWord(before, word, after string) string {
	switch {
	case moneyInText.MatchString(word), smallInText.MatchString(word) && wordInText.MatchString(before),
		rateInText.MatchString(word) && strings.HasPrefix(after, "%"):
		return grouped(word)
	case dayInText.MatchString(word):
		return day(word)
	case fieldInText.MatchString(word):
		return strings.ToLower(fieldName(word))
	case codeInText.MatchString(word) && (before == "Class" || strings.Contains(word, "_")):
		return className(word)
	}
	return word
}
