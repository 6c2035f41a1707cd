package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"levy/models"
	"levy/store"
)

type deleteDocumentsCmd struct {
	Organization string    `arg:"" help:"Id of the organization, org_…"`
	IDs          []string  `arg:"" optional:"" name:"id" help:"Ids of documents, attm_…, and of letters, ndoc_…"`
	EndedBefore  time.Time `format:"2006-01-02" placeholder:"DATE" help:"Instead of ids: those of exemptions that expired or were archived, and of notices that were answered or closed, before this day, such as 2020-01-31."`
	Yes          bool      `help:"Do it: without this the command only says what it would delete."`
}

// Run deletes documents, one after the other, and says what the partner stores then.
func (c deleteDocumentsCmd) Run(p *program) error {
	if err := errors.Join(c.check(), p.config.validate(needDatabase)); err != nil {
		return err
	}
	s, err := openStore(p.ctx, p.config)
	if err != nil {
		return err
	}
	defer s.Close()
	scope := models.Scope{OrganizationID: c.Organization}
	documents, err := c.documents(p, s, scope)
	if err != nil {
		return err
	}
	size := int64(0)
	for _, d := range documents {
		size += d.Size
	}
	fmt.Fprintf(p.stdout, "Documents: %d, %s. The exemptions stay, and their sales stay exempt, and the notices stay; "+
		"tax law may ask for certificates and letters for years.\n",
		len(documents), inBytes(size))
	if !c.Yes {
		_, err := fmt.Fprintln(p.stdout, "Nothing is deleted yet: say --yes.")
		return err
	}
	for _, d := range documents {
		err := d.Delete(p.ctx, scope, staff(), d.ID)
		if err != nil && !errors.Is(err, models.ErrNotFound) { // another command has
			return fmt.Errorf("%s: %w", d.ID, err)
		}
	}
	stored, err := s.Catalog.Stored(p.ctx, scope)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "They are deleted. The organization stores %s of %s now, and its partner %s of %s.\n",
		inBytes(stored.Own), inBytes(stored.Most), inBytes(stored.Partner), inBytes(stored.MostOfPartner))
	return err
}

func (c deleteDocumentsCmd) check() error {
	if (len(c.IDs) == 0) == c.EndedBefore.IsZero() {
		return errors.New("name documents, or say --ended-before: one of both")
	}
	return nil
}

// storedDocument is a document of an exemption or a letter of a notice, with the function that deletes it.
type storedDocument struct {
	ID     string
	Size   int64
	Delete func(ctx context.Context, scope models.Scope, actor models.Actor, id string) error
}

func (c deleteDocumentsCmd) documents(p *program, s *store.Store, scope models.Scope) (all []storedDocument, err error) {
	certificates, letters := s.Catalog.EndedDocuments, s.Notices.EndedDocuments
	if len(c.IDs) > 0 {
		certificates = func(ctx context.Context, scope models.Scope, _ time.Time) ([]models.Attachment, error) {
			return s.Catalog.Documents(ctx, scope, c.IDs)
		}
		letters = func(ctx context.Context, scope models.Scope, _ time.Time) ([]models.NoticeDocument, error) {
			return s.Notices.Documents(ctx, scope, c.IDs)
		}
	}
	found, err := certificates(p.ctx, scope, c.EndedBefore)
	if err != nil {
		return nil, err
	}
	for _, d := range found {
		all = append(all, storedDocument{d.ID, d.Size, s.Catalog.DeleteDocument})
	}
	more, err := letters(p.ctx, scope, c.EndedBefore)
	if err != nil {
		return nil, err
	}
	for _, d := range more {
		all = append(all, storedDocument{d.ID, d.Size, s.Notices.DeleteDocument})
	}
	missing := slices.DeleteFunc(slices.Clone(c.IDs), func(id string) bool {
		return slices.ContainsFunc(all, func(d storedDocument) bool { return d.ID == id })
	})
	if len(missing) > 0 {
		return nil, fmt.Errorf("no documents of %s: %s", c.Organization, strings.Join(missing, ", "))
	}
	return all, nil
}
