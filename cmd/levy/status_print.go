package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"levy/models"
	"levy/web"
)

// waitingWithTimes is what waits with its times in seconds, as JSON says them.
type waitingWithTimes struct {
	models.Waiting

	OldestSeconds       int64            `json:"outbox_oldest_seconds"`
	OldestRefundSeconds int64            `json:"refunds_oldest_seconds"`
	LongestSeconds      map[string]int64 `json:"longest_due_seconds"` // of records that no worker takes, by kind
}

func withTimes(w models.Waiting) waitingWithTimes {
	t := waitingWithTimes{
		Waiting: w, OldestSeconds: int64(w.Outbox.Oldest.Seconds()),
		OldestRefundSeconds: int64(w.Outbox.Refunds.Oldest.Seconds()), LongestSeconds: map[string]int64{},
	}
	for _, r := range w.Records {
		t.LongestSeconds[r.Kind] = int64(r.Longest.Seconds())
	}
	return t
}

// print says it in words.
func (i installation) print(to io.Writer) error {
	t := tabwriter.NewWriter(to, 0, 4, 2, ' ', 0)
	for _, line := range i.lines() {
		fmt.Fprintf(t, "%s\t%s\n", line.Subject, line.Text)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	needs := slices.Clone(i.Advice)
	if len(i.Alarms) > 0 {
		needs = append(needs, "Alarms hold: the entry of each, named above, says what to do.")
	}
	if len(needs) == 0 {
		_, err := fmt.Fprintln(to, "\nNothing needs you.")
		return err
	}
	_, err := fmt.Fprintln(to, "\nWhat needs you:\n- "+strings.Join(needs, "\n- "))
	return err
}

// lines are what there is to know, in words.
func (i installation) lines() (all []models.StatusLine) {
	line := func(what, format string, args ...any) {
		all = append(all, models.StatusLine{Subject: what, Text: fmt.Sprintf(format, args...)})
	}
	schema := "answers, its schema is up to date"
	switch {
	case !i.Migrated:
		schema = "answers, its schema is older than this program"
	case i.IsNewer:
		schema = "answers, its schema is of a newer release than this program"
	}
	line("PostgreSQL", "%s", schema)
	answers := "does not answer"
	if i.Temporal.Answers {
		answers = "answers"
	}
	if !i.Migrated {
		line("Temporal", "%s", answers)
		return all
	}
	line("Temporal", "%s; a worker got its last task %s ago", answers, inWords(i.Temporal.HeartbeatAge))
	line("workers", "%s", i.Temporal.inWords())
	line("Tax content", "%s", i.contentVersion())
	if ended := i.Recorded.statesEnded(); ended != "" {
		line("", "rates not confirmed any more: %s", ended)
	}
	if i.Recorded.Publication != nil {
		line("", "%s", i.Recorded.Publication.inWords())
	}
	line("last backup", "%s", i.Backup.inWords())
	line("wrapped keys", "%s", i.Keys.inWords())
	if i.MasterKeys.Newest != "" {
		line("master keys", "%s", i.MasterKeys.inWords())
	}
	i.printWaiting(line)
	if len(i.Alarms) == 0 {
		line("alarms", "none")
	}
	for n, alarm := range i.Alarms {
		line([]string{"alarms", ""}[min(n, 1)], "%s: %s (%s)", alarm.Name, alarm.Summary, alarm.Runbook)
	}
	return all
}

func (t temporalState) inWords() string {
	if len(t.Late) > 0 {
		return fmt.Sprintf("%d of %d task queues get no tasks: %s", len(t.Late), t.Queues, strings.Join(t.Late, ", "))
	}
	return fmt.Sprintf("%d task queues, all of which get tasks", t.Queues)
}

func (k keysState) inWords() string {
	if k.Last == nil {
		return "were never saved apart from backups"
	}
	return fmt.Sprintf("saved %s ago, in %s", inWords(k.KeysSaved.Age), k.Last.Place)
}

func (b backupState) inWords() string {
	if b.Last == nil {
		return "none was ever taken"
	}
	wal := ""
	switch {
	case b.Takes:
		wal = "; the WAL since then is taken"
	case b.Archives && !b.ArchiveFails:
		wal = "; the WAL since then is archived"
	}
	if b.Last.Kind != models.BackupOfLevy {
		_, words := kindOfBackup(b.Last.Kind)
		return fmt.Sprintf("%s ago, by %s, known to be %s: %s%s", inWords(b.Backups.Age), words, provesOf(b.Last), b.Last.Place, wal)
	}
	verified := "verified"
	if !b.Last.Verified {
		verified = "not verified"
	}
	return fmt.Sprintf("%s ago, %s, in %s%s", inWords(b.Backups.Age), verified, b.Last.Place, wal)
}

// because returns a reason in brackets; "" for none.
func because(reason string) string {
	if reason == "" {
		return ""
	}
	return " (the last: " + strings.TrimSuffix(reason, ".") + ")"
}

func (i installation) contentVersion() string {
	if i.Content == "" {
		return "what the program carries"
	}
	said := fmt.Sprintf("%s, known here for %s", i.Content, inWords(time.Duration(i.Recorded.Age)*time.Second))
	if i.Recorded.Newest != "" {
		said += fmt.Sprintf("; %s is recorded and not in force: levy content diff", i.Recorded.Newest)
	}
	return said
}

func (i installation) printWaiting(line func(what, format string, args ...any)) {
	o := i.Waiting.Outbox
	line("transactions", "%d wait to be processed%s%s", o.Rows, oldest(o.Rows, o.Oldest), late(o.NotMoved, 0))
	if o.Failing > 0 {
		line("", "%d of them were tried %s or more", o.Failing, models.FailingTimes)
	}
	for _, e := range o.Errors {
		line("", "%d of them failed with %s, one of them tried %d times", e.Rows, e.Code, e.Attempts)
	}
	line("refunds", "%d wait for their original%s", o.Refunds.Rows, oldest(o.Refunds.Rows, o.Refunds.Oldest))
	for _, r := range i.Waiting.Records {
		var by []string
		for _, status := range slices.Sorted(maps.Keys(r.ByStatus)) {
			by = append(by, fmt.Sprintf("%d %s", r.ByStatus[status], strings.ToLower(web.Label(status))))
		}
		statuses := ""
		if len(by) > 0 {
			statuses = " (" + strings.Join(by, ", ") + ")"
		}
		line(r.Kind, "%d open%s%s", r.Open, statuses, late(r.NotMoved, r.Longest))
		if r.Kind == models.WaitingWebhooks {
			line("", "%s", i.Webhooks.inWords())
		}
	}
	if m := i.Mails; m == nil {
		line("e-mails", "this login may not read them")
	} else {
		line("e-mails", "%d wait to be sent%s; %d were not sent in the last week%s", m.Waiting, late(m.Late, 0), m.Failed, because(m.Failure))
	}
	n := i.Waiting.Nexus
	line("nexus", "%d places wait to be evaluated%s; %d obligations wait to be applied; "+
		"recounts have put %d numbers right",
		n.Pending, late(n.NotMoved, n.Longest), n.Unapplied, n.Repairs)
	r := i.Recounts
	line("nights", "changes of each organization were checked in the last %s; %d records violate a rule",
		inWords(time.Duration(r.Oldest)*time.Second), i.Violations.Open)
	line("", "full passes have compared %d of about %d pages, the oldest for %s", r.Pages, r.Expected,
		inWords(time.Duration(r.PassAge)*time.Second))
	for _, m := range i.Background {
		line("migration", "%d in the background: %d of about %d rows of %s read in %s", m.Version, m.Rows, m.Expected, m.Table,
			inWords(time.Duration(m.Seconds)*time.Second))
	}
	if r := i.Waiting.Recomputed; r.Open+r.Done > 0 {
		line("open returns", "%d of %d that were open at the upgrade are recomputed; %d of their %d transactions have changed",
			r.Done, r.Open+r.Done, r.Completed, r.Transactions)
	}
	if r := i.Waiting.Figures; r.Missing+r.Returns > 0 {
		most := ""
		if r.Missing == models.MostMissing {
			most = " or more"
		}
		line("figures", "%d%s totals of an earlier release wait for theirs, and %d claimed returns", r.Missing, most, r.Returns)
	}
}

func (w webhookState) inWords() string {
	said := fmt.Sprintf("%d deliveries wait", w.Pending)
	if w.Oldest > 0 {
		said += fmt.Sprintf(", the oldest event that an endpoint has not got is of %s ago",
			inWords(time.Duration(w.Oldest)*time.Second))
	}
	for _, reason := range slices.Sorted(maps.Keys(w.Disabled)) {
		said += fmt.Sprintf("; %d disabled (%s)", w.Disabled[reason], web.DisabledReason(reason))
	}
	return said
}

func oldest(n int64, age time.Duration) string {
	if n == 0 {
		return ""
	}
	return ", the oldest for " + inWords(age)
}

// late says how many records no worker takes although they are due, and for how long.
func late(n int64, longest time.Duration) string {
	switch {
	case n == 0:
		return ""
	case longest == 0:
		return fmt.Sprintf("; %d due and not taken", n)
	}
	return fmt.Sprintf("; %d due and not taken, one of them for %s", n, inWords(longest))
}

// inBytes is a size for people.
func inBytes(n int64) string {
	switch {
	case n < 1<<20:
		return fmt.Sprintf("%d KiB", (n+1<<10-1)>>10)
	case n < 10<<30:
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d GiB", n>>30)
}

// inWords is an age for people.
func inWords(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int64(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int64(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int64(d.Hours()))
	}
	return fmt.Sprintf("%d days", int64(d.Hours()/24))
}
