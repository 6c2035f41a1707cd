package web

import (
	"regexp"
	"time"

	"levy/contract"
)

// statusPage is the state of the installation, as levy status prints it.
type statusPage struct {
	contract.InstallationStatus

	Alarms []alarm
}

// alarm is an alarm whose condition is true.
type alarm struct{ contract.Alarm }

// Fires returns how long after its condition the alarm fires: "after 5 minutes".
func (a alarm) Fires() string {
	wait, err := time.ParseDuration(a.After)
	switch {
	case err != nil:
		return "after " + a.After
	case wait == 0:
		return "at once"
	}
	return "after " + span(wait)
}

// Prose returns the paragraphs of the runbook's entry.
func (a alarm) Prose() [][]passage { return prose(a.Entry) }

// operations shows the state of the installation to staff.
func (c *Console) operations(v *pageRequest) error {
	found, err := v.session.GetStatus(v.Context(), contract.GetStatusRequest{})
	if err != nil {
		return err
	}
	page := statusPage{InstallationStatus: found}
	for _, each := range found.Alarms {
		page.Alarms = append(page.Alarms, alarm{each})
	}
	return v.show("Operations", page)
}

// contentChanges shows staff which rates another version of the tax content changes.
func (c *Console) contentChanges(v *pageRequest) error {
	found, err := v.session.GetContentChanges(v.Context(), contract.GetContentChangesRequest{})
	if err != nil {
		return err
	}
	return v.show("Tax content", found)
}

// masterKeys shows staff what still needs each master key.
func (c *Console) masterKeys(v *pageRequest) error {
	found, err := v.session.GetMasterKeys(v.Context(), contract.GetMasterKeysRequest{})
	if err != nil {
		return err
	}
	return v.show("Master keys", found)
}

// passage is a part of a paragraph; Code is set in the font of code.
type passage struct {
	Text string
	Code bool
}

var (
	paragraphs = regexp.MustCompile(`\n\s*\n`)
	// inline finds code and links in a paragraph of the runbook. Of a link only its text stays.
	inline = regexp.MustCompile("`([^`]+)`|\\[([^\\]]+)\\]\\([^)]*\\)")
)

// prose returns the paragraphs of a Markdown text.
func prose(markdown string) (all [][]passage) {
	for _, text := range paragraphs.Split(markdown, -1) {
		var spans []passage
		at := 0
		for _, m := range inline.FindAllStringSubmatchIndex(text, -1) {
			spans = append(spans, passage{Text: text[at:m[0]]})
			if m[2] >= 0 {
				spans = append(spans, passage{text[m[2]:m[3]], true})
			} else {
				spans = append(spans, passage{Text: text[m[4]:m[5]]})
			}
			at = m[1]
		}
		all = append(all, append(spans, passage{Text: text[at:]}))
	}
	return all
}
