package main

import (
	"fmt"
	"strings"

	"levy/internal/backup"
	"levy/models"
)

// advice are the sentences about what needs people.
type advice []string

func (a *advice) say(when bool, format string, args ...any) {
	if when {
		*a = append(*a, fmt.Sprintf(format, args...))
	}
}

// advise says what needs people, the cause before what follows from it.
func (i installation) advise() []string {
	all := advice{}
	all.say(!i.Migrated, "The schema of the database is older than this program: run levy migrate.")
	all.say(!i.Temporal.Answers, "%s. What is accepted waits, and goes on by itself when Temporal is back.",
		i.Temporal.Problem)
	if !i.Migrated {
		return all
	}
	all.say(i.Temporal.Answers && !i.Temporal.Dispatches,
		"Temporal answers but has handed no work of %s to a worker for %s: is a worker up, is its release the current one, "+
			"and has it places left?",
		strings.Join(i.Temporal.Late, ", "), inWords(i.Temporal.HeartbeatAge))
	all.aboutBackups(i.Backup, i.Keys)
	for _, a := range i.Outages {
		all.say(true, "The authority behind the adapter %s has been out of reach for %s (%s, %d calls failed): "+
			"what is for it waits, and it is tried once a minute.", a.Authority, inWords(a.Age), a.Error, a.Failures)
	}
	for _, t := range i.Recorded.Ended {
		all.say(t.Registered, "%s", t.inWords())
	}
	all.aboutPublication(i.Recorded.Publication)
	for _, text := range i.Recorded.Sources {
		all.say(true, "%s", text)
	}
	all.aboutWaiting(i.Waiting.Waiting)
	all.say(i.Recounts.Failed > 0, "Of nexus %s not counted by the last night, such as %s: the log of the workers says why. "+
		"levy nexus recount ORGANIZATION counts one now.", these(i.Recounts.Failed, "organization"),
		strings.Join(i.Recounts.Examples, ", "))
	for _, m := range i.Background {
		all.say(m.Failure != "", "The background migration %d of %s fails, and is tried again: %s", m.Version, m.Table, m.Failure)
	}
	all.say(i.Violations.Open > 0, "The nights found %s that violate a rule, such as %s: levy check ORGANIZATION reads all "+
		"records of one again, and the operations page says what to do.", these(i.Violations.Open, "record"),
		strings.Join(i.Violations.Examples, "; "))
	if m := i.Mails; m != nil {
		all.say(m.Late > 0, "%s due and not sent: does an API with LEVY_SMTP_ADDR run, does its mail server answer, and has an "+
			"organization sent as many as LEVY_SMTP_DAILY allows?", these(m.Late, "e-mail"))
	}
	all.say(i.InClear > 0, "%s stored in clear text, by a version from before: "+
		"run levy keys seal when no process of that version is left.", these(i.InClear, "document"))
	all.say(i.TaxIDsInClear, "Tax ids of a version from before stand in clear text: "+
		"run levy keys seal when no process of that version is left.")
	all.say(i.MasterKeys.Older > 0 && i.MasterKeys.FinishedAt != nil,
		"An older master key is not retired: levy keys list says what needs it.")
	all.say(i.LockedOut.People > 0, "%s", i.LockedOut.inWords())
	all.say(i.Ledger.Open, "The ledger does not cover what a version from before wrote; %d of %d organizations are done: "+
		"run levy audit cover when no process of that version is left.", i.Ledger.Covered, i.Ledger.Organizations)
	return all
}

func (a *advice) aboutBackups(b backupState, keys keysState) {
	a.say(b.KeepsWAL && !b.Takes,
		"No backup takes the WAL of PostgreSQL, which keeps %s of it on its disk for that: start levy backup --wal again, "+
			"or drop the replication slot %s.",
		inBytes(b.Behind), backup.Slot)
	a.say(b.ArchiveFails, "The archive_command of PostgreSQL failed, and is called again: its log says why. Until it succeeds, "+
		"PostgreSQL keeps the WAL, and its disk fills.")
	a.say(b.Last != nil && keys.Last == nil,
		"The wrapped keys are saved nowhere but in the backups of what they seal: "+
			"run levy backup or levy keys save with LEVY_KEYS_FOLDER.")
	a.say(keys.Last != nil && keys.ErasedSince > 0,
		"%s erased since the wrapped keys were saved: run levy keys save, or they come back with an older backup.",
		these(keys.ErasedSince, "subject"))
}

// aboutWaiting says what is due and not taken, and what is stopped.
func (a *advice) aboutWaiting(w models.Waiting) {
	a.say(w.Outbox.NotMoved > 0, "%s due and not taken: is an api or worker process up?",
		these(w.Outbox.NotMoved, "transaction"))
	a.say(w.Outbox.Failing > 0, "%d of the transactions failed %s or more: correct the cause, "+
		"which the log of the workers names, then levy requeue transactions --all.", w.Outbox.Failing, models.FailingTimes)
	for _, r := range w.Records {
		a.say(r.NotMoved > 0, "%s due and not taken: is an api or worker process up? The log says why workflows are "+
			"not notified.", these(r.NotMoved, strings.TrimSuffix(r.Kind, "s")))
	}
	a.say(w.Nexus.NotMoved > 0, "Of nexus %s due and not evaluated: is a worker up?", these(w.Nexus.NotMoved, "place"))
	for _, r := range w.Records {
		issues, failed := r.ByStatus[string(models.FilingIssue)], r.ByStatus[string(models.ImportFailed)]
		a.say(r.Kind == models.WaitingFilings && issues > 0,
			"%s stopped by an issue: the page of the return in the console says why. Correct that, and retry it there.",
			these(issues, "return"))
		a.say(r.Kind == models.WaitingImports && failed > 0,
			"%s stopped by an error: the page of the import in the console says why. Resume it there; it goes on where it "+
				"stopped.", these(failed, "import"))
	}
}

// these says how many there are, with the verb.
func these(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return fmt.Sprintf("%d %ss are", n, noun)
}
