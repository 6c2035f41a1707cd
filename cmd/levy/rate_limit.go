package main

import (
	"errors"
	"fmt"

	"levy/models"
)

type rateLimitCmd struct {
	Organization string `arg:"" help:"Id of the organization that owns the keys."`
	PerMinute    int    `name:"per-minute" help:"Calls per minute."`
	Burst        int    `name:"burst" help:"Calls that may come at once."`
	Default      bool   `name:"default" help:"Give the organization the limit of the installation again."`
}

// Run sets the limit of one organization.
func (c rateLimitCmd) Run(p *program) error {
	var limit *models.RateLimit
	switch {
	case c.Default && c.PerMinute == 0 && c.Burst == 0:
	case !c.Default && c.PerMinute > 0 && c.Burst > 0:
		limit = &models.RateLimit{PerMinute: c.PerMinute, Burst: c.Burst}
	default:
		return errors.New("give --per-minute and --burst, both positive, or --default")
	}
	s, err := p.openStore(needDatabase)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Organizations.SetRateLimit(p.ctx, models.Scope{OrganizationID: c.Organization},
		staff(), limit); err != nil {
		return fmt.Errorf("%s: %w", c.Organization, err)
	}
	return nil
}
