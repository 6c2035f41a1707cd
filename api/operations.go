package api

import (
	"context"

	"levy/api/openapi"
	"levy/models"
)

// GetStatus says how the whole installation is, to staff.
func (s *Server) GetStatus(ctx context.Context, _ openapi.GetStatusRequest) (openapi.InstallationStatus, error) {
	if call := callOf(ctx); call.person == nil || !call.person.IsStaff() {
		return openapi.InstallationStatus{}, models.ErrForbidden
	}
	status, err := s.deps.Status(models.AcrossOrganizations(ctx))
	if err != nil {
		return openapi.InstallationStatus{}, err
	}
	return openapi.InstallationStatus{
		Lines:  convertAll(status.Lines, func(l models.StatusLine) openapi.StatusLine { return openapi.StatusLine(l) }),
		Advice: status.Advice,
	}, nil
}
