package people

import (
	"context"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"levy/models"
	"levy/store/pg"
)

// notes are the texts of people that may name any person, of few rows each. An erasure does not change them, because a
// sentence would lose its sense, and a history its proof. It names them, for a decision.
var notes = []struct{ column, id string }{
	{"exception_notes.note", "object_id"},
	{"comment_versions.text", "comment_id"},
	{"filings.internal_notes", "id"},
	{"filings.skip_reason", "id"},
	{"filing_entries.note", "filing_id"},
	{"filing_payments.reference", "filing_id"},
	{"filing_exclusions.reason", "filing_id"},
	{"filing_history.reason", "filing_id"},
	{"filing_history.attestation", "filing_id"},
	{"registrations.comment", "id"},
	{"registrations.deregistration_reason", "id"},
	{"notices.authority", "id"}, {"notices.description", "id"}, {"notices.answer", "id"}, {"notices.reference", "id"},
	{"rate_overrides.reason", "id"},
	{"transaction_imports.name", "id"},
	{"webhook_endpoints.description", "id"},
	{"api_keys.name", "id"}, {"calendar_feeds.name", "id"},
}

// mentionLimit bounds the mentions of an answer.
const mentionLimit = 1000

// Mentions returns the texts that may name a person or a customer, and that an erasure leaves. They are notes, and saved
// views that hold a part of the name. Errors: models.ErrNotFound.
func (s *Store) Mentions(ctx context.Context, id string) (mentions []models.Mention, err error) {
	_, trail, err := s.subject(models.AcrossOrganizations(ctx), id)
	if err != nil {
		return nil, err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		who, err := identityOf(tx, id, trail.OrganizationID)
		if err != nil || len(who.everywhere) == 0 {
			return err
		}
		_, views, err := viewsNaming(tx, who)
		if err != nil {
			return err
		}
		for _, v := range views {
			mentions = append(mentions, models.Mention{
				Place: "saved_views", ID: v.UserID, Text: fmt.Sprintf("%s: %s?%s", v.Name, v.List, v.Query),
			})
		}
		return mentionsInNotes(tx, who, &mentions)
	})
	return mentions, pg.Translate(err)
}

func mentionsInNotes(tx *gorm.DB, who identity, to *[]models.Mention) error {
	for _, note := range notes {
		table, column, _ := strings.Cut(note.column, ".")
		var found []models.Mention
		err := tx.Raw("SELECT ?::text AS place, "+note.id+" AS id, "+column+" AS text FROM "+table+
			" WHERE organization_id IN ? AND "+column+" <> '' ORDER BY 2", note.column, who.organizations).Scan(&found).Error
		if err != nil {
			return err
		}
		for _, m := range found {
			if who.mayBeIn(m.Text) && len(*to) < mentionLimit {
				*to = append(*to, m)
			}
		}
	}
	return nil
}

// mayBeIn reports whether a note may name the subject.
func (who *identity) mayBeIn(note string) bool {
	texts := []string{models.NormalizeName(note)}
	return anyHolds(texts, who.everywhere) || anyHolds(texts, who.near) || anyHolds(texts, who.words) ||
		anyCalls(texts, who.phone)
}
