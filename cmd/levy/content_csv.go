package main

import (
	"fmt"
	"io"

	"levy/tax/content"
)

type contentCSVCmd struct {
	jsonFlag

	File string `arg:"" help:"The table, .csv or .zip." type:"existingfile"`
}

// Run imports the table into a new version.
func (c contentCSVCmd) Run(p *program) error {
	return p.withDraft(c.jsonFlag, func(p *program, d *draft) error {
		f, err := openFeed(c.File)
		if err != nil {
			return err
		}
		var rates []content.CSVRate
		sum, err := f.read(p.progressTo, "Reading", func(r io.Reader) (err error) {
			rates, err = content.ReadCSV(f.name, r)
			return err
		})
		if err != nil {
			return err
		}
		done, err := d.tables.ImportCSV(rates)
		if err != nil {
			return err
		}
		d.imported(f, sum, len(rates))
		fmt.Fprintf(
			p.stdout, "%s: %d rates of %d jurisdictions, %d of them new.\n", f.name, done.Rates,
			done.Jurisdictions, done.New,
		)
		if done.Gaps > 0 {
			fmt.Fprintf(p.stdout, "  %d jurisdictions have days without a rate between two rates.\n", done.Gaps)
		}
		return nil
	})
}
