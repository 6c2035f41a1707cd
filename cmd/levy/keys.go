package main

import (
	"fmt"

	"levy/internal/secret"
	"levy/models"
)

type keysCmd struct {
	Rotate rotateKeysCmd `cmd:"" help:"Wrap the data keys of all organizations with the current master key, while the service runs. May be repeated."`
}

type rotateKeysCmd struct{}

// Run wraps every data key that an older master key protects with the current one.
// The sealed values themselves stay as they are.
func (rotateKeysCmd) Run(p *program) error {
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
	if err := note(p, s, models.AuditRotate, "data_keys", ring.Current()); err != nil {
		return err
	}
	rotated, err := secret.NewVault(ring, s.Organizations).Rotate(p.ctx)
	if err != nil {
		return fmt.Errorf("after %d data keys: %w", rotated, err)
	}
	_, err = fmt.Fprintf(p.stdout, "%d data keys are wrapped by the current master key now\n", rotated)
	return err
}
