package worker

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"levy/models"
)

// mailRows is the number of records or causes that a mail names.
const mailRows = 20

// MailContents read what mails about work tell. Each method sees only what the person sees at this moment.
type MailContents interface {
	// DueReturns returns the first open returns that are due on the days first to last.
	DueReturns(ctx context.Context, visible models.Visibility, first, last time.Time, most int) (models.MailItems, error)
	// RejectedReturns returns the first returns that got an issue from since until before until, and still have it.
	RejectedReturns(ctx context.Context, visible models.Visibility, since, until time.Time, most int) (models.MailItems, error)
	// NewMentions returns the first comments from since until before until that wait for a person.
	NewMentions(ctx context.Context, visible models.Visibility, userID string, since, until time.Time, most int) (models.MailItems, error)
	// NewAssignments returns the first exceptions that a person was given by another in that time.
	NewAssignments(
		ctx context.Context, visible models.Visibility, userID, name string, since, until time.Time, most int,
	) (models.MailItems, error)
	// ListExceptionGroups returns the causes of the exceptions, the most urgent first.
	ListExceptionGroups(ctx context.Context, visible models.Visibility, f models.ExceptionFilter) ([]models.ExceptionGroup, error)
}

// workText returns the text of a mail about work; ok is false if there is nothing to tell. It names organizations, places,
// days and sums, and no number of a person or a company.
func (m *Mailer) workText(ctx context.Context, due *models.Mail) (text mailText, ok bool, err error) {
	p := &due.Person
	if due.Kind == models.MailDigest {
		return m.digest(ctx, p)
	}
	if due.Kind == models.MailDueDates {
		year, month, day := m.now().In(models.TimeZoneOrUTC(p.Zone)).Date()
		today, within := time.Date(year, month, day, 0, 0, 0, 0, time.UTC), " due within "+count(models.DueSoon, "day")
		found, err := m.contents.DueReturns(ctx, p.Visible, today, today.AddDate(0, 0, models.DueSoon), mailRows)
		return m.listed(p, found, "return", "is"+within, "are"+within, "/filings"), found.Total > 0, err
	}
	since, err := time.Parse(models.MailHour, due.Occasion)
	if err != nil {
		return text, false, err
	}
	until := since.Add(time.Hour)
	var found models.MailItems
	if due.Kind == models.MailRejections {
		found, err = m.contents.RejectedReturns(ctx, p.Visible, since, until, mailRows)
		return m.listed(p, found, "return", "was not accepted", "were not accepted",
			"/exceptions?type__in="+models.ExceptionFilingIssue), found.Total > 0, err
	}
	if due.Kind == models.MailMentions {
		found, err = m.contents.NewMentions(ctx, p.Visible, due.UserID, since, until, mailRows)
		return m.listed(p, found, "comment", "waits for you", "wait for you", "/"), found.Total > 0, err
	}
	found, err = m.contents.NewAssignments(ctx, p.Visible, due.UserID, p.Name, since, until, mailRows)
	text = m.listed(p, found, "exception", "was assigned to you", "were assigned to you",
		"/exceptions?assignee="+url.QueryEscape(p.Name))
	return text, found.Total > 0, err
}

// listed returns a mail with one line for each record.
func (m *Mailer) listed(p *models.MailRecipient, found models.MailItems, noun, one, several, path string) mailText {
	does := several
	if found.Total == 1 {
		does = one
	}
	told := count(found.Total, noun) + " " + does
	text := mailText{
		Subject: "Levy: " + told, Intro: told + ".", Ask: "See them here:", Link: m.config.PublicURL + path, Outro: workOutro,
	}
	for i := range found.Items {
		text.Rows = append(text.Rows, rowOf(p, &found.Items[i]))
	}
	if rest := found.Total - len(found.Items); rest > 0 {
		text.More = fmt.Sprintf("And %d more.", rest)
	}
	return text
}

const workOutro = "You get this because you have a role there. Your preferences in Levy say which e-mails you want."

// rowOf returns the line of a record.
func rowOf(p *models.MailRecipient, i *models.MailItem) mailRow {
	row := mailRow{Title: shortName(i.Organization)}
	if row.Title == "" {
		row.Title = i.OrganizationID
	}
	switch {
	case i.From != nil && i.To != nil:
		row.Title += ": return for " + shortName(i.Place) + ", " + dayOf(p, *i.From) + " to " + dayOf(p, *i.To)
		if i.Due != nil {
			row.Detail = "Due on " + dayOf(p, *i.Due)
		}
	case i.By != "":
		row.Title += ": a comment of " + shortName(i.By) + " on a " + recordName(i.Type)
	default:
		row.Title += ": " + recordName(i.Type)
	}
	return row
}

// recordName returns the type of a record or an exception in lower case.
func recordName(kind string) string { return strings.ToLower(strings.ReplaceAll(kind, "_", " ")) }

// reasonCode is the form of a code. The reason of an issue may also be a text of a person or an authority, which no mail has.
var reasonCode = regexp.MustCompile(`^[A-Z_]{1,40}$`)

// digest returns the weekly mail about all exceptions that the person sees, grouped by cause.
func (m *Mailer) digest(ctx context.Context, p *models.MailRecipient) (text mailText, ok bool, err error) {
	groups, err := m.contents.ListExceptionGroups(ctx, p.Visible, models.ExceptionFilter{Wants: m.config.Wants()})
	if err != nil || len(groups) == 0 {
		return text, false, err
	}
	total := 0
	for i := range groups {
		total += int(groups[i].Count)
	}
	waits := " wait"
	if total == 1 {
		waits = " waits"
	}
	text = mailText{Subject: "Levy: " + count(total, "exception") + " this week",
		Intro: count(total, "exception") + " of " + count(len(groups), "cause") + waits + " for a person, the most urgent first.",
		Ask:   "See them here:", Link: m.config.PublicURL + "/exceptions", Outro: workOutro}
	for i := range groups[:min(len(groups), mailRows)] {
		text.Rows = append(text.Rows, causeRow(p, &groups[i]))
	}
	if rest := len(groups) - mailRows; rest > 0 {
		text.More = "And " + count(rest, "more cause") + "."
	}
	return text, true, nil
}

// causeRow returns the line of a cause: how many exceptions of how many organizations, the money at risk and the first due day.
func causeRow(p *models.MailRecipient, g *models.ExceptionGroup) mailRow {
	if !reasonCode.MatchString(g.Code) {
		g.Code = "other reasons"
	}
	details := []string{count(int(g.Count), "exception") + " of " + count(int(g.Organizations), "organization")}
	for _, a := range g.Amounts {
		details = append(details, a.Amount+" "+a.Currency)
	}
	if g.Due != nil {
		details = append(details, "first due on "+dayOf(p, *g.Due))
	}
	return mailRow{Title: g.Title(), Detail: strings.Join(details, ", ")}
}

// dayOf returns a day in the form that the person has chosen.
func dayOf(p *models.MailRecipient, day time.Time) string { return day.Format(p.DateFormat.Layout()) }
