package api

import (
	"context"

	"levy/contract"
	"levy/models"
)

// GetStatus says how the whole installation is, to staff.
func (s *Server) GetStatus(ctx context.Context, _ contract.GetStatusRequest) (contract.InstallationStatus, error) {
	if !callOf(ctx).isStaff() {
		return contract.InstallationStatus{}, models.ErrForbidden
	}
	status, err := s.deps.Status(models.AcrossOrganizations(ctx))
	if err != nil {
		return contract.InstallationStatus{}, err
	}
	return contract.InstallationStatus{
		Lines: convertAll(status.Lines,
			func(l models.StatusLine) contract.StatusLine { return contract.StatusLine(l) }),
		Advice: status.Advice,
		Alarms: convertAll(status.Alarms, func(a models.Alarm) contract.Alarm {
			return contract.Alarm{
				Name: a.Name, Severity: a.Severity, Summary: a.Summary, After: a.After, Runbook: a.Runbook,
				Entry: a.Entry,
			}
		}),
		AlarmsElsewhere: notNil(status.AlarmsElsewhere),
	}, nil
}

// isStaff reports whether a person of staff calls.
func (c *call) isStaff() bool { return c.person != nil && c.person.IsStaff() }

// GetContentChanges says to staff which rates another version of the tax content changes.
func (s *Server) GetContentChanges(
	ctx context.Context, _ contract.GetContentChangesRequest,
) (contract.ContentChanges, error) {
	if !callOf(ctx).isStaff() {
		return contract.ContentChanges{}, models.ErrForbidden
	}
	found, err := s.deps.ContentChanges(models.AcrossOrganizations(ctx))
	if err != nil {
		return contract.ContentChanges{}, err
	}
	return contract.ContentChanges{
		InForce: found.InForce, From: found.From, To: found.To, Total: found.Total,
		Changes: convertAll(found.Changes, contentChangeAnswer), BoundaryStates: notNil(found.States),
	}, nil
}

func contentChangeAnswer(c models.ContentChange) contract.ContentChange {
	answer := contract.ContentChange{
		State: c.State, Jurisdiction: c.Jurisdiction, TaxClass: optional(c.Class), Old: optional(c.Old),
		New: optional(c.New), From: dayOf(c.From),
	}
	if c.Until != nil {
		answer.Until = new(dayOf(*c.Until))
	}
	return answer
}
