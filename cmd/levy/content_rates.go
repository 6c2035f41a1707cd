package main

import (
	"fmt"
	"io"

	"levy/tax/content"
)

type contentRatesCmd struct {
	jsonFlag

	Files []string `arg:"" name:"file" help:"Rate files of member states, .csv or .zip, under their official names." type:"existingfile"`
}

// Run imports the files; all go into one new version.
func (c contentRatesCmd) Run(p *program) error {
	return p.withDraft(c.jsonFlag, func(p *program, d *draft) error {
		for _, file := range c.Files {
			if err := importRates(p, d, file); err != nil {
				return err
			}
		}
		return nil
	})
}

func importRates(p *program, d *draft, file string) error {
	f, err := d.openFeed(file, 'R', "rate")
	if err != nil {
		return err
	}
	var records []content.RateRecord
	sum, err := f.read(p.progressTo, "Reading", func(r io.Reader) (err error) {
		records, err = content.ReadRates(f.name, r, f.fips)
		return err
	})
	if err != nil {
		return err
	}
	done, err := d.tables.ImportRates(d.base, f.of, f.name, records)
	if err != nil {
		return err
	}
	d.imported(f.feed, sum, len(records))
	fmt.Fprintf(p.stdout, "%s: %d rates of %d jurisdictions.\n", f.name, done.Rates, done.Jurisdictions)
	if done.New > 0 {
		fmt.Fprintf(
			p.stdout, "  %d jurisdictions are new here: only the boundary file of the state leads to them.\n",
			done.New,
		)
	}
	if done.Gaps > 0 {
		fmt.Fprintf(p.stdout, "  %d jurisdictions have days without a rate between two rates.\n", done.Gaps)
	}
	return nil
}
