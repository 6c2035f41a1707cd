package web

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/oapi-codegen/nullable"

	"levy/contract"
	"levy/models"
)

// preferencesPage is the page on which a person chooses the form of all pages, and the e-mails about work.
type preferencesPage struct{ Fields, Mails []field }

// mailLabels are the kinds of e-mail about work with their labels.
var mailLabels = []option{
	{string(models.MailDigest), "All exceptions by cause, once a week"},
	{string(models.MailDueDates), "Returns that are due in 7 days, tomorrow or today"},
	{string(models.MailRejections), "Returns that were not accepted"},
	{string(models.MailMentions), "Comments that mention me"},
	{string(models.MailAssignments), "Exceptions that others assign to me"},
}

// mailsShown is the field that says that a form has the boxes of e-mails. Without it they stay as they are.
const mailsShown = "emails"

// mailFields returns a box for each kind of e-mail about work, and the day of the digest.
func mailFields(p *contract.Preferences) []field {
	fields := []field{hidden(mailsShown, "shown")}
	for _, each := range mailLabels {
		f := field{Name: mailsShown + "_" + each.Value, Label: each.Label, Kind: "check"}
		if !slices.Contains(p.EmailsOff, contract.EmailKind(each.Value)) {
			f.Value = "true"
		}
		fields = append(fields, f)
	}
	day := choice("digest_day", "Day of the weekly e-mail", "off", dayOptions)
	day.Value, day.NoBlank = string(p.DigestDay), true
	return append(fields, day)
}

// dayOptions are the days of a week.
var dayOptions = []option{{string(contract.WeekdayMONDAY), "Monday"}, {string(contract.WeekdayTUESDAY), "Tuesday"},
	{string(contract.WeekdayWEDNESDAY), "Wednesday"}, {string(contract.WeekdayTHURSDAY), "Thursday"},
	{string(contract.WeekdayFRIDAY), "Friday"}, {string(contract.WeekdaySATURDAY), "Saturday"}, {string(contract.WeekdaySUNDAY), "Sunday"}}

// unwantedMails returns the kinds whose boxes a form leaves empty; nil if it has no boxes.
func unwantedMails(sent url.Values) []contract.EmailKind {
	if sent.Get(mailsShown) == "" {
		return nil
	}
	off := []contract.EmailKind{}
	for _, each := range mailLabels {
		if sent.Get(mailsShown+"_"+each.Value) == "" {
			off = append(off, contract.EmailKind(each.Value))
		}
	}
	return off
}

// themeChoice is a theme as the frame of a page offers it.
type themeChoice struct {
	Value, Label string
	Chosen       bool
}

// themes are all themes with their labels.
var themes = []option{
	{string(models.ThemeSystem), "System"}, {string(models.ThemeLight), "Light"}, {string(models.ThemeDark), "Dark"},
}

// Themes returns the themes with the one that the person has chosen.
func (f layout) Themes() []themeChoice {
	all := make([]themeChoice, len(themes))
	for i, each := range themes {
		all[i] = themeChoice{each.Value, each.Label, each.Value == string(f.Session.theme())}
	}
	return all
}

// ColorScheme returns the colours of what the browser itself draws, such as scroll bars.
func (f layout) ColorScheme() string {
	switch f.Session.theme() {
	case models.ThemeLight:
		return "light"
	case models.ThemeDark:
		return "dark"
	case models.ThemeSystem:
	}
	return "light dark"
}

// DarkMedia returns the media for which the dark colours count; "" for none.
func (f layout) DarkMedia() string {
	switch f.Session.theme() {
	case models.ThemeLight:
		return ""
	case models.ThemeDark:
		return "all"
	case models.ThemeSystem:
	}
	return "(prefers-color-scheme: dark)"
}

// The choices of the page. Their first entry is the default.
var (
	dayChoices = []option{
		{string(models.DayMonthYear), "2 Jan 2026"}, {string(models.MonthDayYear), "Jan 2, 2026"}, {string(models.ISODate), "2026-01-02"},
	}
	numberChoices = []option{
		{string(models.CommaThousands), "12,345.67"}, {string(models.SpaceThousands), "12 345.67"},
		{string(models.ApostropheThousands), "12’345.67"}, {string(models.PlainThousands), "12345.67"},
		{string(models.PointThousands), "12.345,67"}, {string(models.SpaceCommaThousands), "12 345,67"},
	}
	rowChoices = unlabelled("10", "20", "25", "50", "100")
)

// zoneChoices are the time zones that a person and an organization are offered. A list also has the stored one.
var zoneChoices = unlabelled("UTC", "America/New_York", "America/Chicago", "America/Denver", "America/Phoenix", "America/Los_Angeles",
	"America/Anchorage", "Pacific/Honolulu", "America/Puerto_Rico", "America/Halifax", "America/Toronto", "America/Vancouver",
	"America/Mexico_City", "America/Sao_Paulo", "Europe/London", "Europe/Dublin", "Europe/Lisbon", "Europe/Paris", "Europe/Berlin",
	"Europe/Madrid", "Europe/Rome", "Europe/Warsaw", "Europe/Athens", "Europe/Helsinki", "Asia/Jerusalem", "Asia/Dubai",
	"Asia/Kolkata", "Asia/Singapore", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney", "Pacific/Auckland")

// zoneField returns the list of time zones. blank is the label of no choice.
func zoneField(label, blank, hint string) field {
	f := hinted(choice("time_zone", label, "off", zoneChoices), hint)
	f.Blank, f.Unlisted = blank, true
	return f
}

// unlabelled returns options whose labels are their values.
func unlabelled(values ...string) []option {
	all := make([]option, len(values))
	for i, value := range values {
		all[i] = option{value, value}
	}
	return all
}

// preferences shows the preferences of the person.
func (c *Console) preferences(v *pageRequest) error {
	p, rows := v.user.preferences(), ""
	if p.PageSize != nil {
		rows = strconv.Itoa(*p.PageSize)
	}
	chosen := func(f field, value string) field {
		f.Value, f.NoBlank = value, f.Blank == ""
		return f
	}
	zone := zoneField("Time zone", "That of the organization, else UTC", "Days, such as due dates, have none")
	chosenZone := ""
	if p.TimeZoneChosen {
		chosenZone = p.TimeZone
	}
	perPage := hinted(choice("page_size", "Rows of a page", "off", rowChoices), "On lists with pages")
	perPage.Blank, perPage.Unlisted = "As each list has it", true
	return v.show("Preferences", preferencesPage{Mails: v.inputs("", mailFields(p)...), Fields: v.inputs("",
		chosen(choice("theme", "Colours", "off", themes), string(p.Theme)),
		chosen(choice("date_format", "Days", "off", dayChoices), string(p.DateFormat)),
		chosen(hinted(choice("number_format", "Numbers", "off", numberChoices),
			"You also type them like this. What could be read in two ways is refused."),
			string(p.NumberFormat)),
		chosen(zone, chosenZone), chosen(perPage, rows))})
}

// changePreferences saves the preferences of the person. The switch in the frame of a page leads back to that page.
func (c *Console) changePreferences(v *pageRequest) error {
	sent, back := contract.PreferencesUpdate{Theme: contract.Theme(v.PostFormValue("theme"))}, v.PostFormValue("back")
	if back == "" {
		sent.DateFormat = contract.DateFormat(v.PostFormValue("date_format"))
		sent.NumberFormat = contract.NumberFormat(v.PostFormValue("number_format"))
		sent.TimeZone = nullable.NewNullNullable[string]()
		if zone := v.PostFormValue("time_zone"); zone != "" {
			sent.TimeZone.Set(zone)
		}
		sent.EmailsOff, sent.DigestDay = unwantedMails(v.PostForm), contract.Weekday(v.PostFormValue("digest_day"))
		sent.PageSize = nullable.NewNullNullable[int]()
		if rows := v.PostFormValue("page_size"); rows != "" {
			n, err := strconv.Atoi(rows)
			if err != nil {
				n = 0 // the service refuses it in its own words
			}
			sent.PageSize = nullable.NewNullableWithValue(n)
		}
	}
	_, err := v.session.SetPreferences(v.Context(), contract.SetPreferencesRequest{Body: sent})
	if back != "" && err == nil {
		return v.goTo(localPath(back))
	}
	return v.goBack(err)
}

// sized returns the query of a list with the rows of a page that the person has chosen.
func (v *pageRequest) sized(query string) string {
	rows := v.user.preferences().PageSize
	if rows == nil {
		return query
	}
	of, err := url.ParseQuery(query)
	if err != nil {
		return query // pick has encoded it
	}
	of.Set("size", strconv.Itoa(*rows))
	return of.Encode()
}
