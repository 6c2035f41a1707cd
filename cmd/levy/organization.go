package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"levy/models"
	"levy/store"
)

type organizationCmd struct {
	Set             organizationSetCmd `cmd:"" help:"Change what only the operator may change of an organization; what is not named stays."`
	Quota           quotaCmd           `cmd:"" help:"Show how much an organization stores and may store, or set how much it may."`
	DeleteDocuments deleteDocumentsCmd `cmd:"" help:"Delete documents of exemptions and letters of notices, which frees space in the storage quota of the partner."`
}

type organizationSetCmd struct {
	Organization            string    `arg:"" help:"Id of the organization, org_…"`
	BillingPlan             *string   `enum:"FREE,GROWTH,PREMIUM" help:"FREE, GROWTH or PREMIUM."`
	RoundingUnit            *string   `enum:"TAX_PER_LINE,JURISDICTION_PER_LINE,TAX_PER_DOCUMENT" help:"What tax is rounded on: TAX_PER_LINE, JURISDICTION_PER_LINE or TAX_PER_DOCUMENT."`
	SpecialTaxCircumstances *bool     `negatable:"" help:"Never approve filings automatically."`
	EnabledJurisdictions    *[]string `sep:"," help:"Countries or states, such as US-NY,CA; empty for all that are covered."`
	EndSecondPerson         bool      `help:"Let one person both make and decide returns, for the only admin of an organization, who asked for it."`
	FilingLookbackPeriods   *int      `help:"Days to wait before a filing is approved automatically, 0 to 366."`
}

// knownOrganization refuses the id of an organization that is not there: nothing is found of it, as if all were well.
// The installation has no record. A trail is read without asking: it may be all that is left of an organization.
func knownOrganization(ctx context.Context, s *store.Store, id string) error {
	if id == models.InstallationAudit {
		return nil
	}
	if _, err := s.Organizations.Organization(ctx, models.Scope{OrganizationID: id}); err != nil {
		return fmt.Errorf("organization %s: %w", id, err)
	}
	return nil
}

var jurisdictionCode = regexp.MustCompile(`^[A-Z]{2}(-[A-Z0-9]{2,3})?$`)

// Run changes an organization and prints its settings.
func (c organizationSetCmd) Run(p *program) error {
	if err := c.check(); err != nil {
		return err
	}
	s, err := p.openStore(needDatabase)
	if err != nil {
		return err
	}
	defer s.Close()
	o, err := s.Organizations.Configure(p.ctx, models.Scope{OrganizationID: c.Organization}, staff(), c.apply)
	if errors.Is(err, models.ErrForbidden) {
		return fmt.Errorf("organization %s: an admin has to ask for the end of the second person first", c.Organization)
	}
	if err != nil {
		return fmt.Errorf("organization %s: %w", c.Organization, err)
	}
	return p.printJSON(map[string]any{
		"organization_id": o.ID, "billing_plan": o.BillingPlan, "rounding_unit": o.Settings.RoundingUnit,
		"special_tax_circumstances": o.Settings.SpecialTaxCircumstances,
		"enabled_jurisdictions":     o.Settings.EnabledJurisdictions,
		"filing_lookback_periods":   o.Settings.FilingLookbackPeriods,
		"require_second_person":     o.Settings.RequireSecondPerson,
	})
}

func (c organizationSetCmd) check() error {
	if c.FilingLookbackPeriods != nil && (*c.FilingLookbackPeriods < 0 || *c.FilingLookbackPeriods > 366) {
		return fmt.Errorf("filing lookback periods: %d is not between 0 and 366", *c.FilingLookbackPeriods)
	}
	if c.EnabledJurisdictions != nil {
		for _, code := range *c.EnabledJurisdictions {
			if !jurisdictionCode.MatchString(code) {
				return fmt.Errorf(
					"enabled jurisdictions: %q is not a country or a country and state, such as CA or US-NY",
					code,
				)
			}
		}
	}
	return nil
}

func (c organizationSetCmd) apply(o *models.Organization) {
	set(&o.BillingPlan, c.BillingPlan)
	set(&o.Settings.RoundingUnit, c.RoundingUnit)
	set(&o.Settings.SpecialTaxCircumstances, c.SpecialTaxCircumstances)
	set(&o.Settings.EnabledJurisdictions, c.EnabledJurisdictions)
	set(&o.Settings.FilingLookbackPeriods, c.FilingLookbackPeriods)
	o.Settings.RequireSecondPerson = o.Settings.RequireSecondPerson && !c.EndSecondPerson
}

// set changes what was named.
func set[T any](field, named *T) {
	if named != nil {
		*field = *named
	}
}
