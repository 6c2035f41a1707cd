package filings

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	ics "github.com/arran4/golang-ical"

	"levy/models"
)

// eachNotice calls write for the letters of authorities that wait for an answer and are due as the filter says. A filter by
// statuses of returns selects none.
func (o *Operations) eachNotice(
	ctx context.Context, visible models.Visibility, due models.DueFilter, write func(*models.Exception) error,
) error {
	if len(due.Statuses) > 0 {
		return nil
	}
	filter := models.ExceptionFilter{Only: models.ExceptionNotice, OrganizationID: due.OrganizationID}
	for {
		list, err := o.deps.Work.ListExceptions(ctx, visible, filter, models.Page{Limit: exportedAtOnce})
		if err != nil {
			return err
		}
		for i := range list.Items {
			if e := &list.Items[i]; isDue(e, &due) {
				if err := write(e); err != nil {
					return err
				}
			}
		}
		if len(list.Items) < exportedAtOnce {
			return nil
		}
		filter.After = list.Items[exportedAtOnce-1].Position()
	}
}

// isDue reports whether a notice passes the filter of returns.
func isDue(e *models.Exception, f *models.DueFilter) bool {
	return e.Due != nil && (f.From.IsZero() || !e.Due.Before(f.From)) && (f.Until.IsZero() || !e.Due.After(f.Until)) &&
		(len(f.Countries) == 0 || slices.Contains(f.Countries, e.Country)) &&
		(len(f.States) == 0 || slices.Contains(f.States, e.Place))
}

// writeNotice writes the event of a notice on its due day. The UID follows from its id.
func writeNotice(to io.Writer, e *models.Exception) error {
	event := ics.NewEvent(e.ObjectID + "@levy")
	event.SetDtStampTime(e.Since)
	event.SetAllDayStartAt(*e.Due)
	event.SetTimeTransparency(ics.TransparencyTransparent)
	client := cmp.Or(*cmp.Or(e.OrganizationName, new(string)), e.OrganizationID)
	event.SetSummary(oneLine(client + ", " + e.Name + ": answer the letter about " + models.NoticeKind(e.Code).Label()))
	lines := []string{"Notice: " + e.ObjectID}
	if e.Amount != nil && e.Currency != nil {
		lines = append([]string{"Amount: " + *e.Amount + " " + *e.Currency}, lines...)
	}
	event.SetDescription(strings.Join(lines, "\n"))
	return event.SerializeTo(to, calendarLines)
}
