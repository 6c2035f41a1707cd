package main

import (
	"fmt"

	"levy/tax/content"
)

// contentCmd groups what an operator does with tax content.
type contentCmd struct {
	Verify contentVerifyCmd `cmd:"" help:"Check tax content: periods, references, numbers."`
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
