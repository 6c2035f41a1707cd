package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"levy/internal/backup"
	"levy/internal/progress"
	"levy/internal/secret"
	"levy/store"
	"levy/store/integrity"
	"levy/worker"
	"levy/workflows"
)

type checkCmd struct {
	Organization string `arg:"" optional:"" help:"Id of an organization; without it all records of the installation are read."`

	jsonFlag
}

// checking is a check of an installation. Sentences say what is in order, defects what is not.
type checking struct {
	*program

	store        *store.Store
	organization string // "" for all
	defects      int
	untold       error // why nothing is known of Temporal; nil where it was asked
}

// Run checks everything, also behind a defect, and fails when there are any. It changes nothing.
func (c checkCmd) Run(p *program) error {
	return tell(p, c.jsonFlag, func(p *program) (*checked, error) {
		own := *p
		var said bytes.Buffer
		own.stdout = io.MultiWriter(p.stdout, &said)
		err := checkAll(&own, c.Organization)
		if err != nil && !errors.Is(err, errDefects) && !errors.Is(err, errNotAsked) {
			return nil, err
		}
		found := checkedOf(said.String(), err == nil)
		return &found, err
	})
}

// errNotAsked makes the command end with exit code 2 after it printed the rest.
var errNotAsked = errors.New("no defect was found, but it is not known which runs Temporal lacks")

// checked is what a check found, for programs. Whole is also false where Temporal was not asked.
type checked struct {
	Whole   bool     `json:"whole"`
	Facts   []string `json:"facts"`
	Defects []string `json:"defects"`
}

// defectPrefix begins the line of a defect.
const defectPrefix = "DEFECT: "

func checkedOf(said string, whole bool) checked {
	c := checked{Whole: whole, Facts: []string{}, Defects: []string{}}
	for line := range strings.Lines(said) {
		line = strings.TrimSuffix(line, "\n")
		if defect, is := strings.CutPrefix(line, defectPrefix); is {
			c.Defects = append(c.Defects, defect)
			continue
		}
		c.Facts = append(c.Facts, line)
	}
	return c
}

// checkAll checks all records, or those of one organization. Content, keys, Temporal and backups are of the installation.
func checkAll(p *program, organization string) error {
	return withAnyKeys(p, func(s *store.Store, ring *secret.Ring) error {
		if err := s.CheckMigrated(p.ctx); err != nil {
			return err
		}
		c := &checking{program: p, store: s, organization: organization}
		parts := []func() error{c.rules, c.figures, func() error { return c.audit(ring) }}
		if organization == "" {
			parts = append(parts, func() error { return c.keys(ring) }, c.content, c.outbox, c.temporal, c.backup)
		} else if err := knownOrganization(p.ctx, s, organization); err != nil {
			return err
		}
		for _, part := range parts {
			if err := part(); err != nil {
				return err
			}
		}
		if c.defects > 0 {
			return errDefects
		}
		return c.untold
	})
}

func (c *checking) say(format string, args ...any) { fmt.Fprintf(c.stdout, format+"\n", args...) }

func (c *checking) defect(format string, args ...any) {
	c.defects++
	c.say(defectPrefix+format, args...)
}

// rules checks what must hold of the records.
func (c *checking) rules() error {
	rules, found, err := checkRules(c.program, c.store, c.organization)
	if err != nil {
		return err
	}
	c.defects += len(found)
	c.say("Records: %d of %d rules hold. All records of %s were read.", rules-len(found), rules,
		cmp.Or(c.organization, "all organizations"))
	return printViolations(c.stdout, found)
}

// checkRules checks what must hold of the records of an organization, "" for all, and shows how far it is.
func checkRules(p *program, s *store.Store, organization string) (rules int, found []integrity.Violation, err error) {
	var shown *progress.Progress
	rules, found, err = s.Integrity.CheckTelling(p.ctx, organization, func(_, all int) {
		if shown == nil {
			shown = progress.Begin(p.progressTo, "Rules", progress.Items, int64(all))
		}
		shown.Add(1)
	})
	if shown != nil {
		shown.End()
	}
	return rules, found, err
}

// figures compares the kept figures of the first page with what they are made of.
func (c *checking) figures() error {
	wrong, err := c.store.Work.WrongFigures(c.ctx, c.organization)
	if err != nil {
		return err
	}
	if len(wrong) > 0 {
		c.defect("the kept figures of the first page are wrong for %d organizations: %s", len(wrong),
			strings.Join(wrong[:min(len(wrong), mostNamed)], ", "))
	}
	return nil
}

// mostNamed is the most records that a defect names.
const mostNamed = 5

// printViolations says which rules do not hold, and of which records.
func printViolations(to io.Writer, found []integrity.Violation) error {
	for _, v := range found {
		more := ""
		if v.Records > len(v.Some) {
			more = fmt.Sprintf(" and %d more", v.Records-len(v.Some))
		}
		if _, err := fmt.Fprintf(to, defectPrefix+"it does not hold that %s: %s%s\n",
			v.Says, strings.Join(v.Some, ", "), more); err != nil {
			return err
		}
	}
	return nil
}

// audit verifies the trails of all organizations. Rows that wait for their seal stay as they are.
func (c *checking) audit(ring *secret.Ring) error {
	ids := []string{c.organization}
	if c.organization == "" {
		var err error
		if ids, err = c.store.Audit.AuditedOrganizations(c.ctx); err != nil {
			return err
		}
	}
	sealer, rows := secret.NewSealer(ring), int64(0)
	shown := progress.Begin(c.progressTo, "Audit trails", progress.Items, int64(len(ids)))
	defer shown.End()
	for _, id := range ids {
		v, err := c.store.Audit.VerifyAudit(c.ctx, sealer, id, nil)
		if err != nil {
			return fmt.Errorf("audit trail of organization %s: %w", id, err)
		}
		shown.Add(1)
		if v.Broken != "" {
			c.defect("the audit trail of organization %s is broken: %s", id, v.Broken)
		}
		rows += v.Rows
	}
	c.say("Audit trail: organizations: %d; sealed rows: %d. Only levy audit verify --heads shows that the end of a "+
		"trail was cut off.", len(ids), rows)
	return nil
}

// content loads the version in force and looks for those that transactions were calculated with.
func (c *checking) content() error {
	cache, err := c.store.Content.OpenCache(c.ctx)
	if err != nil {
		c.defect("the tax content in force cannot be loaded: %v", err)
		return nil
	}
	missing, err := c.store.Integrity.MissingContents(c.ctx)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		c.defect("transactions were calculated with tax content that is not there: %s", strings.Join(missing, ", "))
	}
	c.say("Tax content: %s is in force.", cache.Current().Version())
	return nil
}

// keys makes sure that what was encrypted can be read.
func (c *checking) keys(ring *secret.Ring) error {
	err := explainKeys(c.store.CheckKeys(c.ctx))
	if errors.Is(err, secret.ErrUnreadable) {
		c.defect("%v", err)
	} else if err != nil {
		return err
	}
	used, err := c.store.Integrity.MasterKeys(c.ctx)
	if err != nil {
		return err
	}
	for _, id := range used {
		if !slices.Contains(ring.WrappingIDs(), id) {
			c.defect("personal data was encrypted under master key %s, which LEVY_MASTER_KEYS has not, "+
				"nor has LEVY_WRAPPING_KEYS", id)
		}
	}
	clear, err := c.store.Catalog.DocumentsInClear(c.ctx)
	if err != nil {
		return err
	}
	c.say("Keys: %s in use for personal data; %s still in clear text.", these(int64(len(used)), "master key"),
		these(clear, "document"))
	if taxIDs, err := c.store.TaxIDsInClear(c.ctx); err != nil || !taxIDs {
		return err
	}
	c.say("Keys: tax ids that a version from before stored are still in clear text.")
	return nil
}

// outbox says what waits: that it is there the rules have checked.
func (c *checking) outbox() error {
	waiting, err := c.store.Engine.Waiting(c.ctx)
	if err != nil {
		return err
	}
	c.say("Outbox: transactions that wait to be processed: %d; refunds that wait for their original: %d.",
		waiting.Outbox.Rows, waiting.Outbox.Refunds.Rows)
	return nil
}

// temporal compares open records with runs. A missing run is no defect, because processes start it again.
func (c *checking) temporal() error {
	ctx, cancel := context.WithTimeout(c.ctx, temporalTimeout)
	defer cancel()
	client, err := c.config.dialPlain(ctx)
	if err != nil {
		if c.ctx.Err() != nil {
			return err
		}
		c.untold = fmt.Errorf("%w: %w", errNotAsked, err)
		c.say("Temporal: was not asked which runs there are. Whatever is missing there is started from the records.")
		return nil
	}
	defer client.Close()
	runs := worker.NewMissingRuns(client, c.store.Engine)
	for _, w := range workflows.Carriers() {
		missing, needed, err := runs.Next(c.ctx, w, 1<<30)
		if err != nil {
			return err
		}
		heals := ""
		if len(missing) > 0 {
			heals = "; running processes start what is missing"
		}
		c.say("Temporal: open %s: %d, without a run: %d%s.", w.Carries, needed, len(missing), heals)
	}
	return nil
}

// backup says what there is to restore from.
func (c *checking) backup() error {
	b, err := c.store.Integrity.Backups(c.ctx, backup.Slot)
	if err != nil {
		return err
	}
	c.say("Last backup: %s.", newBackupState(b).inWords())
	k, err := c.store.Integrity.KeysSaved(c.ctx)
	if err != nil {
		return err
	}
	c.say("Wrapped keys: %s.", newKeysState(k).inWords())
	return nil
}
