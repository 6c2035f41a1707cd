package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"levy/internal/backup"
	"levy/internal/secret"
	"levy/models"
	"levy/store"
)

type keysCmd struct {
	List   listKeysCmd   `cmd:"" help:"List the master keys, and what still needs each of them."`
	Retire retireKeyCmd  `cmd:"" help:"Retire a master key that nothing needs any more. Otherwise say what needs it."`
	Rotate rotateKeysCmd `cmd:"" help:"Wrap the data keys of all organizations, and the keys of documents, second factors and tax ids, with the current wrapping key, while the service runs. May be repeated."`
	Save   saveKeysCmd   `cmd:"" help:"Save the wrapped keys apart from the backups of what they seal. May be repeated."`
	Seal   sealKeysCmd   `cmd:"" help:"Encrypt documents of exemptions and tax ids that a version from before stored in clear text, while the service runs. May be repeated."`
}

type rotateKeysCmd struct {
	keysFolder
}

// rotated is how many keys of each kind were wrapped anew.
type rotated struct{ data, documents, factors, installation int }

func (r rotated) String() string {
	return fmt.Sprintf("%d data keys, %d keys of documents, %d of second factors and %d of the installation", r.data,
		r.documents, r.factors, r.installation)
}

// Run wraps every data key and every key of a document that an older key protects with the current one.
// The sealed values themselves stay as they are.
func (c rotateKeysCmd) Run(p *program) error {
	return withKeys(p, func(s *store.Store, ring *secret.Ring) error {
		if err := note(p, s, models.AuditRotate, "data_keys", ring.CurrentWrapping()); err != nil {
			return err
		}
		vault := secret.NewVault(ring, s.Organizations)
		var done rotated
		for _, kind := range []struct {
			keys secret.RecordKeys
			n    *int
		}{
			{s.Organizations.DataKeys(), &done.data}, {s.Catalog.DocumentKeys(), &done.documents},
			{s.People.SecondFactorKeys(), &done.factors},
			{s.InstallationKeys(), &done.installation},
		} {
			var err error
			if *kind.n, err = vault.Rotate(p.ctx, kind.keys); err != nil {
				return fmt.Errorf("after %v: %w", done, err)
			}
		}
		if done != (rotated{}) {
			if err := s.MasterKeys.NoteRewrapped(p.ctx, ring.Current()); err != nil {
				return err
			}
		}
		fmt.Fprintf(p.stdout, "%v are wrapped by the current wrapping key now, %s\n", done, ring.CurrentWrapping())
		return c.conclude(p, s, ring)
	})
}

// conclude saves the wrapped keys, and says what may be destroyed.
func (c rotateKeysCmd) conclude(p *program, s *store.Store, ring *secret.Ring) error {
	if c.Keys == "" {
		fmt.Fprintf(p.stderr, "WARNING: destroy no key that wrapped them before: %v.\n", errNoKeysFolder)
		return nil
	}
	if err := saveKeys(p, s, c.Keys); err != nil {
		return fmt.Errorf("destroy no key that wrapped them before: %w", err)
	}
	earlier := slices.DeleteFunc(ring.WrappingIDs(), func(id string) bool { return id == ring.CurrentWrapping() })
	if len(earlier) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(p.stdout,
		`No data key needs %s any more, but a process may still wrap with it that was started with it in front.
To make backups from before worthless for who was erased: run this again once no such process is left; take the key out of
LEVY_WRAPPING_KEYS of all processes, restart them, and destroy all copies of it. These backups are restored with
levy restore --keys %s from then on, and only so. A master key does more: docs/runbook.md says when it may go.
`, strings.Join(earlier, ", "), backup.KeysFile(c.Keys))
	return err
}

type sealKeysCmd struct{}

// Run encrypts one document after the other, and then tax ids, batch by batch. An interruption loses nothing that is
// encrypted already.
func (sealKeysCmd) Run(p *program) error {
	return withKeys(p, func(s *store.Store, ring *secret.Ring) error {
		if err := note(p, s, models.AuditSeal, "exemption_attachments", ring.Current()); err != nil {
			return err
		}
		vault := secret.NewVault(ring, s.Organizations)
	documents:
		for sealed := 0; ; sealed++ {
			found, err := s.Catalog.SealDocument(p.ctx, vault)
			if err != nil {
				return fmt.Errorf("after %d documents: %w", sealed, err)
			}
			if !found {
				if _, err := fmt.Fprintf(p.stdout, "%d documents are sealed now\n", sealed); err != nil {
					return err
				}
				break documents
			}
		}
		if err := note(p, s, models.AuditSeal, "tax_ids", ring.Current()); err != nil {
			return err
		}
		sealed, err := s.SealOlderTaxIDs(p.ctx)
		if err != nil {
			return fmt.Errorf("after the tax ids of %d records: %w", sealed, err)
		}
		_, err = fmt.Fprintf(p.stdout, "the tax ids of %d records are sealed now\n", sealed)
		return err
	})
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
