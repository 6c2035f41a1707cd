package organizations

import (
	"context"

	"levy/models"
	"levy/store/pg"
)

// NamesOf are the public names of organizations, by id. There is none for an id that is unknown.
func (s *Store) NamesOf(ctx context.Context, ids []string) (map[string]string, error) {
	rows, err := s.db.Query(models.AcrossOrganizations(ctx),
		"SELECT id::text, name FROM organizations WHERE id = ANY ($1)", ids)
	if err != nil {
		return nil, pg.Translate(err)
	}
	defer rows.Close()
	names := make(map[string]string, len(ids))
	for rows.Next() {
		var id, name string
		if err := rows.Scan(&id, &name); err != nil {
			return nil, pg.Translate(err)
		}
		names[id] = name
	}
	return names, pg.Translate(rows.Err())
}
