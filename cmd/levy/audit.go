package main

import (
	"bufio"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/user"
	"slices"

	"levy/internal/secret"
	"levy/models"
	"levy/store"
)

type auditCmd struct {
	Cover  auditCoverCmd  `cmd:"" help:"Give transactions and filed returns of earlier releases their leaf in the ledger, while the service runs and no process of such a release does. May be repeated."`
	List   auditListCmd   `cmd:"" help:"List entries of an audit trail, the latest first, as lines of JSON."`
	Verify auditVerifyCmd `cmd:"" help:"Say whether the audit trail is complete and unchanged, and so the transactions and filed returns that it tells of, and what is broken first where they are not."`
}

type auditCoverCmd struct{}

// Run gives records of earlier releases their leaf, and says how far it is after each organization.
func (auditCoverCmd) Run(p *program) error {
	return withKeys(p, func(s *store.Store, ring *secret.Ring) error {
		if err := note(p, s, models.AuditSeal, "ledger", models.InstallationAudit); err != nil {
			return err
		}
		sealer := secret.NewSealer(ring)
		if err := s.Audit.SealAll(p.ctx, sealer); err != nil {
			return fmt.Errorf("seal what waits: %w", err)
		}
		covered := int64(0)
		err := s.Ledger.Cover(p.ctx, func(c models.LedgerCoverage) (err error) {
			if c.Open && c.Covered > covered {
				covered = c.Covered
				_, err = fmt.Fprintf(p.stdout, "%d of %d organizations, %d transactions\n", c.Covered, c.Organizations, c.Transactions)
			}
			return err
		})
		if err != nil {
			return err
		}
		if err := s.Audit.SealAll(p.ctx, sealer); err != nil {
			return fmt.Errorf("seal the leaves: %w", err)
		}
		_, err = fmt.Fprintln(p.stdout, "the ledger covers all organizations")
		return err
	})
}

type auditVerifyCmd struct {
	Organization string `arg:"" optional:"" help:"Id of an organization; without it all are verified."`
	Heads        string `help:"What an earlier run printed: the seals it names must still be there. Only this shows that the end of a trail was cut off." type:"existingfile" placeholder:"FILE"`
}

// auditLine is what is printed of an organization; Seals and Head are read again by --heads.
type auditLine struct {
	Organization string `json:"organization_id"`
	Rows         int64  `json:"rows"`
	Seals        int64  `json:"seals"`
	Head         string `json:"head"`
	Versions     int64  `json:"versions"`  // of transactions
	Decisions    int64  `json:"decisions"` // of their liability
	Returns      int64  `json:"returns"`
	Undecided    int64  `json:"undecided,omitempty"` // transactions without a liability in force
	// CoveredFrom is the seal from which on nothing may lack its leaf. NotCovered are those that an earlier release wrote
	// and that have none.
	CoveredFrom     int64  `json:"covered_from,omitempty"`
	NotCovered      int64  `json:"not_covered,omitempty"`
	FirstNotCovered string `json:"first_not_covered,omitempty"`
	Broken          string `json:"broken,omitempty"`
}

// Run prints a line of JSON for each organization, and fails when a trail is broken.
func (c auditVerifyCmd) Run(p *program) error {
	return withKeys(p, func(s *store.Store, ring *secret.Ring) error { return c.verify(p, s, secret.NewSealer(ring)) })
}

func (c auditVerifyCmd) verify(p *program, s *store.Store, sealer *secret.Sealer) error {
	heads, err := readHeads(c.Heads)
	if err != nil {
		return err
	}
	if err := s.Audit.SealAll(p.ctx, sealer); err != nil {
		return fmt.Errorf("seal what waits: %w", err)
	}
	ids, err := c.trails(p, s, heads)
	if err != nil {
		return err
	}
	coverage, err := s.Ledger.Coverage(p.ctx)
	if err != nil {
		return err
	}
	encoder, broken := json.NewEncoder(p.stdout), 0
	for _, id := range ids {
		v, err := s.Audit.VerifyAudit(p.ctx, sealer, id, heads[id])
		if err != nil {
			return fmt.Errorf("organization %s: %w", id, err)
		}
		if c.Organization != "" && v.Seals == 0 && v.Broken == "" {
			if err := knownOrganization(p.ctx, s, id); err != nil {
				return err
			}
		}
		var l models.LedgerResult
		if v.Broken == "" { // the leaves are in the trail
			if l, err = s.Ledger.Verify(p.ctx, id, v.CoveredFrom); err != nil {
				return fmt.Errorf("ledger of organization %s: %w", id, err)
			}
		}
		// guard: ledger: the mark of an organization cannot be left out
		if !coverage.Open && v.Seals > 0 && v.CoveredFrom == 0 && id != models.InstallationAudit && v.Broken == "" {
			v.Broken = "no seal has the mark of the ledger"
		}
		line := auditLine{
			Organization: id, Rows: v.Rows, Seals: v.Seals, Head: hex.EncodeToString(v.Head), Versions: l.Versions,
			Decisions: l.Decisions, Returns: l.Returns, Undecided: l.Undecided, CoveredFrom: v.CoveredFrom,
			NotCovered: l.NotCovered, FirstNotCovered: l.FirstNotCovered, Broken: cmp.Or(v.Broken, l.Broken),
		}
		if line.Broken != "" {
			broken++
		}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	if broken > 0 {
		return fmt.Errorf("the audit trails of %d of %d organizations are broken", broken, len(ids))
	}
	return nil
}

// trails are the organizations whose trails are verified.
func (c auditVerifyCmd) trails(p *program, s *store.Store, heads map[string]*models.AuditHead) ([]string, error) {
	if c.Organization != "" {
		return []string{c.Organization}, nil
	}
	ids, err := s.Audit.AuditedOrganizations(p.ctx)
	for id := range heads { // also one that is not there any more
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// readHeads reads what an earlier run printed; none without a file.
func readHeads(path string) (map[string]*models.AuditHead, error) {
	heads := map[string]*models.AuditHead{}
	if path == "" {
		return heads, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		var line auditLine
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("%s, line %d: not a line of levy audit verify", path, n)
		}
		seal, err := hex.DecodeString(line.Head)
		if err != nil || line.Organization == "" {
			return nil, fmt.Errorf("%s, line %d: not a line of levy audit verify", path, n)
		}
		if line.Seals > 0 {
			heads[line.Organization] = &models.AuditHead{Number: line.Seals, Seal: seal}
		}
	}
	return heads, lines.Err()
}

// staff is who runs this command, for the audit trail: the user of the machine.
func staff() models.Actor {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return models.Actor{Staff: u.Username}
	}
	return models.Actor{Staff: models.UnnamedStaff}
}

// note writes into the trail of the installation what a command is about to do: what cannot be noted is not
// done.
func note(p *program, s *store.Store, action, what, id string) error {
	return s.Organizations.AuditOperator(p.ctx, staff(), action, what, id)
}
