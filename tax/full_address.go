package tax

import (
	"strings"

	"levy/tax/postal"
)

// parseFull reads an address on one line: "street, city, state ZIP, country". The country and the commas between state
// and ZIP are optional. Text that cannot be told apart stays in the street.
func (c *Content) parseFull(a Address) Address {
	parts := strings.FieldsFunc(a.FullAddress, func(r rune) bool { return r == ',' || r == '\n' || r == ';' })
	kept := parts[:0]
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			kept = append(kept, p)
		}
	}
	parts = kept
	if n := len(parts); n > 1 {
		if code := c.countryWritten(parts[n-1]); code != "" {
			a.Country, parts = code, parts[:n-1]
		}
	} else if n == 1 {
		if code := c.countryWritten(parts[0]); code != "" {
			a.Country = code
			return a
		}
	}
	parts = c.takeStateAndZIP(&a, parts)
	if n := len(parts); n > 0 {
		if a.State != "" {
			a.City, parts = parts[n-1], parts[:n-1]
		}
	}
	a.Street1 = strings.Join(parts, ", ")
	return a
}

// countryWritten finds a country by name or capital code. Two letters that are
// also a US state mean the state, except in forms that are not used for states.
func (c *Content) countryWritten(s string) string {
	if _, ok := c.countries[s]; ok && c.usState(s) == 0 {
		return s
	}
	if len(s) <= 2 || c.usState(s) != 0 {
		return ""
	}
	return c.countryNamed(s)
}

func (c *Content) takeStateAndZIP(a *Address, parts []string) []string {
	n := len(parts)
	if n == 0 {
		return parts
	}
	words := strings.Fields(parts[n-1])
	if w := len(words); w > 0 {
		if _, ok := postal.ZIP5(words[w-1]); ok {
			a.PostalCode, words = words[w-1], words[:w-1]
		}
	}
	if len(words) == 0 {
		if n--; n == 0 {
			return nil
		}
		words = strings.Fields(parts[n-1])
	}
	for take := min(3, len(words)); take > 0; take-- {
		name := strings.Join(words[len(words)-take:], " ")
		if !c.stateLike(name) {
			continue
		}
		a.State = name
		parts = parts[:n-1]
		if rest := words[:len(words)-take]; len(rest) > 0 {
			parts = append(parts, strings.Join(rest, " "))
		}
		return parts
	}
	if a.PostalCode != "" {
		return append(parts[:n-1], strings.Join(words, " "))
	}
	return parts[:n]
}
