package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"levy/internal/backup"
	"levy/internal/progress"
	"levy/internal/secret"
	"levy/models"
	"levy/store"
)

type keysCmd struct {
	List   listKeysCmd   `cmd:"" help:"List the master keys, and what still needs each of them."`
	Ask    askKeyCmd     `cmd:"" help:"Ask organizations by an event to use or rotate the API keys that still need a master key. May be repeated: each is asked once."`
	Retire retireKeyCmd  `cmd:"" help:"Retire a master key that nothing needs any more. Otherwise say what needs it."`
	Rotate rotateKeysCmd `cmd:"" help:"Wrap the data keys of all organizations, and the keys of documents, second factors and tax ids, with the current wrapping key, while the service runs. May be repeated."`
	Save   saveKeysCmd   `cmd:"" help:"Save the wrapped keys apart from the backups of what they seal. May be repeated."`
	Seal   sealKeysCmd   `cmd:"" help:"Encrypt documents of exemptions and tax ids that a version from before stored in clear text, while the service runs. May be repeated."`
}

type rotateKeysCmd struct {
	keysFolder
	jsonFlag
}

// rotated is how many keys of each kind were wrapped anew.
type rotated struct {
	Data         int `json:"data_keys"`
	Documents    int `json:"documents"`
	Factors      int `json:"second_factors"`
	Installation int `json:"installation"`
}

func (r rotated) String() string {
	return fmt.Sprintf("%d data keys, %d keys of documents, %d of second factors and %d of the installation", r.Data,
		r.Documents, r.Factors, r.Installation)
}

// rotation is what a rotation did, for programs.
type rotation struct {
	Wrapped   rotated           `json:"wrapped"`
	Current   string            `json:"wrapping_key"`
	NotNeeded []string          `json:"not_needed_by_data_keys"` // keys before it, in order
	Saved     *models.SavedKeys `json:"wrapped_keys"`            // null: they are saved nowhere apart from backups
}

// Run wraps every data key and every key of a document that an older key protects with the current one.
// The sealed values themselves stay as they are.
func (c rotateKeysCmd) Run(p *program) error {
	return withKeys(p, func(s *store.Store, ring *secret.Ring) error {
		return tell(p, c.jsonFlag, func(p *program) (*rotation, error) { return c.rotate(p, s, ring) })
	})
}

func (c rotateKeysCmd) rotate(p *program, s *store.Store, ring *secret.Ring) (*rotation, error) {
	if err := note(p, s, models.AuditRotate, "data_keys", ring.CurrentWrapping()); err != nil {
		return nil, err
	}
	vault := secret.NewVault(ring, s.Organizations)
	shown := progress.Begin(p.progressTo, "Keys wrapped again", progress.Items, 0)
	defer shown.End()
	var done rotated
	for _, kind := range []struct {
		keys secret.RecordKeys
		n    *int
	}{
		{s.Organizations.DataKeys(), &done.Data}, {s.Catalog.DocumentKeys(), &done.Documents},
		{s.People.SecondFactorKeys(), &done.Factors},
		{s.InstallationKeys(), &done.Installation},
	} {
		var err error
		if *kind.n, err = vault.Rotate(p.ctx, watchedKeys{kind.keys, shown}); err != nil {
			return nil, fmt.Errorf("after %v: %w", done, err)
		}
	}
	if done != (rotated{}) {
		if err := s.MasterKeys.NoteRewrapped(p.ctx, ring.Current()); err != nil {
			return nil, err
		}
	}
	fmt.Fprintf(p.stdout, "%v are wrapped by the current wrapping key now, %s\n", done, ring.CurrentWrapping())
	did := rotation{Wrapped: done, Current: ring.CurrentWrapping(), NotNeeded: []string{}}
	if err := c.conclude(p, s, ring, &did); err != nil {
		return nil, err
	}
	return &did, nil
}

// watchedKeys shows how many keys were wrapped again.
type watchedKeys struct {
	secret.RecordKeys

	shown *progress.Progress
}

// Rewrap replaces the wrapping of keys.
func (w watchedKeys) Rewrap(ctx context.Context, from, to []secret.RecordKey) error {
	err := w.RecordKeys.Rewrap(ctx, from, to)
	w.shown.Add(int64(len(from)))
	return err
}

// conclude saves the wrapped keys, and says what may be destroyed.
func (c rotateKeysCmd) conclude(p *program, s *store.Store, ring *secret.Ring, did *rotation) (err error) {
	if c.Keys == "" {
		fmt.Fprintf(p.stderr, "WARNING: destroy no key that wrapped them before: %v.\n", errNoKeysFolder)
		return nil
	}
	if did.Saved, err = saveKeys(p, s, c.Keys); err != nil {
		return fmt.Errorf("destroy no key that wrapped them before: %w", err)
	}
	still, err := s.Integrity.MasterKeys(p.ctx)
	if err != nil {
		return err
	}
	var earlier []string
	for _, id := range ring.WrappingIDs() {
		switch {
		case id == ring.CurrentWrapping():
		case slices.Contains(still, id):
			fmt.Fprintf(p.stderr, "WARNING: destroy %s not yet: it still wraps keys. If it was lost and is found, start a process with "+
				"it, then run this again.\n", id)
		default:
			earlier = append(earlier, id)
		}
	}
	did.NotNeeded = append(did.NotNeeded, earlier...)
	if len(earlier) == 0 {
		return nil
	}
	_, err = fmt.Fprintf(p.stdout,
		`No data key needs %s any more, but a process may still wrap with it that was started with it in front.
To make backups from before worthless for who was erased: run this again once no such process is left; take the key out of
LEVY_WRAPPING_KEYS of all processes, restart them, and destroy all copies of it. These backups are restored with
levy restore --keys %s from then on, and only so. A master key does more: docs/runbook.md says when it may go.
`, strings.Join(earlier, ", "), backup.KeysFile(c.Keys))
	return err
}

type sealKeysCmd struct{ jsonFlag }

// sealedNow is what was encrypted, for programs.
type sealedNow struct {
	Documents int `json:"documents"`
	Records   int `json:"records_with_tax_ids"`
}

// Run encrypts one document after the other, and then tax ids, batch by batch. An interruption loses nothing that is
// encrypted already.
func (c sealKeysCmd) Run(p *program) error {
	return withKeys(p, func(s *store.Store, ring *secret.Ring) error {
		return tell(p, c.jsonFlag, func(p *program) (*sealedNow, error) { return c.seal(p, s, ring) })
	})
}

func (sealKeysCmd) seal(p *program, s *store.Store, ring *secret.Ring) (*sealedNow, error) {
	if err := note(p, s, models.AuditSeal, "exemption_attachments", ring.Current()); err != nil {
		return nil, err
	}
	vault := secret.NewVault(ring, s.Organizations)
	var now sealedNow
	var err error
	if now.Documents, err = sealDocuments(p, s, vault); err != nil {
		return nil, fmt.Errorf("after %d documents: %w", now.Documents, err)
	}
	fmt.Fprintf(p.stdout, "%d documents are sealed now\n", now.Documents)
	if err := note(p, s, models.AuditSeal, "tax_ids", ring.Current()); err != nil {
		return nil, err
	}
	if now.Records, err = s.SealOlderTaxIDs(p.ctx); err != nil {
		return nil, fmt.Errorf("after the tax ids of %d records: %w", now.Records, err)
	}
	fmt.Fprintf(p.stdout, "the tax ids of %d records are sealed now\n", now.Records)
	return &now, nil
}

// sealDocuments encrypts the documents that are stored in clear text, and shows how far it is.
func sealDocuments(p *program, s *store.Store, vault *secret.Vault) (sealed int, err error) {
	inClear, err := s.Catalog.DocumentsInClear(p.ctx)
	if err != nil {
		return 0, err
	}
	shown := progress.Begin(p.progressTo, "Documents sealed", progress.Items, inClear)
	defer shown.End()
	for {
		found, err := s.Catalog.SealDocument(p.ctx, vault)
		if err != nil || !found {
			return sealed, err
		}
		sealed++
		shown.Add(1)
	}
}

// withKeys lets work use the store and the master keys, which must be those of the installation.
func withKeys(p *program, work func(s *store.Store, ring *secret.Ring) error) error {
	return withAnyKeys(p, func(s *store.Store, ring *secret.Ring) error {
		if err := checkKeys(p.ctx, s); err != nil {
			return err
		}
		return work(s, ring)
	})
}

// checkKeys refuses keys that are not those of the installation. Its processes could not open data sealed by other
// keys, and the audit trail would count as changed from then on.
func checkKeys(ctx context.Context, s *store.Store) error {
	if err := s.CheckMigrated(ctx); err != nil {
		return err
	}
	return explainKeys(s.CheckKeys(ctx))
}

// explainKeys says of which settings an error comes that a key cannot be opened.
func explainKeys(err error) error {
	if errors.Is(err, secret.ErrUnreadable) {
		return fmt.Errorf("LEVY_MASTER_KEYS and LEVY_WRAPPING_KEYS do not hold the keys of this database: %w", err)
	}
	return err
}

// withAnyKeys lets work use the store and the master keys, also when these are not those of the installation.
func withAnyKeys(p *program, work func(s *store.Store, ring *secret.Ring) error) error {
	s, err := p.openStore(needDatabase, needMasterKeys)
	if err != nil {
		return err
	}
	defer s.Close()
	ring, err := p.config.ring()
	if err != nil {
		return err
	}
	return work(s, ring)
}
