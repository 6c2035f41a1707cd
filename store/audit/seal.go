package audit

import (
	"context"
	"encoding/binary"
	"strings"
	"time"

	"levy/models/ledger"
	"levy/store/pg"
)

// Sealer computes and checks seals with keys that the database does not have.
type Sealer interface {
	// Current returns the id of the master key of new seals.
	Current() string
	// Seal returns the seal of content, and the id of its master key.
	Seal(content []byte) (masterKeyID string, seal []byte)
	// Holds reports whether a seal belongs to content, and whether its master key is known.
	Holds(masterKeyID string, content, seal []byte) (holds, known bool)
}

const (
	// maxStatements and maxRows limit the entries that are taken from the queue at a time. An entry has the rows of one
	// statement. The entry that exceeds the limit is the last.
	maxStatements = 1000
	maxRows       = 10_000
	// maxRowsOfSeal is the most rows of a seal.
	maxRowsOfSeal = 1000
	// digestSize is the length of the digest of a row in bytes.
	digestSize = 32
)

// digest is the SHA-256 of a row `a` of the trail, over all columns with a value. So a column that is added later does
// not change the digests of earlier rows. The digest of a missing row is all zeros.
const digest = `CASE WHEN a.id IS NULL THEN decode(repeat('00', 32), 'hex')
                     ELSE sha256(convert_to(jsonb_strip_nulls(to_jsonb(a)
	|| jsonb_build_object('at', (extract(epoch FROM a.at) * 1000000)::bigint, 'detail', a.detail::text))::text, 'UTF8'))
                     END`

// takeUnsealed takes rows from the queue, by organization, with the last seal of each.
const takeUnsealed = `
	WITH taken AS (
	  DELETE FROM audit_unsealed WHERE ctid = ANY (ARRAY(
	    SELECT q.ctid FROM (SELECT u.ctid, sum(cardinality(u.ids)) OVER (ORDER BY u.ctid) - cardinality(u.ids) AS before
	                          FROM (SELECT ctid, ids FROM audit_unsealed LIMIT $1) u) q
	     WHERE q.before < $2))
	  RETURNING organization_ids, ids),
	rows AS (
	  SELECT n.organization_id, array_agg(n.id ORDER BY n.id COLLATE "C") AS ids,
	         string_agg(` + digest + `, ''::bytea ORDER BY n.id COLLATE "C") AS digests
	    FROM taken t
	    CROSS JOIN LATERAL unnest(t.organization_ids, t.ids) AS n (organization_id, id)
	    LEFT JOIN LATERAL (SELECT * FROM audit x
	                        WHERE x.organization_id = n.organization_id AND x.id = n.id OFFSET 0) a ON true
	   GROUP BY n.organization_id)
	SELECT r.organization_id, r.ids, r.digests, coalesce(l.number, 0), l.seal, (SELECT count(*) FROM taken)
	  FROM rows r
	  LEFT JOIN LATERAL (SELECT number, seal FROM audit_seals s WHERE s.organization_id = r.organization_id
	                      ORDER BY number DESC LIMIT 1) l ON true`

var insertSeals = pg.Prepare(`
	INSERT INTO audit_seals (organization_id, number, ids, digests, leaves, master_key_id, seal)
	SELECT organization_id, number, string_to_array(ids, ' '), digests, leaves, master_key_id, seal FROM {link}`, nil, linkRows)

var linkRows = pg.RowsOf("link",
	pg.Col("organization_id", "text", func(l *link) *string { return &l.organizationID }),
	pg.Col("number", "bigint", func(l *link) *string { return pg.Integer(int(l.number)) }),
	pg.Col("ids", "text", func(l *link) *string { return pg.Text(strings.Join(l.ids, " ")) }),
	pg.BytesCol("digests", func(l *link) []byte { return l.digests }),
	pg.BytesCol("leaves", func(l *link) []byte { return l.leaves }),
	pg.Col("master_key_id", "text", func(l *link) *string { return &l.masterKeyID }),
	pg.BytesCol("seal", func(l *link) []byte { return l.seal }),
)

// link is a link of the chain of an organization.
type link struct {
	organizationID string
	number         int64
	ids            []string
	digests        []byte
	leaves         []byte // of the ledger, one after the other; nil for none
	masterKeyID    string
	seal           []byte
}

// content returns the sealed bytes of a link: the previous seal and all fields of the link.
func (l *link) content(before []byte) []byte {
	b := append([]byte{}, before...)
	b = append(b, l.organizationID+"\n"...)
	b = binary.BigEndian.AppendUint64(b, uint64(l.number))
	b = append(b, strings.Join(l.ids, " ")+"\n"...)
	b = append(b, l.digests...)
	// guard: ledger: a seal covers its leaves; releases before had none
	if l.leaves != nil {
		b = append(b, "\nleaves\n"...)
		b = append(b, l.leaves...)
	}
	return b
}

// chains makes the links of chains. covers reports whether a new chain begins with the mark of the ledger.
type chains struct {
	sealer Sealer
	db     *pg.DB
	covers bool
}

// next appends links with rows and leaves to the last link of an organization.
func (c chains) next(ctx context.Context, last link, ids []string, digests, leaves []byte) ([]link, error) {
	if last.number == 0 && c.covers {
		mark, err := markOf(ctx, c.db, last.organizationID)
		if err != nil {
			return nil, err
		}
		leaves = append(mark, leaves...)
	}
	var links []link
	for len(ids) > 0 || len(leaves) > 0 {
		n, m := min(len(ids), maxRowsOfSeal), min(len(leaves), maxRowsOfSeal*ledger.Size)
		next := link{
			organizationID: last.organizationID, number: last.number + 1, ids: ids[:n:n],
			digests: append([]byte{}, digests[:n*digestSize]...),
		}
		if m > 0 {
			next.leaves = leaves[:m]
		}
		next.masterKeyID, next.seal = c.sealer.Seal(next.content(last.seal))
		links, last = append(links, next), next
		ids, digests, leaves = ids[n:], digests[n*digestSize:], leaves[m:]
	}
	return links, nil
}

// Seal seals the queue, or a part of a long one. more reports that rows are left. It does nothing while another process
// seals.
func (s *Store) Seal(ctx context.Context, sealer Sealer) (more bool, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		var mine, covers bool
		err := s.db.QueryRow(ctx, "SELECT "+pg.LockSeals.Try()+", "+coversNew).Scan(&mine, &covers)
		if err != nil || !mine {
			return err
		}
		leaves, moreLeaves, err := s.takeLeaves(ctx)
		if err != nil {
			return err
		}
		chains := chains{sealer, s.db, covers}
		links, statements, err := s.take(ctx, chains, leaves)
		if err != nil {
			return err
		}
		rows := 0
		for _, l := range links {
			rows += len(l.ids)
		}
		more = statements == maxStatements || rows >= maxRows || moreLeaves
		alone, err := s.withoutRows(ctx, chains, leaves)
		if err != nil {
			return err
		}
		return s.insert(ctx, append(links, alone...))
	})
	return more && err == nil, err
}

// take takes the rows of some statements from the queue and returns their links. The leaves of the same organizations
// join them and leave the map.
func (s *Store) take(
	ctx context.Context, chains chains, leaves map[string][]byte,
) (links []link, statements int, err error) {
	rows, err := s.db.Query(ctx, takeUnsealed, maxStatements, maxRows)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var last link
		var ids []string
		var digests []byte
		if err := rows.Scan(&last.organizationID, &ids, &digests, &last.number, &last.seal, &statements); err != nil {
			return nil, 0, err
		}
		next, err := chains.next(ctx, last, ids, digests, leaves[last.organizationID])
		if err != nil {
			return nil, 0, err
		}
		links = append(links, next...)
		delete(leaves, last.organizationID)
	}
	return links, statements, rows.Err()
}

func (s *Store) insert(ctx context.Context, links []link) error {
	if len(links) == 0 {
		return nil
	}
	_, err := s.db.Exec(ctx, insertSeals.SQL, insertSeals.Values(nil, linkRows.Of(links))...)
	return err
}

// sealInterval is how often a process seals. A seal costs the same for one row and for a thousand.
const sealInterval = 5 * time.Second

// KeepSealed seals new rows until ctx ends. Every process calls it; one at a time works.
func (s *Store) KeepSealed(ctx context.Context, sealer Sealer) {
	pg.Repeat(ctx, "sealing the audit trail", sealInterval,
		func(ctx context.Context) (bool, error) { return s.Seal(ctx, sealer) })
}

// SealAll seals the whole queue. Errors: models.ErrUnavailable, and that of ctx.
func (s *Store) SealAll(ctx context.Context, sealer Sealer) error {
	for {
		more, err := s.Seal(ctx, sealer)
		if err != nil || !more {
			return err
		}
	}
}
