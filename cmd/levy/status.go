package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"levy/internal/backup"
	"levy/models"
	"levy/store"
	"levy/store/pg"
)

type statusCmd struct{ jsonFlag }

// statusTimeout bounds the whole of it, temporalTimeout the time that Temporal has to answer.
const (
	statusTimeout   = 30 * time.Second
	temporalTimeout = 3 * time.Second
)

// installation is what the operator wants to know: what waits, why, and what to do.
type installation struct {
	Migrated bool          `json:"migrated"`
	IsNewer  bool          `json:"schema_is_newer"` // than this program
	Content  string        `json:"content_version"`
	Temporal temporalState `json:"temporal"`
	Backup   backupState   `json:"backup"`
	Keys     keysState     `json:"wrapped_keys"`
	// Outages are the authorities that are down.
	Outages []models.AuthorityOutage `json:"authorities_down"`
	Waiting waitingWithTimes         `json:"waiting"`
	// InClear is how many documents of exemptions a version from before stored in clear text.
	InClear int64 `json:"documents_in_clear"`
	// TaxIDsInClear says that tax ids may stand in clear text that a version from before stored.
	TaxIDsInClear bool `json:"tax_ids_in_clear"`
	// Ledger tells how far records of an earlier release have their leaf.
	Ledger   models.LedgerCoverage `json:"ledger"`
	Recorded contentState          `json:"content"`
	Recounts models.NexusRecounts  `json:"nexus_recounts"`
	// Background are the background migrations that are not done.
	Background []models.BackgroundRun `json:"background_migrations"`
	// Violations are the rules of records that the nights found not to hold.
	Violations models.RecordViolations `json:"record_violations"`
	Webhooks   webhookState            `json:"webhooks"`
	// Mails is nil for a login that may not read mails.
	Mails *models.MailState `json:"mails"`
	// MasterKeys tells how far the newest master key has taken over what older ones wrapped and sealed.
	MasterKeys masterKeysState `json:"master_keys"`
	// LockedOut are the people with passkeys and without codes, where there are no passkeys.
	LockedOut lockedOut      `json:"locked_out"`
	Alarms    []models.Alarm `json:"alarms"`
	Elsewhere []string       `json:"alarms_elsewhere"` // that a measurement does not decide
	Advice    []string       `json:"advice"`
}

// contentState says since when the tax content in force has been known here, and which version is recorded and waits.
type contentState struct {
	Age    int64  `json:"age_seconds"`
	Newest string `json:"newest,omitempty"` // recorded since the last activation
	// Ended are the tables of rates that say nothing about the present day.
	Ended []endedTable `json:"ended_tables,omitempty"`
	// Sources are those of member states that need an operator, in words.
	Sources []string `json:"sources,omitempty"`
	// Publication is the signed bundle that was taken last.
	Publication *publicationState `json:"publication,omitempty"`
}

// webhookState is what waits to be sent.
type webhookState struct {
	Pending  int64            `json:"pending_deliveries"`
	Oldest   int64            `json:"oldest_event_seconds"`
	Disabled map[string]int64 `json:"disabled_endpoints"` // by reason
}

// temporalState says whether Temporal answers, and when a worker of the task queue that has waited
// longest last got a task of it.
type temporalState struct {
	Answers      bool          `json:"answers"`
	Problem      string        `json:"problem,omitempty"` // why it does not answer, as a sentence
	Dispatches   bool          `json:"dispatches"`
	Queues       int           `json:"queues"`
	HeartbeatAge time.Duration `json:"-"`
	AgeSeconds   int64         `json:"heartbeat_age_seconds"`
	Late         []string      `json:"late_queues,omitempty"`
}

// backupState says what there is to restore from.
type backupState struct {
	models.Backups `json:"-"`

	Age      *int64 `json:"age_seconds"` // null: none was ever taken
	Verified bool   `json:"verified"`
	Kind     string `json:"kind,omitempty"`   // levy, or as noted by levy backup note
	Proves   string `json:"proves,omitempty"` // taken, compared or restored
	Place    string `json:"place,omitempty"`
	TakesWAL bool   `json:"takes_wal"`

	ArchivesWAL  bool `json:"archives_wal"`
	ArchiveFails bool `json:"archive_command_fails"`
}

// keysState says what there is to restore wrapped keys from.
type keysState struct {
	models.KeysSaved `json:"-"`

	Age         *int64 `json:"age_seconds"` // null: they were never saved
	Place       string `json:"place,omitempty"`
	ErasedSince int64  `json:"erased_since"`
}

// Run prints what waits. Its exit code is for programs: see exitCodes.
func (c statusCmd) Run(p *program) error {
	return tell(p, c.jsonFlag, func(p *program) (*installation, error) {
		found, err := c.inspect(p)
		if err == nil {
			err = found.print(p.stdout)
		}
		switch {
		case err != nil:
			return nil, err
		case !found.Migrated:
			return &found, pg.ErrNotMigrated
		case len(found.Alarms) > 0:
			return &found, fmt.Errorf("%w: %d", errAlarms, len(found.Alarms))
		}
		return &found, nil
	})
}

// errAlarms says that an alarm holds.
var errAlarms = errors.New("alarms that hold")

func (statusCmd) inspect(p *program) (installation, error) {
	if err := p.config.validate(needDatabase, needTemporal); err != nil {
		return installation{}, err
	}
	ctx, cancel := context.WithTimeout(p.ctx, statusTimeout)
	defer cancel()
	s, err := openStore(ctx, p.config)
	if err != nil {
		return installation{}, err
	}
	defer s.Close()
	return inspect(ctx, s, p.config)
}

// status is what inspect finds, in words.
func (p *parts) status(ctx context.Context) (models.Status, error) {
	found, err := inspect(ctx, p.store, p.cfg)
	return models.Status{
		Lines: found.lines(), Advice: found.Advice, Alarms: found.Alarms, AlarmsElsewhere: found.Elsewhere,
	}, err
}

// inspect reads what there is to know. Without its newest schema a database cannot say what
// waits.
func inspect(ctx context.Context, s *store.Store, cfg Config) (installation, error) {
	var i installation
	err := s.CheckMigrated(ctx)
	if err != nil && !errors.Is(err, pg.ErrNotMigrated) {
		return i, err
	}
	i.Migrated = err == nil
	i.Temporal.Problem = askTemporal(ctx, cfg)
	i.Temporal.Answers = i.Temporal.Problem == ""
	if !i.Migrated {
		i.Advice = i.advise()
		return i, nil
	}
	if err := i.read(ctx, s); err != nil {
		return i, err
	}
	if i.LockedOut, err = readLockedOut(ctx, s, cfg); err != nil {
		return i, err
	}
	i.Alarms, i.Elsewhere, err = presentAlarms(s, cfg, i.Temporal.Answers)
	i.Advice = i.advise()
	return i, err
}

// read reads all that the database knows.
func (i *installation) read(ctx context.Context, s *store.Store) error {
	var beats []models.Heartbeat
	var backups models.Backups
	var saved models.KeysSaved
	var waiting models.Waiting
	var webhooks models.WebhookBacklog
	for _, read := range []func() error{
		func() (err error) { i.IsNewer, err = s.SchemaIsNewer(ctx); return err },
		func() error { return i.readContent(ctx, s) },
		func() (err error) { beats, err = s.Engine.Heartbeats(ctx); return err },
		func() (err error) { i.Outages, err = s.Engine.Outages(ctx); return err },
		func() (err error) { backups, err = s.Integrity.Backups(ctx, backup.Slot); return err },
		func() (err error) { saved, err = s.Integrity.KeysSaved(ctx); return err },
		func() (err error) { waiting, err = s.Engine.Waiting(ctx); return err },
		func() (err error) { waiting.Nexus, err = s.Nexus.Waiting(ctx); return err },
		func() (err error) { waiting.Recomputed, err = s.Filings.Recomputed(ctx); return err },
		func() (err error) { waiting.Figures, err = s.Filings.FigureRun(ctx); return err },
		func() (err error) {
			webhooks, err = s.Webhooks.WebhookBacklog(models.AcrossOrganizations(ctx))
			return err
		},
		func() (err error) { i.Mails, err = s.People.MailState(ctx); return err },
		func() (err error) { i.InClear, err = s.Catalog.DocumentsInClear(ctx); return err },
		func() (err error) { i.TaxIDsInClear, err = s.TaxIDsInClear(ctx); return err },
		func() (err error) { i.Recounts, err = s.Nexus.Recounts(ctx); return err },
		func() (err error) { i.Background, err = s.BackgroundRuns(ctx); return err },
		func() (err error) { i.Violations, err = s.Integrity.Violations(ctx); return err },
		func() (err error) { i.Ledger, err = s.Ledger.Coverage(ctx); return err },
		func() error {
			run, err := s.MasterKeys.Run(ctx)
			i.MasterKeys = masterKeysState(run)
			return err
		},
	} {
		if err := read(); err != nil {
			return err
		}
	}
	i.Temporal.heard(beats)
	i.Backup, i.Keys, i.Waiting = newBackupState(backups), newKeysState(saved), withTimes(waiting)
	i.Webhooks = webhookState{webhooks.Pending, int64(webhooks.Oldest.Seconds()), webhooks.Disabled}
	return nil
}

// readContent reads which tax content is in force, and whether a newer one waits.
func (i *installation) readContent(ctx context.Context, s *store.Store) error {
	version, age, err := s.Content.ContentAge(ctx)
	if err != nil {
		return err
	}
	i.Content, i.Recorded.Age = version, int64(age.Seconds())
	newest, err := s.Content.DraftContent(ctx)
	if newest != version {
		i.Recorded.Newest = newest
	}
	if err != nil {
		return err
	}
	if i.Recorded.Ended, err = endedTables(models.AcrossOrganizations(ctx), s, day(time.Now())); err != nil {
		return err
	}
	if i.Recorded.Publication, err = readPublication(ctx, s, time.Now()); err != nil {
		return err
	}
	sources, err := s.Content.Sources(ctx)
	i.Recorded.Sources = sourcesInWords(sources)
	return err
}

// heard takes over the ages of all task queues, the oldest first.
func (t *temporalState) heard(beats []models.Heartbeat) {
	if len(beats) > 0 {
		t.HeartbeatAge = beats[0].Age
	}
	t.Queues = len(beats)
	t.AgeSeconds, t.Late = int64(t.HeartbeatAge.Seconds()), lateQueues(beats)
	t.Dispatches = len(t.Late) == 0
}

func newBackupState(b models.Backups) backupState {
	s := backupState{Backups: b, TakesWAL: b.Takes, ArchivesWAL: b.Archives, ArchiveFails: b.ArchiveFails}
	if b.Last != nil {
		seconds := int64(b.Age.Seconds())
		s.Age, s.Verified, s.Place, s.Proves = &seconds, b.Last.Verified, b.Last.Place, provesOf(b.Last)
		s.Kind, _ = kindOfBackup(b.Last.Kind)
	}
	return s
}

func newKeysState(k models.KeysSaved) keysState {
	s := keysState{KeysSaved: k, ErasedSince: k.ErasedSince}
	if k.Last != nil {
		seconds := int64(k.Age.Seconds())
		s.Age, s.Place = &seconds, k.Last.Place
	}
	return s
}

// askTemporal says why Temporal cannot be used, empty where it can.
func askTemporal(ctx context.Context, cfg Config) string {
	ctx, cancel := context.WithTimeout(ctx, temporalTimeout)
	defer cancel()
	client, err := cfg.dialPlain(ctx)
	if err != nil {
		return err.Error()
	}
	client.Close()
	return ""
}
