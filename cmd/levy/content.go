package main

import (
	"context"
	"fmt"
	"time"

	"levy/models"
	"levy/store"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/content"
)

// contentCmd groups what an operator does with tax content.
type contentCmd struct {
	ImportFX         importFXCmd          `cmd:"" name:"import-fx" help:"Import euro reference rates of the European Central Bank (eurofxref.csv, eurofxref-hist.csv, or the zip of either)."`
	List             contentListCmd       `cmd:"" help:"List the versions; * is in force."`
	ImportRates      contentRatesCmd      `cmd:"" help:"Import rate files of member states."`
	ImportBoundaries contentBoundariesCmd `cmd:"" help:"Import boundary files of member states: exact jurisdictions by street and ZIP+4."`
	ImportCSV        contentCSVCmd        `cmd:"" name:"import-csv" help:"Import a table of rates of your own: zip, city, county, state, level, name, rate, valid_from, valid_to, source."`
	Confirm          contentConfirmCmd    `cmd:"" help:"Record until which day the rates of states are those that they publish."`
	Update           contentUpdateCmd     `cmd:"" help:"Record a signed bundle of content from a folder or an address, and show what it changes."`
	Sources          contentSourcesCmd    `cmd:"" help:"The addresses where member states publish their rate and boundary files."`
	Fetch            contentFetchCmd      `cmd:"" help:"Fetch the rate and boundary files of member states from their addresses, and check them."`
	Accept           contentAcceptCmd     `cmd:"" help:"Bring a fetched pair of files into force that waits for you."`
	Build            contentBuildCmd      `cmd:"" help:"Make a signed bundle of content, for levy content update elsewhere."`
	Key              contentKeyCmd        `cmd:"" help:"Make a key that signs bundles."`
	Diff             contentDiffCmd       `cmd:"" help:"Show what a version changes, and what that means for recent sales."`
	Compare          contentCompareCmd    `cmd:"" help:"Compare a table of rates by ZIP and city with what the content answers: equal, told or silent, by state."`
	Activate         contentActivateCmd   `cmd:"" help:"Bring a version into force, in every running process."`
	Rollback         contentRollbackCmd   `cmd:"" help:"Return to the version that was in force before."`
	Verify           contentVerifyCmd     `cmd:"" help:"Check tax content: periods, references, numbers."`
}

// installContent records the content that this program carries.
func installContent(ctx context.Context, s *store.Store) error {
	version, err := content.PackedVersion(content.Packed())
	if err != nil {
		return err
	}
	if err := s.Content.InstallContent(ctx, version, content.Packed()); err != nil {
		return err
	}
	return recordNexus(ctx, s)
}

// recordNexus records in the database where organizations can have nexus by the content
// in force.
func recordNexus(ctx context.Context, s *store.Store) error {
	cache, err := s.Content.OpenCache(ctx)
	if err != nil {
		return err
	}
	return s.Nexus.RecordNexusJurisdictions(
		ctx, models.NexusJurisdictionsOf(cache.Current(), calendar.DateOf(time.Now().UTC())),
	)
}

type contentVerifyCmd struct {
	jsonFlag

	Version string `arg:"" optional:"" help:"The version to check; without it the content that this program carries, without a database."`
}

// Run checks all tables of a version and that its boundary files are here.
func (c contentVerifyCmd) Run(p *program) error {
	if c.Version == "" {
		taxes, err := tax.LoadContent()
		if err != nil {
			return err
		}
		return c.inOrder(p, taxes.Version())
	}
	return p.withContent(func(s *store.Store) error {
		if _, err := readVersion(p, s, c.Version); err != nil {
			return err
		}
		return c.inOrder(p, c.Version)
	})
}

func (c contentVerifyCmd) inOrder(p *program, version string) error {
	return tell(p, c.jsonFlag, func(p *program) (*contentNamed, error) {
		_, err := fmt.Fprintf(p.stdout, "%s is in order.\n", version)
		return &contentNamed{version}, err
	})
}
