package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"levy/models"
)

type requeueCmd struct {
	Kind string   `arg:"" enum:"transactions,onboardings,registrations,filings,imports,webhooks" help:"${enum}."`
	IDs  []string `arg:"" optional:"" name:"id" help:"Ids of the records: of onboardings that of the organization, of webhooks those of endpoints."`
	All  bool     `help:"All of the kind for which there is something left to do; of transactions those that were tried before."`
}

// idPrefixes are what the ids of the records of a kind begin with.
var idPrefixes = map[string]string{
	models.WaitingTransactions: models.PrefixTransaction, models.WaitingOnboardings: models.PrefixOrganization,
	models.WaitingRegistrations: models.PrefixRegistration, models.WaitingFilings: models.PrefixFiling,
	models.WaitingImports: models.PrefixBatch, models.WaitingWebhooks: models.PrefixWebhook,
}

// Run makes records due and says how many. It fails when some of those that were named have
// nothing left to do.
func (c requeueCmd) Run(p *program) error {
	if err := errors.Join(c.check(), p.config.validate(needDatabase)); err != nil {
		return err
	}
	s, err := p.openMigrated(needDatabase)
	if err != nil {
		return err
	}
	defer s.Close()
	for _, id := range c.named() {
		if err := note(p, s, models.AuditRequeue, c.Kind, id); err != nil {
			return err
		}
	}
	if c.Kind == models.WaitingWebhooks {
		if err := s.Engine.EndWebhookPauses(p.ctx, c.IDs); err != nil { // without ids: all
			return err
		}
	}
	if c.All {
		n, err := s.Engine.RequeueAll(p.ctx, c.Kind)
		c.say(p, n)
		return err
	}
	done, err := s.Engine.Requeue(p.ctx, c.Kind, c.IDs)
	c.say(p, len(done))
	if err != nil {
		return err
	}
	left := slices.DeleteFunc(slices.Clone(c.IDs), func(id string) bool { return slices.Contains(done, id) })
	if len(left) > 0 {
		return fmt.Errorf("not among the %s that wait: %s", c.Kind, strings.Join(left, ", "))
	}
	return nil
}

// requeueAll makes all that waits due now. Each start that failed while Temporal was missing has earned it a longer pause, of up to
// some minutes.
func requeueAll(ctx context.Context, cfg Config) error {
	s, err := openStore(ctx, cfg)
	if err != nil {
		return err
	}
	defer s.Close()
	for kind := range idPrefixes {
		if _, err := s.Engine.RequeueAll(ctx, kind); err != nil {
			return err
		}
	}
	return nil
}

// named are the ids that were given, or the word for all of the kind.
func (c requeueCmd) named() []string {
	if c.All {
		return []string{"all"}
	}
	return c.IDs
}

func (c requeueCmd) say(p *program, n int) {
	fmt.Fprintf(p.stdout, "%s due now\n", these(int64(n), strings.TrimSuffix(c.Kind, "s")))
}

// check refuses what makes no sense, all of it at once.
func (c requeueCmd) check() error {
	var errs []error
	if c.All == (len(c.IDs) > 0) {
		errs = append(errs, errors.New("name the ids, or say --all"))
	}
	for _, id := range c.IDs {
		if !models.IsID(idPrefixes[c.Kind], id) {
			errs = append(errs, fmt.Errorf("%q is not an id of %s, which begin with %s_", id, c.Kind, idPrefixes[c.Kind]))
		}
	}
	return errors.Join(errs...)
}
