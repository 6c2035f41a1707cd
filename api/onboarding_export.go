package api

import (
	"context"
	"strconv"
	"time"

	"levy/contract"
	"levy/models"
)

// exportedClients is the largest number of rows of an export of clients: their ids are held while it is written.
const exportedClients = 100_000

// clientsHeader names the columns of an export of clients.
var clientsHeader = []string{
	"organization_id", "organization_name", "status", "current_step", "next_step", "next_step_name", "since",
	"refused", "last_refusal", "reason", "reminded_at", "expires_at", "workflow_id", "updated_at",
}

// ExportOnboardings writes a list of onboardings as CSV, slice by slice: while one is read, nobody waits for the
// client.
func (s *Server) ExportOnboardings(
	ctx context.Context, request contract.ExportOnboardingsRequest, out contract.Stream,
) error {
	return s.outputs.streamCSV(ctx, out, "clients.csv", clientsHeader, func(ctx context.Context, w *csvWriter) error {
		p := request.Params
		filter := s.onboardingFilter(&contract.ListOnboardingsParams{
			Query: p.Query, IsTest: p.IsTest, StatusIn: p.StatusIn, NextStepIn: p.NextStepIn, AgeDaysGte: p.AgeDaysGte,
		})
		return s.deps.Onboardings.ExportOnboardings(ctx, callOf(ctx).scope, filter, orderOf(p.OrderBy),
			exportTo(w, exportedClients, func(w *csvWriter, o *models.Onboarding) error {
				return writeClient(w, s.onboardingAnswer(*o))
			}))
	})
}

// writeClient writes the columns of clientsHeader.
func writeClient(w *csvWriter, o contract.Onboarding) error {
	w.text(o.OrganizationID)
	w.text(valueOf(o.OrganizationName))
	w.cell(string(o.Status))
	w.cell(strconv.Itoa(o.CurrentStep))
	if o.NextStep == nil {
		for range 2 {
			w.cell("")
		}
	} else {
		w.cell(strconv.Itoa(*o.NextStep))
		w.cell(string(o.Steps[*o.NextStep-1].Name))
	}
	w.cell(o.Since.Format(time.RFC3339Nano))
	refused, said := "", ""
	if o.NextStep != nil {
		step := o.Steps[*o.NextStep-1]
		refused, said = strconv.Itoa(step.Refused), valueOf(step.Error)
	}
	w.cell(refused)
	w.text(said)
	w.text(valueOf(o.Reason))
	for _, at := range []*time.Time{o.RemindedAt, o.ExpiresAt} {
		if at == nil {
			w.cell("")
			continue
		}
		w.cell(at.Format(time.RFC3339Nano))
	}
	w.text(o.WorkflowID)
	w.cell(o.UpdatedAt.Format(time.RFC3339Nano))
	return w.end()
}
