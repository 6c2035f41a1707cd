package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"levy/internal/secret"
	"levy/models"
	"levy/store"
)

type exportPersonCmd struct {
	ID        string `arg:"" help:"Id of a person, a customer or an organization: user_…, cust_… or org_…"`
	Documents string `placeholder:"DIR" type:"existingdir" help:"Of a customer: write the documents of its exemptions into this folder, each under its id."`
}

// Run prints the stored data about a person, one JSON object a line, and records who asked for it.
func (c exportPersonCmd) Run(p *program) error {
	if err := checkSubject(c.ID); err != nil {
		return err
	}
	return withKeys(p, func(s *store.Store, ring *secret.Ring) error { return c.export(p, s, ring) })
}

func (c exportPersonCmd) export(p *program, s *store.Store, ring *secret.Ring) error {
	lines := json.NewEncoder(p.stdout)
	err := s.People.PersonalData(p.ctx, staff(), c.ID, func(kind string, record json.RawMessage) error {
		return lines.Encode(map[string]any{"type": kind, "record": record})
	})
	if err != nil {
		return fmt.Errorf("%s: %w", c.ID, err)
	}
	switch {
	case models.IsID(models.PrefixOrganization, c.ID):
		return exportSealed(p, s, ring, c.ID, lines)
	case c.Documents != "":
		return s.Catalog.DocumentsOf(p.ctx, secret.NewVault(ring, s.Organizations), c.ID,
			func(a models.Attachment, content []byte) error {
				return os.WriteFile(filepath.Join(c.Documents, a.ID), content, 0o600)
			})
	}
	return nil
}

// exportSealed prints what was sealed of an organization, in clear.
func exportSealed(p *program, s *store.Store, ring *secret.Ring, id string, lines *json.Encoder) error {
	sealed, err := s.Organizations.SealedPersonal(p.ctx, models.Scope{OrganizationID: id}, "")
	if err != nil || len(sealed) == 0 {
		return err
	}
	key, err := secret.NewVault(ring, s.Organizations).Key(p.ctx, id)
	if err != nil && !errors.Is(err, secret.ErrNoKey) {
		return err
	}
	for field, value := range sealed {
		if key == nil { // its key was destroyed: what is left of it is not readable any more
			if err := lines.Encode(map[string]any{"type": "personal_data", "field": field, "erased": true}); err != nil {
				return err
			}
			continue
		}
		plain, err := key.Open(field, value)
		if err != nil {
			return fmt.Errorf("%s: %w", field, err)
		}
		if err := lines.Encode(map[string]any{"type": "personal_data", "field": field, "value": string(plain)}); err != nil {
			return err
		}
	}
	return nil
}

type eraseCmd struct {
	ID  string `arg:"" help:"Id of a person, a customer or an organization: user_…, cust_… or org_…"`
	Yes bool   `help:"Do it: without this the command only says what it would erase, and what stays."`
}

// kept says of each kind what is erased, and what stays because the law or the trail needs it.
var kept = map[string]string{
	models.PrefixUser: `erased: name, e-mail address, password, second step, passkeys, links, sessions, roles, ` +
		`answers kept for idempotency keys
        that name it, and saved views that do
stays:  the id, and the name in the audit trail and in histories of filings: who approved a return must be known; in the
        trail also the names of passkeys by which the person signed in`,
	models.PrefixCustomer: `erased: name, e-mail address, phone, street, tax numbers, and your own identifiers, ` +
		`in the record and in events; answers kept
        for idempotency keys that name it, whose requests are not carried out again; saved views that name it
stays:  city, state, postal code and country; sales with their addresses, and exemption certificates: tax law keeps them`,
	models.PrefixOrganization: `erased: details, contact, owners, bank account, passwords for authorities, webhooks, ` +
		`and the data key, so that nothing
        sealed by it is readable again, here or in histories of Temporal; keys are revoked; answers
        kept for idempotency keys, its own and those of its partner that name it
stays:  name, sales, customers, exemptions with their documents and notices with their letters, which are sealed, returns,
        registrations and the audit trail: tax law keeps them; and its people, each of whom is erased by the id user_…`,
}

// staysForAWhile is what erasing does not reach.
const staysForAWhile = `stays for a while: histories of Temporal, sealed, until their retention ends;
        in backups from before and their WAL, what is in clear text until they are deleted, and what is sealed until no one has
        the key any more that wraps data keys now. To that end, in this order:
        1. levy keys save --keys FOLDER, so that levy restore --keys erases again who comes back with an older backup
        2. a new key in LEVY_WRAPPING_KEYS of API and worker, first behind the current one and then in front of it, each time
           with a restart; then levy keys rotate --keys FOLDER
        3. take the earlier key out of all settings, and destroy all copies of it`

// Run erases the identity of a person, and prints what remains.
func (c eraseCmd) Run(p *program) error {
	if err := errors.Join(checkSubject(c.ID), p.config.validate(needDatabase)); err != nil {
		return err
	}
	prefix, _, _ := strings.Cut(c.ID, "_")
	fmt.Fprintln(p.stdout, kept[prefix])
	fmt.Fprintln(p.stdout, staysForAWhile)
	s, err := openStore(p.ctx, p.config)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := printMentions(p, s, c.ID); err != nil {
		return fmt.Errorf("%s: %w", c.ID, err)
	}
	if !c.Yes {
		fmt.Fprintln(p.stdout, "Nothing is erased yet: say --yes.")
		return nil
	}
	if err := erase(p, s, c.ID); err != nil {
		return fmt.Errorf("%s: %w", c.ID, err)
	}
	_, err = fmt.Fprintln(p.stdout, c.ID+" is erased.")
	return err
}

// printMentions prints the texts that may name the subject, and that the erasure leaves. A person has to decide.
func printMentions(p *program, s *store.Store, id string) error {
	if models.IsID(models.PrefixOrganization, id) {
		return nil
	}
	mentions, err := s.People.Mentions(p.ctx, id)
	for _, m := range mentions {
		fmt.Fprintf(p.stdout, "may name it, and stays: %s of %s: %q\n", m.Place, m.ID, m.Text)
	}
	return err
}

// erase erases a person, a customer or an organization.
func erase(p *program, s *store.Store, id string) error {
	switch prefix, _, _ := strings.Cut(id, "_"); prefix {
	case models.PrefixUser:
		return s.People.EraseUser(p.ctx, staff(), id)
	case models.PrefixCustomer:
		return s.People.EraseCustomer(p.ctx, staff(), id)
	}
	return eraseOrganization(p, s, models.Scope{OrganizationID: id})
}

// errOnboardingUnderWay says how an organization is erased that is being onboarded: by its workflow.
var errOnboardingUnderWay = errors.New("its onboarding is under way: cancel that (POST /v1/onboarding/{id}/cancel), " +
	"which erases it too")

// eraseOrganization erases an organization. Errors: errOnboardingUnderWay.
func eraseOrganization(p *program, s *store.Store, scope models.Scope) error {
	onboarding, err := s.Organizations.Onboarding(p.ctx, scope)
	if err != nil {
		return err
	}
	if !onboarding.Root && onboarding.Status == models.OnboardingInProgress {
		return errOnboardingUnderWay
	}
	return s.Organizations.EraseOrganization(p.ctx, scope, staff())
}

// checkSubject refuses an id that is not of a person.
func checkSubject(id string) error {
	for prefix := range kept {
		if models.IsID(prefix, id) {
			return nil
		}
	}
	return fmt.Errorf("%q is no id of a person, a customer or an organization: user_…, cust_… or org_…", id)
}
