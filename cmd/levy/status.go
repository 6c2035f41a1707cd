package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	sdkclient "go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"

	"levy/models"
	"levy/store"
	"levy/store/pg"
)

type statusCmd struct {
	JSON bool `name:"json" help:"Print one JSON document instead of sentences."`
}

// statusTimeout bounds the whole of it, temporalTimeout the time that Temporal has to answer.
const (
	statusTimeout   = 30 * time.Second
	temporalTimeout = 3 * time.Second
)

// installation is what the operator wants to know: what waits, why, and what to do.
type installation struct {
	Migrated bool             `json:"migrated"`
	Content  string           `json:"content_version"`
	Temporal temporalState    `json:"temporal"`
	Waiting  waitingWithTimes `json:"waiting"`
	Advice   []string         `json:"advice"`
}

// temporalState says whether Temporal answers, and when a worker last got a task of it.
type temporalState struct {
	Answers      bool          `json:"answers"`
	Dispatches   bool          `json:"dispatches"`
	HeartbeatAge time.Duration `json:"-"`
	AgeSeconds   int64         `json:"heartbeat_age_seconds"`
}

// Run prints what waits. It fails only when it cannot be known.
func (c statusCmd) Run(p *program) error {
	if err := p.config.validate(needDatabase, needTemporal); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(p.ctx, statusTimeout)
	defer cancel()
	s, err := openStore(ctx, p.config)
	if err != nil {
		return err
	}
	defer s.Close()
	found, err := inspect(ctx, s, p.config)
	if err != nil {
		return err
	}
	if c.JSON {
		encoder := json.NewEncoder(p.stdout)
		encoder.SetIndent("", "  ")
		return encoder.Encode(found)
	}
	return found.print(p.stdout)
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
	i.Temporal.Answers = temporalAnswers(ctx, cfg)
	if !i.Migrated {
		i.Advice = advise(i)
		return i, nil
	}
	if i.Content, err = s.Content.ActiveContent(ctx); err != nil {
		return i, err
	}
	if i.Temporal.HeartbeatAge, err = s.Engine.CheckAge(ctx, models.CheckHeartbeat); err != nil {
		return i, err
	}
	i.Temporal.AgeSeconds = int64(i.Temporal.HeartbeatAge.Seconds())
	i.Temporal.Dispatches = i.Temporal.HeartbeatAge <= models.HeartbeatLate
	waiting, err := s.Engine.Waiting(ctx)
	if err != nil {
		return i, err
	}
	i.Waiting = withTimes(waiting)
	i.Advice = advise(i)
	return i, nil
}

func temporalAnswers(ctx context.Context, cfg Config) bool {
	ctx, cancel := context.WithTimeout(ctx, temporalTimeout)
	defer cancel()
	client, err := sdkclient.DialContext(ctx, sdkclient.Options{
		HostPort: cfg.TemporalAddress, Namespace: cfg.TemporalNamespace,
		Logger: sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	if err != nil {
		return false
	}
	client.Close()
	return true
}

// advise says what needs people, the cause before what follows from it.
func advise(i installation) []string {
	all := []string{}
	say := func(when bool, format string, args ...any) {
		if when {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	say(!i.Migrated, "The schema of the database is older than this program: run levy migrate.")
	say(!i.Temporal.Answers, "Temporal does not answer at the address of LEVY_TEMPORAL_ADDRESS: what is accepted waits, and goes on by itself when Temporal is back.")
	if !i.Migrated {
		return all
	}
	say(i.Temporal.Answers && !i.Temporal.Dispatches, "Temporal answers but has handed no work to a worker for %s: is a worker up, and is its release the current one?", inWords(i.Temporal.HeartbeatAge))
	o := i.Waiting.Outbox
	say(o.NotMoved > 0, "%s due and nobody takes them: is an api or worker process up?", these(o.NotMoved, "transaction"))
	say(o.Struggling > 0, "%d of the transactions failed ten times or more: correct the cause, which the log of the workers names, then levy requeue transactions --all.", o.Struggling)
	for _, r := range i.Waiting.Records {
		say(r.NotMoved > 0, "%s due and nobody takes them: is an api or worker process up? The log says why workflows are not notified.", these(r.NotMoved, strings.TrimSuffix(r.Kind, "s")))
	}
	for _, r := range i.Waiting.Records {
		issues, failed := r.ByStatus[string(models.FilingIssue)], r.ByStatus[string(models.ImportFailed)]
		say(r.Kind == models.WaitingFilings && issues > 0, "%s in status ISSUE: the column issue_reason says why; correct it and retry.", these(issues, "filing"))
		say(r.Kind == models.WaitingImports && failed > 0, "%d of the imports failed: the column reason says why; resume goes on.", failed)
	}
	return all
}

// these says how many there are, with the verb.
func these(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return fmt.Sprintf("%d %ss are", n, noun)
}
