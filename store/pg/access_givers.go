package pg

import (
	"context"

	"levy/models"
)

// givenAccess reads who gave access to the people and keys $1, and who gave it to those. A key has its maker forever. A
// person was invited, or got a link, or lost a second factor, within the time $2.
const givenAccess = `
	WITH RECURSIVE given AS (
	  SELECT id COLLATE "C" AS receiver, NULL::text COLLATE "C" AS user_id, NULL::text AS user_name,
	         NULL::text COLLATE "C" AS api_key_id, id COLLATE "C" AS giver
	    FROM unnest($1::text[]) id
	   UNION
	  SELECT a.entity_id::text, a.user_id::text, a.user_name, a.api_key_id::text, coalesce(a.user_id, a.api_key_id)::text
	    FROM given g
	    JOIN audit a ON a.entity_id = g.giver AND a.entity_type IN ('user', 'api_key')
	     AND coalesce(a.user_id, a.api_key_id) <> a.entity_id
	     AND CASE a.entity_type WHEN 'api_key' THEN a.action = 'create'
	         ELSE a.at > now() - $2::interval AND (a.action = 'invite' OR a.action = 'update'
	          AND a.detail -> 'fields' ?| ARRAY['sign_in_link', 'second_factor', 'provider_issuer', 'provider_subject']) END)
	SELECT receiver, coalesce(user_id, ''), coalesce(user_name, ''), coalesce(api_key_id, '') FROM given
	 WHERE coalesce(user_id, api_key_id) IS NOT NULL`

// AccessSource returns who gave access to people and keys within models.SecondPersonAfter, in all organizations. The
// context must reach them.
func AccessSource(ctx context.Context, q Querier, ids []string) ([]models.AccessSource, error) {
	rows, err := q.Query(ctx, givenAccess, ids, models.SecondPersonAfter)
	if err != nil {
		return nil, Translate(err)
	}
	var given []models.AccessSource
	var one models.AccessSource
	err = Each([]any{&one.To, &one.By.UserID, &one.By.UserName, &one.By.APIKeyID}, func() error {
		given = append(given, one)
		return nil
	})(rows)
	return given, Translate(err)
}
