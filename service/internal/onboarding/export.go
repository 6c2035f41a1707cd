package onboarding

import (
	"context"
	"strconv"
	"time"

	"levy/contract"
	"levy/internal/csvfile"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/output"
)

// exportedClients is the largest number of rows of an export of clients, because their ids are in memory
// while it is written.
const exportedClients = 100_000

// clientsHeader are the names of the columns of an export of clients.
var clientsHeader = []string{
	"organization_id", "organization_name", "status", "current_step", "next_step", "next_step_name", "since",
	"refused", "last_refusal", "reason", "reminded_at", "expires_at", "workflow_id", "updated_at",
}

// ExportOnboardings writes a list of onboardings as CSV. It reads a slice of rows before it writes them,
// so no query waits for the client.
func (s *Operations) ExportOnboardings(
	ctx context.Context, request contract.ExportOnboardingsRequest, out contract.Stream,
) error {
	return s.outputs.StreamCSV(ctx, out, "clients.csv", clientsHeader, func(ctx context.Context, w *csvfile.Writer) error {
		p := request.Params
		filter := s.onboardingFilter(&contract.ListOnboardingsParams{
			Query: p.Query, IsTest: p.IsTest, StatusIn: p.StatusIn, NextStepIn: p.NextStepIn, AgeDaysGte: p.AgeDaysGte,
		})
		return s.deps.Onboardings.ExportOnboardings(ctx, call.Of(ctx).Scope, filter, convert.OrderOf(p.OrderBy),
			output.ExportTo(w, exportedClients, func(w *csvfile.Writer, o *models.Onboarding) error {
				return writeClient(w, s.Answer(*o))
			}))
	})
}

// writeClient writes the columns of clientsHeader.
func writeClient(w *csvfile.Writer, o contract.Onboarding) error {
	w.Text(o.OrganizationID)
	w.Text(convert.ValueOf(o.OrganizationName))
	w.Cell(string(o.Status))
	w.Cell(strconv.Itoa(o.CurrentStep))
	if o.NextStep == nil {
		for range 2 {
			w.Cell("")
		}
	} else {
		w.Cell(strconv.Itoa(*o.NextStep))
		w.Cell(string(o.Steps[*o.NextStep-1].Name))
	}
	w.Cell(o.Since.Format(time.RFC3339Nano))
	refused, said := "", ""
	if o.NextStep != nil {
		step := o.Steps[*o.NextStep-1]
		refused, said = strconv.Itoa(step.Refused), convert.ValueOf(step.Error)
	}
	w.Cell(refused)
	w.Text(said)
	w.Text(convert.ValueOf(o.Reason))
	for _, at := range []*time.Time{o.RemindedAt, o.ExpiresAt} {
		if at == nil {
			w.Cell("")
			continue
		}
		w.Cell(at.Format(time.RFC3339Nano))
	}
	w.Text(o.WorkflowID)
	w.Cell(o.UpdatedAt.Format(time.RFC3339Nano))
	return w.End()
}
