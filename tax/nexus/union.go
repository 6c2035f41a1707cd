package nexus

import (
	"slices"

	"levy/tax/calendar"
)

// UnionMember reports whether a country belongs to the common system of VAT of the European Union on a day. The United
// Kingdom belonged to it until the end of 2020.
func UnionMember(country string, day calendar.Date) bool {
	since, ok := unionSince[country]
	return ok && day >= since || country == "GB" && day >= 19930101 && day < 20210101
}

// UnionMembers lists the members on a day.
func UnionMembers(day calendar.Date) []string {
	members := []string{"GB"}
	for country := range unionSince {
		members = append(members, country)
	}
	members = slices.DeleteFunc(members, func(country string) bool { return !UnionMember(country, day) })
	slices.Sort(members)
	return members
}

var unionSince = map[string]calendar.Date{
	"BE": 19930101, "DE": 19930101, "DK": 19930101, "ES": 19930101, "FR": 19930101, "GR": 19930101, "IE": 19930101,
	"IT": 19930101, "LU": 19930101, "NL": 19930101, "PT": 19930101, "AT": 19950101, "FI": 19950101, "SE": 19950101,
	"CY": 20040501, "CZ": 20040501, "EE": 20040501, "HU": 20040501, "LT": 20040501, "LV": 20040501, "MT": 20040501,
	"PL": 20040501, "SI": 20040501, "SK": 20040501, "BG": 20070101, "RO": 20070101, "HR": 20130701,
}

// EuropeanUnion is the country of rules that count the sales to all members.
const EuropeanUnion = "ZZ_EU"
