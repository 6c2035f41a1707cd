package web

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Fields of a form, or parameters of a filter, with the names of the fields that have the form of the person. Others
// have the form of the API: "1234.50" and "2026-01-02".
const (
	typedAmounts  = "typed_amount"
	typedNumbers  = "typed_number"
	typedPercents = "typed_percent"
	typedDays     = "typed_day"
	typedPersonal = "typed_personal" // days that no message repeats
)

// misread begins the names of the values that say why a field cannot be read.
const misread = "misread_"

// misreadMark begins a value that cannot be read, in the form of the person. The API refuses such a value, so that it
// finds everything else that is wrong with the form, too.
const misreadMark = "\uFDD5"

// neutralNumber is a number as the API has it.
var neutralNumber = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

// neutral puts the form of the API in place of what the person typed. It marks a value that cannot be read, or that can
// be read in two ways, and adds the reason. It returns the names of these fields. A second call changes no value.
func (f personalForm) neutral(values url.Values) (faulty []string) {
	for name := range values {
		if strings.HasPrefix(name, misread) {
			values.Del(name) // only this function says so
		}
	}
	for _, kind := range []struct {
		list string
		read func(string) (value, fault string)
	}{
		{typedAmounts, f.readAmount},
		{typedNumbers, f.readNumber},
		{typedPercents, func(text string) (string, string) {
			return f.readNumber(strings.TrimSpace(strings.TrimSuffix(text, "%")))
		}},
		{typedDays, f.readDay},
		{typedPersonal, func(text string) (string, string) {
			value, fault := f.readDay(text)
			if fault != "" {
				fault = "This is no day that can be read in one way only. Write it like " + exampleDay + "."
			}
			return value, fault
		}},
	} {
		for _, name := range slices.Compact(slices.Sorted(slices.Values(values[kind.list]))) {
			text := strings.TrimSpace(withoutMarks(values.Get(name)))
			if text == "" {
				continue
			}
			if stored := values.Get(was + name); text == strings.Replace(stored, ".", f.Decimal, 1) {
				values.Set(name, stored) // as the page showed it
				continue
			}
			value, fault := kind.read(text)
			// guard: forms: a number or a day that can be read in two ways is not sent to the API
			if fault != "" {
				value = misreadMark + text
				values.Set(misread+name, fault)
				faulty = append(faulty, name)
			}
			values.Set(name, value)
		}
		values.Del(kind.list)
	}
	return faulty
}

// withoutMarks removes the code points that mark values inside of this program.
func withoutMarks(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0xFDD0 && r <= 0xFDEF {
			return -1
		}
		return r
	}, text)
}

// readNumber returns a number in the form of the API, or why the text is none in the form of the person. All digits
// stay. A number whose only mark is followed by three digits, such as 1,234, is refused where that mark is the one of
// thousands: people who write decimals with it mean another number.
func (f personalForm) readNumber(text string) (number, fault string) {
	fault = "“" + text + "” cannot be read as a number. Write it like " + numberMark + "1234.50" + endMark + "."
	sign, rest := "", strings.Replace(text, "\u2212", "-", 1) // a minus of typography
	if len(rest) > 0 && strings.Contains("+-", rest[:1]) {
		sign, rest = strings.TrimPrefix(rest[:1], "+"), strings.TrimSpace(rest[1:])
	}
	whole, decimals, hasDecimals := strings.Cut(rest, f.Decimal)
	if hasDecimals && !isDigits(decimals) {
		return "", fault
	}
	groups := []string{whole}
	if f.Thousands != "" {
		groups = strings.Split(plainGroups.Replace(whole), plainGroups.Replace(f.Thousands))
	}
	for i, group := range groups {
		if !isDigits(group) || len(groups) > 1 && (i > 0 && len(group) != 3 || i == 0 && (len(group) > 3 || group[0] == '0')) {
			return "", fault
		}
	}
	if len(groups) == 2 && !hasDecimals && strings.Contains(",.", f.Thousands) {
		return "", twoWays(text, groups[0], groups[1])
	}
	number = sign + strings.Join(groups, "")
	if hasDecimals {
		number += "." + decimals
	}
	return number, ""
}

// readAmount is readNumber for an amount of money. It also refuses three decimals, which few amounts have: 1.234 is often
// meant as 1234.
func (f personalForm) readAmount(text string) (number, fault string) {
	number, fault = f.readNumber(text)
	whole, decimals, _ := strings.Cut(strings.TrimPrefix(number, "-"), ".")
	if len(decimals) == 3 && len(whole) <= 3 && whole[0] != '0' {
		return "", twoWays(text, whole, decimals)
	}
	return number, fault
}

// twoWays refuses a number whose only mark may begin three decimals, or a group of three digits.
func twoWays(text, before, after string) string {
	return "“" + text + "” can be read in two ways. Write " + typedMark + before + after + endMark + ", or " + typedMark + before + "." +
		after + "0" + endMark + "."
}

// plainGroups replaces blanks and apostrophes between groups of digits by those of a keyboard.
var plainGroups = strings.NewReplacer("\u00A0", " ", "\u2009", " ", "\u202F", " ", "’", "'")

// isDigits reports whether a text has digits only, and at least one.
func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// exampleDay is a day in the form of the person. It has another number for the month than for the day.
var exampleDay = day("2026-01-31")

// readDay returns a day in the form of the API, or why the text is none. The month is a word, or the day begins with the
// year. A day of numbers alone, such as 31/01/2026, is read if there is one way to do so.
func (f personalForm) readDay(text string) (date, fault string) {
	fault = "“" + text + "” cannot be read as a day. Write it like " + exampleDay + "."
	parts := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" ,.-/\u00A0\u202F", r) })
	if len(parts) != 3 {
		return "", fault
	}
	var found []string
	for _, order := range []string{"2006-1-2", "2-Jan-2006", "Jan-2-2006", "2-January-2006", "January-2-2006", "2-1-2006", "1-2-2006"} {
		at, err := time.Parse(order, strings.Join(parts, "-"))
		if read := at.Format(time.DateOnly); err == nil && (len(found) == 0 || found[0] != read) {
			found = append(found, read)
		}
	}
	switch len(found) {
	case 0:
		return "", fault
	case 1:
		return found[0], ""
	}
	return "", "“" + text + "” can be " + day(found[0]) + " or " + day(found[1]) + ". Write the one that is meant like this."
}

// readTyped puts the form of the API in place of what the person typed into a form. Its handler sees nothing else.
func (v *pageRequest) readTyped() {
	if v.Method == http.MethodPost && v.PostForm != nil {
		formOf(v.user.preferences(), "").neutral(v.PostForm)
	}
}

// readFilter redirects from what the person typed into a filter to the address in the form of the API, so that an address
// means the same for all readers. done is false if there is nothing to redirect. Errors: *problem for a value that
// cannot be read.
func (v *pageRequest) readFilter() (done bool, err error) {
	query := v.URL.Query()
	if v.Method != http.MethodGet || !query.Has(typedAmounts) && !query.Has(typedDays) {
		return false, nil
	}
	refused := &problem{Status: http.StatusBadRequest, Code: invalidFields, Title: "The filter cannot be read"}
	for _, name := range formOf(v.user.preferences(), "").neutral(query) {
		refused.Errors = append(refused.Errors, problemField{"query." + name, query.Get(misread + name)})
	}
	if refused.Errors != nil {
		return false, refused
	}
	http.Redirect(v.w, v.Request, v.URL.EscapedPath()+"?"+query.Encode(), http.StatusSeeOther)
	return true, nil
}

// Typed returns the name of the list of fields that have the form of the person; "" for a field with the form of the API.
func (f field) Typed() string {
	if f.Neutral || f.Name == "" {
		return ""
	}
	switch {
	case f.Percent:
		return typedPercents
	case f.Decimals:
		return typedNumbers
	}
	return map[string]string{"number": typedAmounts, "date": typedDays, "personal-date": typedPersonal}[f.Kind]
}

// InForm returns the value of the control in the form of the person. A value that cannot be read is as it was typed.
func (f field) InForm() string {
	value, wrong := strings.CutPrefix(f.Value, misreadMark)
	switch {
	case wrong || f.Typed() == "":
		return value
	case f.Kind == "number" && neutralNumber.MatchString(value):
		return typedMark + value + endMark
	case f.Kind == "date":
		return day(value)
	}
	return value
}

// WasInForm returns the stored value as the page shows it; "" for a field with the form of the API.
func (f field) WasInForm() string {
	if f.Typed() == "" {
		return ""
	}
	f.Value = f.Was
	return f.InForm()
}

// Example returns a day in the form of the person for a field that takes one; "" for other fields.
func (f field) Example() string {
	if list := f.Typed(); f.Placeholder == "" && (list == typedDays || list == typedPersonal) {
		return exampleDay
	}
	return f.Placeholder
}

// MaxTyped returns the number of characters that the control takes; 0 for any. Thousands and a sign of a number have room.
func (f field) MaxTyped() int {
	switch {
	case f.Max > 0 && f.Kind == "number":
		return f.Max + 10
	case f.Max == 0 && f.Typed() != "":
		return 40
	}
	return f.Max
}
