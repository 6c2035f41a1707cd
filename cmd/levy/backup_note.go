package main

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"

	"levy/models"
)

// noteBackupCmd records a backup of another program.
type noteBackupCmd struct {
	jsonFlag

	Reference string    `arg:"" help:"What the other program calls the backup, such as snap-0a1b2c, without secrets."`
	Kind      string    `required:"" enum:"snapshot,pgbackrest,wal-g,barman,other" help:"Which program took it: snapshot (of a disk, or by the provider of the database), pgbackrest, wal-g, barman or other."`
	At        time.Time `required:"" placeholder:"TIME" help:"Everything that was committed before this moment is in it, such as 2026-11-23T03:00:00Z. With an archive of the WAL: until when a restore reaches."`
	Proves    string    `required:"" enum:"taken,compared,restored" help:"What is known of it: taken (the program said so), compared (its files were compared with checksums) or restored (a server was started on a copy, and levy check found no defect there)."`
}

// notedBackup is a backup that was noted, for programs.
type notedBackup struct {
	Kind      string    `json:"kind"`
	Reference string    `json:"reference"`
	At        time.Time `json:"covers_until"`
	Proves    string    `json:"proves"`
}

// kindsOfBackups are the kinds by their names on the command line, with how they are told.
var kindsOfBackups = []struct {
	name  string
	kind  models.BackupKind
	words string
}{
	{"levy", models.BackupOfLevy, "levy backup"}, {"snapshot", models.BackupOfSnapshot, "a snapshot"},
	{"pgbackrest", models.BackupOfPGBackRest, "pgBackRest"}, {"wal-g", models.BackupOfWALG, "WAL-G"},
	{"barman", models.BackupOfBarman, "Barman"}, {"other", models.BackupOfOther, "another program"},
}

// kindOfBackup returns the name of a kind on the command line, and how it is told.
func kindOfBackup(kind models.BackupKind) (name, words string) {
	for _, k := range kindsOfBackups {
		if k.kind == kind {
			return k.name, k.words
		}
	}
	return strings.ToLower(string(kind)), strings.ToLower(string(kind))
}

// A backup is known to be taken, or its files were compared, too, or it was restored on trial.
const (
	provesTaken    = "taken"
	provesCompared = "compared"
	provesRestored = "restored"
)

// provesOf returns what is known of a backup.
func provesOf(b *models.Backup) string {
	switch {
	case b.Verified:
		return provesRestored
	case b.Compared:
		return provesCompared
	}
	return provesTaken
}

// clockSkew is how much later than the clock of this machine the moment of a backup may be.
const clockSkew = time.Minute

// Run records the backup.
func (c noteBackupCmd) Run(p *program) error {
	if err := errors.Join(checkReference(c.Reference), checkMoment(c.At, time.Now())); err != nil {
		return err
	}
	s, err := p.openMigrated(needDatabase)
	if err != nil {
		return err
	}
	defer s.Close()
	contents, err := contentsOf(p.ctx, s)
	if err != nil {
		return err
	}
	return tell(p, c.jsonFlag, func(p *program) (*notedBackup, error) {
		noted := models.Backup{
			BeganAt: c.At.UTC(), EndedAt: c.At.UTC(), Place: c.Reference, SchemaVersion: contents.SchemaVersion,
			ContentVersion: contents.ContentVersion, Compared: c.Proves != provesTaken, Verified: c.Proves == provesRestored,
		}
		for _, k := range kindsOfBackups {
			if k.name == c.Kind {
				noted.Kind = k.kind
			}
		}
		_, words := kindOfBackup(noted.Kind)
		if err := s.Integrity.NoteBackup(p.ctx, staff(), noted); err != nil {
			return nil, err
		}
		fmt.Fprintf(p.stdout, "Noted: %s of %s has everything that was committed before %s. Known of it: %s.\n", c.Reference, words,
			noted.BeganAt.Format(time.RFC3339), c.Proves)
		if c.Proves != provesRestored {
			fmt.Fprintln(p.stdout, "Restore one on trial now and then, run levy restore --keys and levy check there, and note it as restored.")
		}
		return &notedBackup{c.Kind, c.Reference, noted.BeganAt, c.Proves}, nil
	})
}

// checkMoment refuses a moment that has not come: a backup cannot have it.
func checkMoment(at, now time.Time) error {
	if at.After(now.Add(clockSkew)) {
		return fmt.Errorf("--at %s is in the future", at.Format(time.RFC3339))
	}
	return nil
}

// longestReference is how many characters a reference may have.
const longestReference = 200

var (
	errReferenceLong   = fmt.Errorf("the reference must have 1 to %d characters, in one line", longestReference)
	errReferenceSecret = errors.New("the reference seems to have a secret: it is shown by levy status and stays in the audit trail; " +
		"leave out user and password of an address, what stands behind its ?, and keys")
)

// secretWords match what only a secret has in front of it, and ids of keys of Amazon.
var secretWords = regexp.MustCompile(`(?i)(password|passwd|secret|token|signature|credential|apikey|api_key|sig)\s*[=:]` +
	`|\b(AKIA|ASIA)[0-9A-Z]{16}\b|-----BEGIN`)

// checkReference refuses a reference that is too long, or that seems to have a secret. The message does not repeat it.
func checkReference(reference string) error {
	if reference = strings.TrimSpace(reference); reference == "" || len([]rune(reference)) > longestReference ||
		strings.ContainsFunc(reference, unicode.IsControl) {
		return errReferenceLong
	}
	if secretWords.MatchString(reference) {
		return errReferenceSecret
	}
	if strings.Contains(reference, "://") {
		at, err := url.Parse(reference)
		// guard: backups: a reference with a password or a signed address is not recorded
		if err != nil || at.User != nil || at.RawQuery != "" {
			return errReferenceSecret
		}
	}
	return nil
}
