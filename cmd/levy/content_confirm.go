package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"levy/models"
	"levy/tax/calendar"
)

type contentConfirmCmd struct {
	jsonFlag

	States map[string]string `arg:"" help:"The states, each with the last day on which the edition holds that you compared with the content or imported: NY=2027-02-28."`
}

// Run confirms the tables of all states in one new version, or of none.
func (c contentConfirmCmd) Run(p *program) error {
	return p.withDraft(c.jsonFlag, func(p *program, d *draft) error {
		var said []string
		for _, state := range slices.Sorted(maps.Keys(c.States)) {
			until, err := calendar.ParseDate(c.States[state])
			if err != nil {
				return fmt.Errorf("%s: %w", state, err)
			}
			if err := d.tables.ConfirmUntil(state, until); err != nil {
				return err
			}
			said = append(said, state+" until "+until.String())
		}
		d.note = "Confirmed by the operator: " + strings.Join(said, ", ") + "."
		d.sources = []models.ContentSource{}
		fmt.Fprintln(p.stdout, d.note)
		return nil
	})
}
