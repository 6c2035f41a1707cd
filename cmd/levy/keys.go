package main

import (
	"fmt"

	"levy/internal/secret"
	"levy/models"
	"levy/store"
	"levy/store/pg"
)

type keysCmd struct {
	Rotate rotateKeysCmd `cmd:"" help:"Wrap the data keys of all organizations, and the keys of documents, second factors and tax ids, with the current master key, while the service runs. May be repeated."`
	Seal   sealKeysCmd   `cmd:"" help:"Encrypt documents of exemptions and tax ids that a version from before stored in clear text, while the service runs. May be repeated."`
}

type rotateKeysCmd struct{}

// Run wraps every data key and every key of a document that an older master key protects with the current one.
// The sealed values themselves stay as they are.
func (rotateKeysCmd) Run(p *program) error {
	return withKeys(p, func(s *store.Store, ring *secret.Ring) error {
		if err := note(p, s, models.AuditRotate, "data_keys", ring.Current()); err != nil {
			return err
		}
		vault := secret.NewVault(ring, s.Organizations)
		rotated, err := vault.Rotate(p.ctx, s.Organizations)
		if err != nil {
			return fmt.Errorf("after %d data keys: %w", rotated, err)
		}
		documents, err := vault.Rotate(p.ctx, s.Catalog)
		if err != nil {
			return fmt.Errorf("after %d data keys and %d keys of documents: %w", rotated, documents, err)
		}
		factors, err := vault.Rotate(p.ctx, s.People)
		if err != nil {
			return fmt.Errorf("after %d data keys, %d keys of documents and %d of second factors: %w", rotated, documents, factors, err)
		}
		installation, err := vault.Rotate(p.ctx, pg.InstallationKeys{DB: s.DB})
		if err != nil {
			return fmt.Errorf("after %d data keys, %d keys of documents and %d of second factors: %w", rotated, documents, factors, err)
		}
		_, err = fmt.Fprintf(p.stdout,
			"%d data keys, %d keys of documents, %d of second factors and %d of the installation are wrapped by the current master key now\n",
			rotated, documents, factors, installation)
		return err
	})
}

type sealKeysCmd struct{}

// Run seals one document after the other, and then tax ids, batch by batch. What it has sealed when it is interrupted is sealed.
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

// withKeys lets work use the store and the master keys.
func withKeys(p *program, work func(s *store.Store, ring *secret.Ring) error) error {
	if err := p.config.validate(needDatabase, needMasterKeys); err != nil {
		return err
	}
	ring, err := secret.ParseRing(p.config.MasterKeys.Reveal())
	if err != nil {
		return fmt.Errorf("LEVY_MASTER_KEYS: %w", err)
	}
	s, err := openStore(p.ctx, p.config)
	if err != nil {
		return err
	}
	defer s.Close()
	return work(s, ring)
}
