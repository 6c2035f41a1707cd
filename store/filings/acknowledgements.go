package filings

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/internal/secret"
	"levy/models"
	"levy/store/pg"
)

// acknowledgementField is what a message is bound to when it is encrypted.
const acknowledgementField = "acknowledgements"

// holdTime is how long a caller holds a queue without a sign of life. It exceeds the time of one call of an authority.
const holdTime = "interval '1 minute'"

// holdQueue holds a queue unless another caller does, or it was asked for less than $4 microseconds ago. Times in the future are of
// a clock that was wrong. Each time is that after the wait for the row: now() and excluded would be from before it.
const holdQueue = `
	INSERT INTO acknowledgement_queues AS q (authority, transmitter, holder, held_until, asked_at, unsure)
	VALUES ($1, $2, $3, clock_timestamp() + ` + holdTime + `, clock_timestamp(), false)
	ON CONFLICT (authority, transmitter) DO UPDATE
	   SET holder = excluded.holder, held_until = clock_timestamp() + ` + holdTime + `, asked_at = clock_timestamp()
	 WHERE /* guard: acknowledgements: one caller reads a queue */ (q.holder IS NULL OR
	       q.held_until NOT BETWEEN clock_timestamp() AND clock_timestamp() + ` + holdTime + `)
	   AND q.asked_at NOT BETWEEN clock_timestamp() - $4 * interval '1 microsecond' AND clock_timestamp()
	RETURNING unsure`

// HoldQueue has a caller hold a queue, unless another one does or it was asked for less than a pause ago. unsure tells that a
// message may have been handed out that is not stored.
func (s *Store) HoldQueue(
	ctx context.Context, q models.AcknowledgementQueue, holder string, pause time.Duration,
) (held, unsure bool, err error) {
	err = s.db.QueryRow(ctx, holdQueue, q.Authority, q.Transmitter, holder, pause.Microseconds()).Scan(&unsure)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, false, nil
	}
	return err == nil, unsure, pg.Translate(err)
}

// RenewQueue notes that the holder of a queue asks for the next message now. Errors: models.ErrChangedMeanwhile if it holds the
// queue no more.
func (s *Store) RenewQueue(ctx context.Context, q models.AcknowledgementQueue, holder string) error {
	tag, err := s.db.Exec(ctx, `UPDATE acknowledgement_queues SET held_until = clock_timestamp() + `+holdTime+`, unsure = true
		WHERE authority = $1 AND transmitter = $2 AND holder = $3`, q.Authority, q.Transmitter, holder)
	if err == nil && tag.RowsAffected() == 0 {
		return models.ErrChangedMeanwhile
	}
	return pg.Translate(err)
}

// ReleaseQueue ends the hold of a queue. done tells that nothing was handed out that is not stored. Unless it was asked, there is no
// pause before it is asked for again.
func (s *Store) ReleaseQueue(ctx context.Context, q models.AcknowledgementQueue, holder string, done, asked bool) error {
	_, err := s.db.Exec(ctx, `UPDATE acknowledgement_queues SET holder = NULL, held_until = NULL, unsure = unsure AND NOT $4,
		asked_at = CASE WHEN $5 THEN asked_at ELSE to_timestamp(0) END
		WHERE authority = $1 AND transmitter = $2 AND holder = $3`, q.Authority, q.Transmitter, holder, done, asked)
	return pg.Translate(err)
}

// KeepAcknowledgement stores a message once, with the organization of its document. It returns one of
// models.AcknowledgementResults: a message of no document is foreign. One with a fault that comes again has the time of its last
// arrival, because the same bytes may answer a later document.
func (s *Store) KeepAcknowledgement(
	ctx context.Context, q models.AcknowledgementQueue, a models.Acknowledgement,
) (result string, err error) {
	ctx = models.AcrossOrganizations(ctx)
	if a.Fault == "" {
		err := s.db.QueryRow(ctx, "SELECT organization_id FROM filing_documents WHERE transmitter = $1 AND transmission_id = $2",
			q.Transmitter, a.TransmissionID).Scan(&a.OrganizationID)
		switch {
		// guard: acknowledgements: one of no document is foreign
		case errors.Is(err, pgx.ErrNoRows):
			a.Fault = models.AcknowledgementForeign
		case err != nil:
			return "", pg.Translate(err)
		}
	}
	first, err := s.keepAcknowledgement(ctx, q, a)
	switch {
	case err != nil:
		return "", err
	case !first:
		return models.AcknowledgementRepeated, nil
	case a.Fault != "":
		return a.Fault, nil
	}
	return models.AcknowledgementKept, nil
}

// AddAcknowledgement stores a message to a document, which a person has brought. A repetition changes nothing.
func (s *Store) AddAcknowledgement(
	ctx context.Context, scope models.Scope, authority string, d models.FilingDocument, message []byte,
) error {
	_, err := s.keepAcknowledgement(ctx, models.AcknowledgementQueue{Authority: authority, Transmitter: d.Transmitter},
		models.Acknowledgement{OrganizationID: scope.OrganizationID, TransmissionID: d.TransmissionID, Message: message})
	return err
}

// keepAcknowledgement stores a message once. first tells that it is new.
func (s *Store) keepAcknowledgement(
	ctx context.Context, q models.AcknowledgementQueue, a models.Acknowledgement,
) (first bool, err error) {
	key, err := s.db.LoadTaxIDKey(ctx)
	if err != nil {
		return false, err
	}
	sum := sha256.Sum256(a.Message)
	// guard: acknowledgements: what is stored of one is encrypted
	message := key.DocumentKey(a.OrganizationID).Seal(acknowledgementField, a.Message)
	err = s.db.QueryRow(ctx, `
		INSERT INTO acknowledgements (authority, transmitter, sha256, organization_id, transmission_id, fault, message)
		VALUES ($1, $2, $3, $4, nullif($5, ''), nullif($6, ''), $7)
		ON CONFLICT (authority, transmitter, sha256) DO UPDATE SET received_at = now() WHERE acknowledgements.fault IS NOT NULL
		RETURNING xmax = 0`,
		q.Authority, q.Transmitter, hex.EncodeToString(sum[:]), a.OrganizationID, a.TransmissionID, a.Fault, message).Scan(&first)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return first, pg.Translate(err)
}

// mostAcknowledgements is how many messages are read of a transmission. A state answers each transmission once.
const mostAcknowledgements = 100

// selectAcknowledgements selects the messages to a document, and those with a fault that came since it was built. Each of them may
// have been the answer.
var selectAcknowledgements = fmt.Sprintf(`
	SELECT coalesce(transmission_id, ''), coalesce(fault, ''), message, sha256, received_at FROM acknowledgements
	 WHERE organization_id = $1 AND authority = $2 AND transmitter = $3
	   AND (transmission_id = $4 OR fault IS NOT NULL AND received_at >= $5)
	 ORDER BY (transmission_id = $4) IS NOT TRUE, received_at, sha256 LIMIT %d`, mostAcknowledgements)

// AcknowledgementsOf returns the stored messages of an authority to a document, then those that cannot be read and came since it was
// built. Errors: secret.ErrUnreadable.
func (s *Store) AcknowledgementsOf(
	ctx context.Context, scope models.Scope, authority string, d models.FilingDocument,
) ([]models.Acknowledgement, error) {
	return s.acknowledgements(ctx, scope, selectAcknowledgements, authority, d.Transmitter, d.TransmissionID, d.BuiltAt)
}

// selectAcknowledgementsTo selects the messages to a document of all authorities.
var selectAcknowledgementsTo = fmt.Sprintf(`
	SELECT transmission_id, coalesce(fault, ''), message, sha256, received_at FROM acknowledgements
	 WHERE organization_id = $1 AND transmitter = $2 AND transmission_id = $3
	 ORDER BY received_at, sha256 LIMIT %d`, mostAcknowledgements)

// AcknowledgementsTo returns the stored messages to a document, the oldest first. Errors: secret.ErrUnreadable.
func (s *Store) AcknowledgementsTo(
	ctx context.Context, scope models.Scope, d models.FilingDocument,
) ([]models.Acknowledgement, error) {
	return s.acknowledgements(ctx, scope, selectAcknowledgementsTo, d.Transmitter, d.TransmissionID)
}

func (s *Store) acknowledgements(
	ctx context.Context, scope models.Scope, sql string, args ...any,
) (found []models.Acknowledgement, err error) {
	rows, err := s.db.Query(ctx, sql, append([]any{scope.OrganizationID}, args...)...)
	a := models.Acknowledgement{OrganizationID: scope.OrganizationID}
	var sum string
	var sums []string
	err = pg.ForEach(rows, err, []any{&a.TransmissionID, &a.Fault, &a.Message, &sum, &a.ReceivedAt}, func() error {
		found, sums = append(found, a), append(sums, sum)
		return nil
	})
	if err != nil || len(found) == 0 {
		return nil, pg.Translate(err)
	}
	key, err := s.db.LoadTaxIDKey(ctx)
	if err != nil {
		return nil, err
	}
	documentKey := key.DocumentKey(scope.OrganizationID)
	for i := range found {
		m := &found[i].Message
		if *m, err = documentKey.Open(acknowledgementField, *m); err != nil {
			return nil, err
		}
		if digest := sha256.Sum256(*m); hex.EncodeToString(digest[:]) != sums[i] {
			return nil, fmt.Errorf("%w: an acknowledgement has another hash", secret.ErrUnreadable)
		}
	}
	return found, nil
}

// QueueNames say which queues there are, and how their authorities are named: Prefix, the state, and for organizations that are not
// for tests LiveSuffix. Layout begins the layouts of documents that are answered by queues.
type QueueNames struct{ Prefix, LiveSuffix, Layout string }

// queuesToRead selects the queues with documents of the last months, with each organization that has sent by one: not all of them
// have a password. A queue is not asked a second time within its pause.
const queuesToRead = `
	SELECT DISTINCT $1 || f.state_code || CASE WHEN o.is_test THEN '' ELSE $2 END, d.transmitter, d.organization_id
	  FROM filing_documents d JOIN filings f ON f.organization_id = d.organization_id AND f.id = d.filing_id
	  JOIN organizations o ON o.id = d.organization_id
	 WHERE starts_with(d.layout, $3) AND d.built_at >= now() - interval '90 days'
	 ORDER BY 1, 2, 3 LIMIT $4 OFFSET $5`

// QueuesToRead returns up to n queues after a number of them, in their order. They are of transmitters with documents that were
// built in the last 90 days. It crosses organizations.
func (s *Store) QueuesToRead(ctx context.Context, names QueueNames, after, n int) (found []models.QueueToRead, err error) {
	rows, err := s.db.Query(models.AcrossOrganizations(ctx), queuesToRead, names.Prefix, names.LiveSuffix, names.Layout, n, after)
	return pg.Collect(rows, err, func(row pgx.CollectableRow) (q models.QueueToRead, err error) {
		return q, row.Scan(&q.Authority, &q.Transmitter, &q.OrganizationID)
	})
}
