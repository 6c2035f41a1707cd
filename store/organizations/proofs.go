package organizations

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// useProof records the use of a proof. The same user may repeat it: that is a repetition of the same attempt whose
// answer was lost.
const useProof = `
	WITH old AS (DELETE FROM operator_proofs WHERE used_at < now() - interval '7 days' AND digest <> $2),
	operator AS (SELECT name FROM operator_keys WHERE public_key = $1 AND name IS NOT NULL AND ` + activeOperator + `),
	used AS (
	  INSERT INTO operator_proofs AS p (digest, used_by) SELECT $2, $3 FROM operator
	  ON CONFLICT (digest) DO UPDATE SET used_by = p.used_by
	  RETURNING p.used_by)
	SELECT '', '', o.name, u.used_by = $3 FROM operator o, used u`

// useAttachedProof is useProof for a proof that the codec attached. The row has its owner. An owner without the right
// to use it cannot use it any more.
const useAttachedProof = `
	WITH who AS (
	  SELECT u.id::text, u.name, '' AS staff FROM attached_proofs p JOIN users u ON u.id = p.user_id
	   WHERE p.digest = $1 AND u.status = 'ACTIVE' /* guard: proofs: only an operator uses one */ AND u.staff_role = 'operator'
	   UNION ALL
	  SELECT '', '', o.name FROM attached_proofs p JOIN operator_keys o ON o.id = p.operator_id
	   WHERE p.digest = $1 AND o.name IS NOT NULL AND ` + activeOperator + `),
	used AS (
	  UPDATE attached_proofs p SET used_by = coalesce(p.used_by, $2) FROM who WHERE p.digest = $1
	  RETURNING p.used_by)
	SELECT w.id, w.name, w.staff, u.used_by = $2 FROM who w, used u`

// UseProof uses a proof whose content was checked. It returns its owner: a person with a session, or the name of the
// operator who signed it. by names the single use of a proof. Errors: models.ErrNoOperator, models.ErrProofUsed.
func (s *Store) UseProof(ctx context.Context, proof models.Proof, by string) (who models.Actor, err error) {
	statement, arguments := useProof, []any{[]byte(proof.Key), proof.Digest(), by}
	if proof.Attached() {
		statement, arguments = useAttachedProof, []any{proof.Digest(), by}
	}
	var first bool
	err = s.db.QueryRow(ctx, statement, arguments...).Scan(&who.UserID, &who.UserName, &who.Staff, &first)
	if errors.Is(err, pgx.ErrNoRows) {
		return models.Actor{}, models.ErrNoOperator
	}
	// guard: proofs: each is used once
	if err == nil && !first {
		return models.Actor{}, models.ErrProofUsed
	}
	return who, pg.Translate(err)
}

// AttachProof stores the owner of a proof that the codec attaches: a person, or the operator key of this id.
func (s *Store) AttachProof(ctx context.Context, proof models.Proof, who models.Actor, operatorID string) error {
	var person, operator *string
	if who.UserID != "" {
		person = &who.UserID
	} else {
		operator = &operatorID
	}
	_, err := s.db.Exec(ctx, `
		WITH old AS (DELETE FROM attached_proofs WHERE made_at < now() - interval '7 days')
		INSERT INTO attached_proofs (digest, user_id, operator_id) VALUES ($1, $2, $3)`, proof.Digest(), person, operator)
	return pg.Translate(err)
}
