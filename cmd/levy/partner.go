package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"levy/models"
	"levy/service"
	"levy/store"
	"levy/store/organizations"
)

type partnerCmd struct {
	Add      partnerAddCmd      `cmd:"" help:"Create a further partner organization, live or for tests, and print its key once."`
	List     partnerListCmd     `cmd:"" help:"List the partner organizations, archived ones too."`
	MakeLive partnerMakeLiveCmd `cmd:"" name:"make-live" help:"Make a test partner without sales live, with its test clients. Their keys end, and two minutes later a new one of the partner is printed once."`
	Archive  partnerArchiveCmd  `cmd:"" help:"Archive a partner without active clients for good: its keys end, its personal data is erased, its records stay."`
}

// liveOrTest says of a new partner whether its returns are filed.
type liveOrTest struct {
	Live bool `name:"live" help:"Returns are filed with the authorities."`
	Test bool `name:"test" help:"Returns go to the simulated authorities only."`
}

// errLiveOrTest is returned unless one of the two is chosen.
var errLiveOrTest = errors.New("say --live if its returns are to be filed with the authorities, or --test " +
	"if they go to the simulated ones only")

func (c liveOrTest) check() error {
	// None is live or a test by default.
	if c.Live == c.Test {
		return errLiveOrTest
	}
	return nil
}

type partnerAddCmd struct {
	liveOrTest

	Name string `arg:"" help:"Name of the partner organization."`
}

// partnerKey is a partner with the key that is shown once.
type partnerKey struct {
	OrganizationID string `json:"organization_id"`
	APIKey         string `json:"api_key"`
}

// Run creates a partner and prints its key: the only time that it is shown.
func (c partnerAddCmd) Run(p *program) error {
	if err := errors.Join(p.config.validate(needDatabase, needMasterKeys), c.check()); err != nil {
		return err
	}
	s, hasher, err := openForKeys(p.ctx, p.config)
	if err != nil {
		return err
	}
	defer s.Close()
	made, err := s.Organizations.AddPartner(p.ctx, hasher, staff(), c.Name, c.Test)
	if same, ok := errors.AsType[*models.DuplicateError](err); ok {
		return fmt.Errorf("the partner %s has the name %q already", same.ExistingID, c.Name)
	}
	if err != nil {
		return err
	}
	return p.printJSON(partnerKey(made))
}

type partnerMakeLiveCmd struct {
	Organization string `arg:"" help:"Id of the partner, org_…"`
}

// Run makes a partner live and prints its new key: the only time that it is shown.
func (c partnerMakeLiveCmd) Run(p *program) error {
	if err := p.config.validate(needDatabase, needMasterKeys); err != nil {
		return err
	}
	s, hasher, err := openForKeys(p.ctx, p.config)
	if err != nil {
		return err
	}
	defer s.Close()
	made, err := s.Organizations.MakeLive(p.ctx, hasher, staff(), models.Scope{OrganizationID: c.Organization},
		func(ctx context.Context) error {
			fmt.Fprintf(p.stderr, "its keys have ended; in %s no call with them goes on. If this is interrupted, say it again\n",
				service.LastWrites)
			return p.wait(ctx, service.LastWrites)
		})
	if err != nil {
		err = fmt.Errorf("partner %s: %w", c.Organization, err)
		if errors.Is(err, organizations.ErrUsed) && made.APIKey != "" { // a new key for tests, which is shown only now
			err = errors.Join(p.printJSON(partnerKey(made)), err)
		}
		return err
	}
	return p.printJSON(partnerKey(made))
}

type partnerListCmd struct{ jsonFlag }

// listedPartners are the partners, for programs.
type listedPartners struct {
	Partners []models.PartnerSummary `json:"partners"`
}

// Run lists the partners, the oldest first.
func (c partnerListCmd) Run(p *program) error {
	s, err := p.openStore(needDatabase)
	if err != nil {
		return err
	}
	defer s.Close()
	found, err := s.Organizations.ListPartners(p.ctx)
	if err != nil {
		return err
	}
	return tell(p, c.jsonFlag, func(p *program) (*listedPartners, error) {
		w := tabwriter.NewWriter(p.stdout, 0, 4, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tNAME\tKIND\tSTATUS\tACTIVE CLIENTS\tCREATED")
		for _, partner := range found {
			kind := "live"
			if partner.IsTest {
				kind = "test"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%s\n", partner.ID, partner.Name, kind, partner.Status, partner.Clients,
				partner.CreatedAt.UTC().Format(time.DateOnly))
		}
		return &listedPartners{listed(found)}, w.Flush()
	})
}

type partnerArchiveCmd struct {
	Organization string `arg:"" help:"Id of the partner, org_…"`
	Yes          bool   `help:"Do it: without this the command only says what would end."`
}

// Run archives a partner, or only says what would end.
func (c partnerArchiveCmd) Run(p *program) error {
	s, err := p.openStore(needDatabase)
	if err != nil {
		return err
	}
	defer s.Close()
	scope := models.Scope{OrganizationID: c.Organization}
	if !c.Yes {
		return c.describe(p, s)
	}
	err = s.Organizations.ArchivePartner(p.ctx, scope, staff(), "Archived by the operator.")
	if errors.Is(err, organizations.ErrClients) {
		err = errors.New("it has active clients, which have to be archived first")
	}
	if err != nil {
		return fmt.Errorf("partner %s: %w", c.Organization, err)
	}
	_, err = fmt.Fprintf(p.stdout, "%s is archived\n", c.Organization)
	return err
}

// describe prints what would end, and changes nothing.
func (c partnerArchiveCmd) describe(p *program, s *store.Store) error {
	found, err := s.Organizations.ListPartners(p.ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(found, func(partner models.PartnerSummary) bool { return partner.ID == c.Organization })
	if i < 0 {
		return fmt.Errorf("partner %s: %w", c.Organization, models.ErrNotFound)
	}
	if found[i].Status == models.OrganizationArchived {
		_, err = fmt.Fprintf(p.stdout, "%s is archived already.\n", c.Organization)
		return err
	}
	fmt.Fprintf(p.stdout, "%s (%s)\nends for good: its keys, and its personal data, which is erased\nstays: its name and its records\n",
		c.Organization, found[i].Name)
	if found[i].Clients > 0 {
		fmt.Fprintf(p.stdout, "Its active clients (%d) have to be archived first.\n", found[i].Clients)
	}
	_, err = fmt.Fprintln(p.stdout, "Nothing has ended yet: say --yes.")
	return err
}
