package idempotency

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/internal/failpoint"
	"levy/models"
	"levy/store/pg"
)

// Once runs effect unless it has run before, and then returns the stored answer. The store's changes in the context of
// effect are committed together with the answer. effect returns nil for a refused request, whose changes are rolled
// back.
//
// Errors: models.ErrKeyInUse, without waiting, while another request with the key runs in any process;
// models.ErrKeyReused; models.ErrAnswerErased; models.ErrUnavailable (nothing was written); models.ErrOutcomeUnknown.
func (s *Store) Once(
	ctx context.Context, claim models.Claim, effect func(context.Context) *models.Answer,
) (replay *models.Answer, err error) {
	done := false
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if replay, err = s.claimAnswer(ctx, claim); replay != nil || err != nil {
			return err
		}
		answer := effect(ctx)
		if answer == nil {
			return pg.ErrRollback
		}
		if err := failpoint.Hit("before_answer_commit"); err != nil {
			return err
		}
		// The effect has happened, so a disconnected client is no reason to undo it.
		ctx, cancel := pg.Detached(ctx)
		defer cancel()
		kept, err := s.seal(ctx, claim, answer)
		if err != nil {
			return err
		}
		_, err = s.db.Exec(ctx, insertAnswer, claim.OrganizationID, claim.KeyHash, claim.Fingerprint, models.AnswersKept,
			kept.status, kept.body, kept.sealedStatus, kept.sealedBody, kept.about)
		done = err == nil
		return err
	})
	if errors.Is(err, pg.ErrRollback) {
		return nil, nil
	}
	if err == nil && done {
		err = failpoint.Hit("after_answer_commit")
	}
	return replay, err
}

// claimAnswer locks the key until the end of the database transaction, and returns the stored answer. The look-up is a
// statement after the lock, so it sees the changes of the request that had the lock before.
func (s *Store) claimAnswer(ctx context.Context, claim models.Claim) (*models.Answer, error) {
	var free bool
	batch := &pgx.Batch{}
	batch.Queue("SELECT "+pg.LockAnswer.Try("$1"), lockOf(claim)).QueryRow(func(row pgx.Row) error { return row.Scan(&free) })
	found := queueFind(batch, claim)
	if err := s.db.SendBatch(ctx, batch).Close(); err != nil {
		return nil, err
	}
	// guard: idempotency: one request with a key at a time
	if !free {
		return nil, models.ErrKeyInUse
	}
	return s.decide(ctx, claim, found)
}

const insertAnswer = `
	INSERT INTO idempotency_keys (organization_id, key_hash, fingerprint, expires_at, status, body, sealed_status,
	                              sealed_body, sealed_about)
	VALUES ($1, $2, $3, now() + $4, $5, $6, $7, $8, $9)
	ON CONFLICT (organization_id, key_hash) DO UPDATE SET fingerprint = excluded.fingerprint, status = excluded.status,
	   body = excluded.body, sealed_status = excluded.sealed_status, sealed_body = excluded.sealed_body,
	   sealed_about = excluded.sealed_about, lease = NULL, created_at = now(), expires_at = excluded.expires_at
	 WHERE idempotency_keys.expires_at <= now()`

// nonTransactionalLease is longer than any request takes.
const nonTransactionalLease = 30 * time.Second

// OnceNonTransactional is Once for an effect that is committed elsewhere, such as by a workflow, and that can be
// repeated. The answer is stored after the effect. If the process dies in between, the key is in use until its lease
// ends, and the request is then run again. It ignores a lease that is further ahead than possible,
// because a clock was wrong.
func (s *Store) OnceNonTransactional(
	ctx context.Context, claim models.Claim, effect func(context.Context) *models.Answer,
) (replay *models.Answer, err error) {
	token := rand.Text()
	if replay, err := s.takeLease(ctx, claim, token); replay != nil || err != nil {
		return replay, err
	}
	answer := effect(ctx)
	ctx, cancel := pg.Detached(ctx)
	defer cancel()
	if answer == nil {
		_, err = s.db.OpenTables().Exec(ctx,
			"DELETE FROM idempotency_keys WHERE organization_id = $1 AND key_hash = $2 AND lease = $3",
			claim.OrganizationID, claim.KeyHash, token)
		return nil, pg.Translate(err)
	}
	kept, err := s.seal(ctx, claim, answer)
	if err != nil {
		return nil, err
	}
	_, err = s.db.OpenTables().Exec(ctx, `
		UPDATE idempotency_keys SET status = $5, body = $6, sealed_status = $7, sealed_body = $8,
		       sealed_about = $9, lease = NULL,
		       expires_at = now() + $4
		 WHERE organization_id = $1 AND key_hash = $2 AND lease = $3`,
		claim.OrganizationID, claim.KeyHash, token, models.AnswersKept,
		kept.status, kept.body, kept.sealedStatus, kept.sealedBody, kept.about)
	return nil, pg.Translate(err)
}

// takeLease takes the key for one request, or returns the stored answer.
func (s *Store) takeLease(ctx context.Context, claim models.Claim, token string) (replay *models.Answer, err error) {
	taken, err := s.db.OpenTables().Exec(ctx, `
		INSERT INTO idempotency_keys (organization_id, key_hash, fingerprint, lease, expires_at)
		  VALUES ($1, $2, $3, $4, now() + $5)
		ON CONFLICT (organization_id, key_hash) DO UPDATE SET fingerprint = excluded.fingerprint, status = NULL,
		   body = NULL, sealed_status = NULL, sealed_body = NULL, sealed_about = NULL,
		   lease = excluded.lease, created_at = now(), expires_at = excluded.expires_at
		 WHERE idempotency_keys.expires_at <= now() OR idempotency_keys.lease IS NOT NULL
		       AND idempotency_keys.expires_at > now() + 2 * $5`,
		claim.OrganizationID, claim.KeyHash, claim.Fingerprint, token, nonTransactionalLease)
	if err != nil || taken.RowsAffected() > 0 {
		return nil, pg.Translate(err)
	}
	batch := &pgx.Batch{}
	found := queueFind(batch, claim)
	if err := s.db.OpenTables().SendBatch(ctx, batch).Close(); err != nil {
		return nil, pg.Translate(err)
	}
	if replay, err = s.decide(ctx, claim, found); replay == nil && err == nil {
		err = models.ErrKeyInUse // its lease has just ended
	}
	return replay, err
}

// answerRow is a row of the answers; without a fingerprint there is none.
type answerRow struct {
	fingerprint []byte
	storedAnswer
}

func queueFind(batch *pgx.Batch, claim models.Claim) *answerRow {
	found := &answerRow{}
	batch.Queue(`SELECT fingerprint, status, body,
		  CASE WHEN status IS NULL AND lease IS NULL THEN sealed_status END, sealed_body
		FROM idempotency_keys WHERE organization_id = $1 AND key_hash = $2 AND expires_at > now()`,
		claim.OrganizationID, claim.KeyHash).QueryRow(func(row pgx.Row) error {
		err := row.Scan(&found.fingerprint, &found.status, &found.body, &found.sealedStatus, &found.sealedBody)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	return found
}

// decide returns the result of a row for a request: a replay, a refusal, or nothing.
func (s *Store) decide(ctx context.Context, claim models.Claim, r *answerRow) (*models.Answer, error) {
	switch {
	// guard: idempotency: an answer is kept with its effect
	case r.fingerprint == nil:
		return nil, nil
	case [sha256.Size]byte(r.fingerprint) != [sha256.Size]byte(claim.Fingerprint):
		return nil, models.ErrKeyReused
	case r.status == nil && r.sealedStatus == nil:
		return nil, models.ErrKeyInUse
	}
	return s.open(ctx, claim, r.storedAnswer)
}

// lockOf returns the advisory lock of a claim. Two claims with the same lock by chance would only have to be repeated.
func lockOf(claim models.Claim) int64 {
	hash := sha256.Sum256(append([]byte(claim.OrganizationID), claim.KeyHash...))
	return int64(binary.BigEndian.Uint64(hash[:8]))
}

const (
	cleanupInterval = time.Minute
	forgetRows      = 5000
)

// ForgetAnswers deletes expired answers until ctx ends. Several processes may do so at once.
func (s *Store) ForgetAnswers(ctx context.Context) {
	pg.Repeat(ctx, "removing old answers of idempotency keys", cleanupInterval, func(ctx context.Context) (bool, error) {
		removed, err := s.forgetAnswers(ctx)
		return removed == forgetRows, err
	})
}

// forgetAnswers deletes some expired answers and returns how many.
func (s *Store) forgetAnswers(ctx context.Context) (int64, error) {
	removed, err := s.db.Exec(ctx, `
		DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
		  SELECT ctid FROM idempotency_keys WHERE expires_at <= now()
		   ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED))`, forgetRows)
	return removed.RowsAffected(), pg.Translate(err)
}
