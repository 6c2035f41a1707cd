package audit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"

	"github.com/jackc/pgx/v5"

	"levy/internal/failpoint"
	"levy/models"
	"levy/store/pg"
)

// The links of a chain stay as they were sealed. A newer master key seals ranges of links again (audit_reseals), each
// after its links were verified. So the older key can go. Where it is kept, it proves the links as before.

// reseal is the seal of a newer master key over the links from first to last.
type reseal struct {
	masterKeyID  string
	first, last  int64
	digest, seal []byte
}

// content returns the sealed bytes. No content of a link begins like this.
func (r *reseal) content(organizationID string) []byte {
	b := append([]byte("levy seals again v1\x00"), organizationID+"\n"...)
	b = binary.BigEndian.AppendUint64(b, uint64(r.first))
	b = binary.BigEndian.AppendUint64(b, uint64(r.last))
	return append(b, r.digest...)
}

// addLink adds a link to the digest of a range. before is the seal of the previous link.
func addLink(sum hash.Hash, l *link, before []byte) {
	content := l.content(before)
	sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(content))))
	sum.Write(content)
	sum.Write(l.seal)
}

// reseals are those of known master keys over one chain, during its verification.
type reseals struct {
	ahead []reseal // by first
	open  []openReseal
}

type openReseal struct {
	reseal
	sum hash.Hash
}

const resealsOf = `
	SELECT master_key_id, first, last, digest, seal FROM audit_reseals
	 WHERE organization_id = $1 AND first > $2 ORDER BY first, master_key_id`

// readReseals reads those of known keys that begin after the last link.
func (v *verification) readReseals(ctx context.Context, tx pg.Querier) error {
	rows, err := tx.Query(ctx, resealsOf, v.last.organizationID, v.last.number)
	var r reseal
	return pg.ForEach(rows, err, []any{&r.masterKeyID, &r.first, &r.last, &r.digest, &r.seal}, func() error {
		if _, known := v.sealer.Holds(r.masterKeyID, nil, nil); known {
			v.again.ahead = append(v.again.ahead, r)
		}
		r.digest, r.seal = nil, nil
		return nil
	})
}

// begin opens the ranges that begin with a link.
func (r *reseals) begin(number int64) {
	for len(r.ahead) > 0 && r.ahead[0].first == number {
		r.open = append(r.open, openReseal{r.ahead[0], sha256.New()})
		r.ahead = r.ahead[1:]
	}
}

// covers reports whether the link that was begun with is in a range.
func (r *reseals) covers() bool { return len(r.open) > 0 }

// add adds the link that was begun with, and returns the fault of a range that ends with it; "" for none.
func (r *reseals) add(sealer Sealer, l *link, before []byte) string {
	open := r.open[:0]
	for _, o := range r.open {
		addLink(o.sum, l, before)
		if o.last != l.number {
			open = append(open, o)
			continue
		}
		holds, _ := sealer.Holds(o.masterKeyID, o.content(l.organizationID), o.seal)
		// guard: reseals: a range is what it was when it was sealed again
		if !holds || !bytes.Equal(o.sum.Sum(nil), o.digest) {
			return fmt.Sprintf("seals %d to %d are not those that master key %s has sealed again", o.first, o.last, o.masterKeyID)
		}
	}
	r.open = open
	return ""
}

// faultOfEnd returns the fault of a chain that ends before a range; "" for none.
func (r *reseals) faultOfEnd() string {
	for _, o := range r.open {
		return fmt.Sprintf("seal %d, which master key %s has sealed again, is missing", o.last, o.masterKeyID)
	}
	for _, a := range r.ahead {
		return fmt.Sprintf("seal %d, which master key %s has sealed again, is missing", a.last, a.masterKeyID)
	}
	return ""
}

// trails are the chains of the organizations and of the installation, with the last link that the key $1 has sealed
// again.
const trails = `
	FROM (SELECT id::text FROM organizations UNION ALL SELECT '` + models.InstallationAudit + `') o (id)
	CROSS JOIN LATERAL (SELECT max(r.last) AS covered FROM audit_reseals r
	                     WHERE r.organization_id = o.id AND r.master_key_id = $1) c`

// leftOver is the condition on a chain of trails that it has links of other keys after those that $1 has sealed again. It
// asks for each key of the chain, because links of $1 may follow each other for long.
const leftOver = `CASE WHEN c.covered IS NULL THEN EXISTS (SELECT FROM audit_seals s WHERE s.organization_id = o.id)
	  ELSE EXISTS (
	    WITH RECURSIVE k (id) AS (
	      SELECT min(s.master_key_id::text) FROM (SELECT master_key_id FROM audit_seals s WHERE s.organization_id = o.id
	                                               ORDER BY master_key_id LIMIT 1) s
	       UNION ALL
	      SELECT (SELECT s.master_key_id::text FROM audit_seals s WHERE s.organization_id = o.id AND s.master_key_id > k.id
	               ORDER BY s.master_key_id LIMIT 1) FROM k WHERE k.id IS NOT NULL)
	    SELECT FROM k CROSS JOIN LATERAL (SELECT FROM audit_seals s
	      WHERE s.organization_id = o.id AND s.master_key_id = k.id AND s.number > c.covered LIMIT 1) s
	     WHERE k.id <> $1) END`

// nextToReseal selects the next chain with links of other keys that the key has not sealed again. A chain without any
// range is read once, also if all its links are of the key. Its range then says that nothing is left before its end.
const nextToReseal = `SELECT o.id, coalesce(c.covered, 0) ` + trails + `
	 WHERE o.id > $2 AND ` + leftOver + `
	 ORDER BY o.id LIMIT 1`

// Resealed is a step of sealing again.
type Resealed struct {
	OrganizationID string // empty if no chain after the last one has links to seal again
	Links          int64
	Broken         string // why nothing of the chain was sealed; it is verified by levy audit verify
}

// Reseal seals links of the next chain after an organization again, under the current master key of the sealer: about as
// many as most says. Each link is verified before. A step is one database transaction, so it may be interrupted and
// repeated. One process at a time makes steps; the other processes do nothing. It crosses organizations.
func (s *Store) Reseal(ctx context.Context, sealer Sealer, after string, most int64) (done Resealed, err error) {
	ctx = models.AcrossOrganizations(ctx)
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		done = Resealed{}
		var mine bool
		if err := s.db.QueryRow(ctx, "SELECT "+pg.LockReseals.Try()).Scan(&mine); err != nil || !mine {
			return err
		}
		var covered int64
		err := s.db.QueryRow(ctx, nextToReseal, sealer.Current(), after).Scan(&done.OrganizationID, &covered)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		done.Links, done.Broken, err = s.resealSome(ctx, sealer, done.OrganizationID, covered, most)
		if err != nil {
			return err
		}
		return failpoint.Hit("before_reseal_commit")
	})
	if err == nil && done.Links > 0 {
		err = failpoint.Hit("after_reseal_commit")
	}
	return done, pg.Translate(err)
}

// resealRows is after how many rows a batch ends early.
const resealRows = 10_000

// resealSome seals links of a chain again, those after the covered ones. It ends after many rows, but inside no older range.
func (s *Store) resealSome(
	ctx context.Context, sealer Sealer, organizationID string, covered, most int64,
) (links int64, broken string, err error) {
	v := verification{sealer: sealer, last: link{organizationID: organizationID, number: covered}}
	if covered > 0 {
		err := s.db.QueryRow(ctx, "SELECT seal FROM audit_seals WHERE organization_id = $1 AND number = $2", organizationID,
			covered).Scan(&v.last.seal)
		if errors.Is(err, pgx.ErrNoRows) {
			return 0, fmt.Sprintf("seal %d is missing", covered), nil
		}
		if err != nil {
			return 0, "", err
		}
	}
	if err := v.readReseals(ctx, s.db); err != nil {
		return 0, "", err
	}
	made, sum := reseal{masterKeyID: sealer.Current(), first: covered + 1}, sha256.New()
	last, rows := v.again.endOf(made.first, most), int64(0)
	for v.last.number < last {
		next, err := v.next(ctx, s.db)
		if err != nil {
			return 0, "", err
		}
		for i := range next {
			l := &next[i]
			if l.number > last {
				break
			}
			if broken := v.faultOfSeal(l); broken != "" {
				return 0, broken, nil
			}
			if broken := v.again.add(sealer, l, v.last.seal); broken != "" {
				return 0, broken, nil
			}
			addLink(sum, l, v.last.seal)
			v.last, rows = *l, rows+int64(len(l.ids))
			if rows >= s.resealRows && !v.again.covers() {
				last = l.number
				break
			}
		}
		if len(next) == 0 {
			break
		}
	}
	// guard: reseals: links of a missing key are taken over with the whole range that proves them
	if v.again.covers() {
		return 0, v.again.faultOfEnd(), nil
	}
	made.last, made.digest = v.last.number, sum.Sum(nil)
	if made.last < made.first {
		return 0, "", nil
	}
	_, made.seal = sealer.Seal(made.content(organizationID))
	_, err = s.db.Exec(ctx, `INSERT INTO audit_reseals (organization_id, master_key_id, first, last, digest, seal)
		VALUES ($1, $2, $3, $4, $5, $6)`,
		organizationID, made.masterKeyID, made.first, made.last, made.digest, made.seal)
	return made.last - made.first + 1, "", err
}

// endOf returns the last link of a batch that begins with first. No range of an older key ends after it that begins before
// its end, so that links of missing keys are verified by whole ranges.
func (r *reseals) endOf(first, batch int64) int64 {
	last := first + batch - 1
	for _, a := range r.ahead {
		if a.first > last {
			break
		}
		last = max(last, a.last)
	}
	return last
}

// needOfSeals counts the chains that need a master key, and their links that the newest key $1 has not sealed again. A
// chain needs the key $2 for links of it, and for ranges that it has sealed again.
const needOfSeals = `
	SELECT count(*), coalesce(sum(h.number - coalesce(c.covered, 0)), 0)::bigint ` + trails + `
	CROSS JOIN LATERAL (SELECT coalesce(max(s.number), 0) AS number FROM audit_seals s WHERE s.organization_id = o.id) h
	 WHERE h.number > coalesce(c.covered, 0) AND (
	   EXISTS (SELECT FROM audit_seals s WHERE s.organization_id = o.id AND s.number > coalesce(c.covered, 0)
	              AND s.master_key_id = $2)
	   OR EXISTS (SELECT FROM audit_reseals r WHERE r.organization_id = o.id AND r.last > coalesce(c.covered, 0)
	                 AND r.master_key_id = $2))`

// SealsThatNeed returns how many links need a master key, of how many chains, where newest is the newest one. A chain
// counts with all its links that newest has not sealed again. It crosses organizations.
func (s *Store) SealsThatNeed(ctx context.Context, newest, masterKeyID string) (chains, links int64, err error) {
	err = s.db.InSnapshot(models.AcrossOrganizations(ctx), func(ctx context.Context, tx pg.Querier) error {
		return tx.QueryRow(ctx, needOfSeals, newest, masterKeyID).Scan(&chains, &links)
	})
	return chains, links, pg.Translate(err)
}

const leftToReseal = `
	SELECT coalesce(sum(h.number - coalesce(c.covered, 0)), 0)::bigint ` + trails + `
	CROSS JOIN LATERAL (SELECT coalesce(max(s.number), 0) AS number FROM audit_seals s WHERE s.organization_id = o.id) h
	 WHERE ` + leftOver

// LeftToReseal returns how many links the key has not sealed again, of chains that have some. It crosses organizations.
func (s *Store) LeftToReseal(ctx context.Context, masterKeyID string) (links int64, err error) {
	err = s.db.InSnapshot(models.AcrossOrganizations(ctx), func(ctx context.Context, tx pg.Querier) error {
		return tx.QueryRow(ctx, leftToReseal, masterKeyID).Scan(&links)
	})
	return links, pg.Translate(err)
}
