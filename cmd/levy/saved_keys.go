package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"levy/internal/backup"
	"levy/internal/failpoint"
	"levy/internal/secret"
	"levy/models"
	"levy/store"
	"levy/store/integrity"
)

// keysFolder is the setting of commands that save the wrapped keys.
type keysFolder struct {
	Keys string `name:"keys" var:"LEVY_KEYS_FOLDER" placeholder:"FOLDER" help:"Where the wrapped keys are saved, apart from the backups of what they seal: one file, which each run replaces."`
}

// errNoKeysFolder is said where the wrapped keys are saved nowhere.
var errNoKeysFolder = errors.New("the wrapped keys are saved nowhere but in the backups of what they seal: " +
	"what levy erase destroys comes back with " +
	"an older backup, and no backup from before can be read once a key that wraps them is destroyed; " +
	"name a folder apart by --keys or LEVY_KEYS_FOLDER")

type saveKeysCmd struct {
	keysFolder
	jsonFlag

	Every time.Duration `placeholder:"TIME" help:"Save them again and again, so far apart, such as 1h, until the process is told to end: where nothing runs commands by the clock."`
}

// Run writes the wrapped keys to their file, once or again and again. An error ends it.
func (c saveKeysCmd) Run(p *program) error {
	if c.Keys == "" {
		return errNoKeysFolder
	}
	s, err := p.openStore(needDatabase)
	if err != nil {
		return err
	}
	defer s.Close()
	if c.Every < 0 || c.Every > 0 && c.Every < time.Minute {
		return errSavedTooOften
	}
	for {
		err := tell(p, c.jsonFlag, func(p *program) (*models.SavedKeys, error) { return saveKeys(p, s, c.Keys) })
		if err != nil || c.Every == 0 {
			return err
		}
		select {
		case <-p.ctx.Done():
			return nil
		case <-time.After(c.Every):
		}
	}
}

// errSavedTooOften: each time is written down in the audit trail.
var errSavedTooOften = errors.New("--every must be one minute or more")

// saveKeys writes the wrapped keys to a folder, in the place of those that are there.
func saveKeys(p *program, s *store.Store, folder string) (*models.SavedKeys, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	place := backup.KeysFile(folder)
	saved, err := s.Integrity.SaveKeys(p.ctx, staff(), place,
		func(ctx context.Context, id string) (integrity.KeysWriter, error) {
			if err := replaceable(ctx, s, place); err != nil {
				return nil, err
			}
			return backup.WriteKeys(folder, id, "levy "+version)
		})
	if err != nil {
		return nil, fmt.Errorf("the wrapped keys are not saved: %w", err)
	}
	_, err = fmt.Fprintf(p.stdout,
		"%s has the %d wrapped keys that there are now, and nothing that they seal.\n", place, saved.Keys)
	return &saved, err
}

// replaceable refuses to lose what only the file there knows: who was erased after a database was restored to before
// it.
func replaceable(ctx context.Context, s *store.Store, place string) error {
	there, err := backup.ReadKeys(place)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: move it away, if you have no better one", err)
	}
	defer there.Close()
	known, err := s.Integrity.KnowsKeys(ctx, there.ID())
	// guard: saved keys: a database that was restored to before a file does not overwrite it
	if err == nil && !known {
		err = fmt.Errorf("%s was not written from this database, or is newer than the backup that it was restored from, "+
			"and knows who was erased since: "+
			"restore again with levy restore --keys, or move the file away", place)
	}
	return err
}

// restoreKeys puts the wrapped keys of a file into what was restored, and says what that changed.
func restoreKeys(p *program, s *store.Store, keys *backup.Keys, place string) error {
	done, err := s.Integrity.RestoreKeys(p.ctx, staff(), keys, place)
	if err != nil {
		return err
	}
	if err := failpoint.Hit("keys_restored"); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "Wrapped keys: %d are those of %s; %d are newer than it.\n", done.Replaced, place, done.Newer)
	for _, id := range done.Documents {
		fmt.Fprintf(p.stdout, "Deleted since, and now again: the document %s.\n", id)
	}
	for _, id := range done.Removed {
		fmt.Fprintf(p.stdout, "Taken off since, and now again: the second step of the sign-in of %s.\n", id)
	}
	for _, id := range done.Factors {
		fmt.Fprintf(p.stdout, "Replaced since: the second step of the sign-in of %s, who uses a recovery code, "+
			"or has an administrator take it off.\n", id)
	}
	migrated := s.CheckMigrated(p.ctx) == nil
	for _, id := range done.Erased {
		if err := eraseAgain(p, s, id, migrated); err != nil {
			return fmt.Errorf("erase %s again: %w", id, err)
		}
	}
	for _, id := range done.Destroyed {
		if slices.Contains(done.Erased, id) {
			continue
		}
		if err := endAgain(p, s, id, migrated); err != nil {
			return fmt.Errorf("archive %s again: %w", id, err)
		}
	}
	return nil
}

// eraseAgain erases a person who was erased after the backup.
func eraseAgain(p *program, s *store.Store, id string, migrated bool) error {
	err := errNotMigratedYet
	if migrated {
		err = erase(p, s, id)
	}
	switch {
	case err == nil:
		fmt.Fprintf(p.stdout, "Erased since, and now again: %s.\n", id)
	case errors.Is(err, errNotMigratedYet), errors.Is(err, errOnboardingUnderWay):
		fmt.Fprintf(p.stdout, "Erased since: %s. %v; then levy erase --yes %[1]s.\n", id, err)
	default:
		return err
	}
	return nil
}

// errNotMigratedYet: the backup is of a release before.
var errNotMigratedYet = errors.New("start PostgreSQL and run levy migrate")

// endAgain archives an organization that was archived after the backup, which destroyed its data key. One whose
// onboarding was under way then was cancelled, and has to be again.
func endAgain(p *program, s *store.Store, id string, migrated bool) error {
	scope := models.Scope{OrganizationID: id}
	if !migrated {
		fmt.Fprintf(p.stdout, "Archived since: %s, whose data key is destroyed again. Start PostgreSQL, "+
			"run levy migrate and then levy erase --yes %[1]s.\n", id)
		return nil
	}
	onboarding, err := s.Organizations.Onboarding(p.ctx, scope)
	if err != nil {
		return err
	}
	if !onboarding.Root && onboarding.Status == models.OnboardingInProgress {
		fmt.Fprintf(p.stdout, "Cancelled since: the onboarding of %s, whose data key is destroyed again. Cancel it: "+
			"POST /v1/onboarding/%[1]s/cancel.\n", id)
		return nil
	}
	if err := s.Organizations.ArchiveOrganization(p.ctx, scope, staff(),
		"It was archived before the database was restored."); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "Archived since, and now again: %s, whose data key is destroyed.\n", id)
	return nil
}

// tryKeys makes sure that the wrapped keys of a file can be opened, where the keys are given that open them.
func tryKeys(p *program, keys *backup.Keys) error {
	if p.config.MasterKeys == "" {
		fmt.Fprintln(p.stderr, "Whether the wrapped keys can be opened is not tried: LEVY_MASTER_KEYS is not set.")
		return nil
	}
	ring, err := p.config.ring()
	if err != nil {
		return err
	}
	vault := secret.NewVault(ring, nil)
	return keys.EachKey(func(k secret.StoredKey) error {
		if err := vault.Opens(k.RecordKey); err != nil {
			return fmt.Errorf("a wrapped key of %s %s cannot be opened, take another file or other keys: %w",
				k.OrganizationID, k.RecordID, err)
		}
		return nil
	})
}
