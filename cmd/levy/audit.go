package main

import (
	"bufio"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/user"
	"slices"

	"levy/internal/progress"
	"levy/internal/secret"
	"levy/models"
	"levy/store"
)

type auditCmd struct {
	Cover  auditCoverCmd  `cmd:"" help:"Give transactions and filed returns of earlier releases their leaf in the ledger, while the service runs and no process of such a release does. May be repeated."`
	List   auditListCmd   `cmd:"" help:"List entries of an audit trail, the latest first, as lines of JSON."`
	Verify auditVerifyCmd `cmd:"" help:"Say whether the audit trail is complete and unchanged, and so the transactions and filed returns that it tells of, and what is broken first where they are not."`
}

type auditCoverCmd struct{ jsonFlag }

// Run gives records of earlier releases their leaf, and says how far it is after each organization.
func (c auditCoverCmd) Run(p *program) error {
	return withKeys(p, func(s *store.Store, ring *secret.Ring) error {
		return tell(p, c.jsonFlag, func(p *program) (*models.LedgerCoverage, error) { return c.cover(p, s, secret.NewSealer(ring)) })
	})
}

func (auditCoverCmd) cover(p *program, s *store.Store, sealer *secret.Sealer) (*models.LedgerCoverage, error) {
	if err := note(p, s, models.AuditSeal, "ledger", models.InstallationAudit); err != nil {
		return nil, err
	}
	if err := s.Audit.SealAll(p.ctx, sealer); err != nil {
		return nil, fmt.Errorf("seal what waits: %w", err)
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
		return nil, err
	}
	if err := s.Audit.SealAll(p.ctx, sealer); err != nil {
		return nil, fmt.Errorf("seal the leaves: %w", err)
	}
	coverage, err := s.Ledger.Coverage(p.ctx)
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintln(p.stdout, "the ledger covers all organizations")
	return &coverage, err
}

type auditVerifyCmd struct {
	jsonFlag

	Organization string `arg:"" optional:"" help:"Id of an organization; without it all are verified."`
	Heads        string `help:"What an earlier run printed without --json: the seals it names must still be there. Only this shows that the end of a trail was cut off." type:"existingfile" placeholder:"FILE"`
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

// auditVerified are the trails that were verified, for programs.
type auditVerified struct {
	Trails []auditLine `json:"trails"`
}

// errBroken says that an audit trail is broken.
var errBroken = errors.New("audit trails are broken")

// Run prints a line of JSON for each organization, and fails when a trail is broken.
func (c auditVerifyCmd) Run(p *program) error {
	return withKeys(p, func(s *store.Store, ring *secret.Ring) error {
		return tell(p, c.jsonFlag, func(p *program) (*auditVerified, error) { return c.verify(p, s, secret.NewSealer(ring)) })
	})
}

func (c auditVerifyCmd) verify(p *program, s *store.Store, sealer *secret.Sealer) (*auditVerified, error) {
	heads, err := readHeads(c.Heads)
	if err != nil {
		return nil, err
	}
	if err := s.Audit.SealAll(p.ctx, sealer); err != nil {
		return nil, fmt.Errorf("seal what waits: %w", err)
	}
	ids, err := c.trails(p, s, heads)
	if err != nil {
		return nil, err
	}
	coverage, err := s.Ledger.Coverage(p.ctx)
	if err != nil {
		return nil, err
	}
	found := &auditVerified{Trails: []auditLine{}}
	encoder, broken := json.NewEncoder(p.stdout), 0
	shown := progress.Begin(p.progressTo, "Audit trails", progress.Items, int64(len(ids)))
	defer shown.End()
	for _, id := range ids {
		line, err := c.verifyOne(p, s, sealer, id, heads[id], coverage)
		if err != nil {
			return nil, err
		}
		shown.Add(1)
		if line.Broken != "" {
			broken++
		}
		if err := encoder.Encode(line); err != nil {
			return nil, err
		}
		if c.JSON {
			found.Trails = append(found.Trails, line)
		}
	}
	if broken > 0 {
		return found, fmt.Errorf("%w: %d of %d", errBroken, broken, len(ids))
	}
	return found, nil
}

// verifyOne verifies the trail of one organization, and its ledger.
func (c auditVerifyCmd) verifyOne(
	p *program, s *store.Store, sealer *secret.Sealer, id string, head *models.AuditHead, coverage models.LedgerCoverage,
) (auditLine, error) {
	v, err := s.Audit.VerifyAudit(p.ctx, sealer, id, head)
	if err != nil {
		return auditLine{}, fmt.Errorf("organization %s: %w", id, err)
	}
	if c.Organization != "" && v.Seals == 0 && v.Broken == "" {
		if err := knownOrganization(p.ctx, s, id); err != nil {
			return auditLine{}, err
		}
	}
	var l models.LedgerResult
	if v.Broken == "" { // the leaves are in the trail
		if l, err = s.Ledger.Verify(p.ctx, id, v.CoveredFrom); err != nil {
			return auditLine{}, fmt.Errorf("ledger of organization %s: %w", id, err)
		}
	}
	// guard: ledger: the mark of an organization cannot be left out
	if !coverage.Open && v.Seals > 0 && v.CoveredFrom == 0 && id != models.InstallationAudit && v.Broken == "" {
		v.Broken = "no seal has the mark of the ledger"
	}
	return auditLine{
		Organization: id, Rows: v.Rows, Seals: v.Seals, Head: hex.EncodeToString(v.Head), Versions: l.Versions,
		Decisions: l.Decisions, Returns: l.Returns, Undecided: l.Undecided, CoveredFrom: v.CoveredFrom,
		NotCovered: l.NotCovered, FirstNotCovered: l.FirstNotCovered, Broken: cmp.Or(v.Broken, l.Broken),
	}, nil
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
