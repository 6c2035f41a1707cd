package main

import (
	"errors"
	"fmt"

	"levy/models"
)

type quotaCmd struct {
	Organization string `arg:"" help:"Id of the organization, org_…"`
	Storage      *int64 `placeholder:"MIB" help:"What it may store, in MiB."`
	Default      bool   `help:"Give the organization the quota of the installation again."`
}

// Run sets the storage quota of an organization, or only shows it.
func (c quotaCmd) Run(p *program) error {
	if c.Storage != nil && (c.Default || *c.Storage < 0) {
		return errors.New("give --storage, not negative, or --default")
	}
	s, err := p.openStore(needDatabase)
	if err != nil {
		return err
	}
	defer s.Close()
	scope := models.Scope{OrganizationID: c.Organization}
	if err := knownOrganization(p.ctx, s, c.Organization); err != nil {
		return err
	}
	if c.Storage != nil || c.Default {
		var most *int64
		if c.Storage != nil {
			most = new(*c.Storage << 20)
		}
		if err := s.Organizations.SetStorageQuota(p.ctx, scope, staff(), most); err != nil {
			return fmt.Errorf("%s: %w", c.Organization, err)
		}
	}
	stored, err := s.Catalog.Stored(p.ctx, scope)
	if err != nil {
		return err
	}
	return p.printJSON(map[string]any{
		"organization_id": c.Organization, "stored_bytes": stored.Own, "storage_quota_bytes": stored.Most,
		"default": stored.ByDefault, "partner_stored_bytes": stored.Partner,
		"partner_storage_quota_bytes": stored.MostOfPartner,
	})
}
