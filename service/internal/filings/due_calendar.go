package filings

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"unicode"

	ics "github.com/arran4/golang-ical"

	"levy/contract"
	"levy/models"
)

// The lines before and after the events of an iCalendar file, RFC 5545 section 3.4. Programs read it every six hours.
const (
	calendarBegin = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Levy//Returns//EN\r\nCALSCALE:GREGORIAN\r\n" +
		"REFRESH-INTERVAL;VALUE=DURATION:PT6H\r\nX-PUBLISHED-TTL:PT6H\r\nX-WR-CALNAME:Tax returns\r\n"
	calendarEnd = "END:VCALENDAR\r\n"
)

// calendarLines bounds a line to 75 octets, RFC 5545 section 3.1.
var calendarLines = &ics.SerializationConfiguration{MaxLength: 75, PropertyMaxLength: 75, NewLine: "\r\n"}

// streamCalendar sends an iCalendar file with an event on the due day of each filing, and then of each notice. Errors: those of
// Download.
func (o *Operations) streamCalendar(
	ctx context.Context, stream contract.Stream,
	each func(ctx context.Context, write func(*models.DueFiling) error) error,
	notices func(ctx context.Context, write func(*models.Exception) error) error,
) error {
	file := contract.Content{Type: "text/calendar; charset=utf-8", Name: "returns.ics"}
	return o.outputs.Download(ctx, stream, file, func(ctx context.Context, to *bufio.Writer) error {
		if _, err := to.WriteString(calendarBegin); err != nil {
			return err
		}
		err := each(ctx, func(f *models.DueFiling) error {
			shown := o.dueFiling(f)
			return writeEvent(to, f, &shown)
		})
		if err == nil {
			err = notices(ctx, func(e *models.Exception) error { return writeNotice(to, e) })
		}
		if err != nil {
			return err
		}
		_, err = to.WriteString(calendarEnd)
		return err
	})
}

// eventStatuses name the statuses of a filing in its event.
var eventStatuses = map[models.FilingStatus]string{
	models.FilingUnfiled: "open", models.FilingFiling: "being filed", models.FilingFiled: "filed", models.FilingPaused: "paused",
	models.FilingIssue: "has an issue", models.FilingSkipped: "skipped", models.FilingCancelled: "cancelled",
}

// eventLacks name the data that a return lacks in its event.
var eventLacks = map[string]string{
	models.LacksNumber:       "number of the authority",
	models.LacksField:        "field of the registration",
	models.LacksTaxpayer:     "data of the organization",
	models.LacksBank:         "bank account",
	models.LacksTransactions: "transactions to be corrected",
}

// writeEvent writes the event of a filing. Its UID follows from the id of the filing, so a calendar updates the event.
func writeEvent(to io.Writer, f *models.DueFiling, shown *contract.DueFiling) error {
	event := ics.NewEvent(f.ID + "@levy")
	event.SetDtStampTime(f.UpdatedAt)
	event.SetAllDayStartAt(*f.DueDate)
	event.SetTimeTransparency(ics.TransparencyTransparent)
	if f.Status == models.FilingSkipped || f.Status == models.FilingCancelled {
		event.SetStatus(ics.ObjectStatusCancelled)
	}
	client := cmp.Or(*cmp.Or(f.OrganizationName, new(string)), f.OrganizationID)
	authority := cmp.Or(*cmp.Or(f.StateName, new(string)), f.StateCode)
	event.SetSummary(oneLine(fmt.Sprintf("%s, %s, %s to %s: %s",
		client, authority, shown.StartDate, shown.EndDate, eventStatuses[f.Status])))
	lines := []string{
		"Category: " + oneLine(shown.FilingCategory), "Amount: " + shown.Amount + " " + shown.Currency, "Filing: " + f.ID,
	}
	for _, lack := range shown.MissingData {
		lines = append(lines, "Missing: "+eventLacks[lack])
	}
	event.SetDescription(strings.Join(lines, "\n"))
	return event.SerializeTo(to, calendarLines)
}

// oneLine returns a text with a blank for each run of blanks and control characters. The library escapes line feeds alone.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(letter rune) bool {
		return unicode.IsSpace(letter) || unicode.IsControl(letter)
	}), " ")
}
