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
	names := make(map[string]string, len(ids))
	var id, name string
	err = pg.ForEach(rows, err, []any{&id, &name}, func() error { names[id] = name; return nil })
	return names, err
}
