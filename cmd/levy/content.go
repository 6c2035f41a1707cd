package main

import (
	"context"
	"fmt"

	"levy/store"
	"levy/tax/content"
)

// contentCmd groups what an operator does with tax content.
type contentCmd struct {
	Verify contentVerifyCmd `cmd:"" help:"Check tax content: periods, references, numbers."`
}

// installContent records the content that this program carries.
func installContent(ctx context.Context, s *store.Store) error {
	version, err := content.PackedVersion(content.Packed())
	if err != nil {
		return err
	}
	return s.InstallContent(ctx, version, content.Packed())
}

type contentVerifyCmd struct{}

// Run checks the content that this program carries.
func (contentVerifyCmd) Run(p *program) error {
	taxes, err := content.Load()
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s is in order.\n", taxes.Version())
	return nil
}
