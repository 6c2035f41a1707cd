package organizations

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/nexus"
	"levy/store/pg"
)

// createClient writes a client organization of root, with its settings, its empty details and an onboarding whose first
// step is done. It sets the parent, the normalized name and the times. Errors: *models.DuplicateError (name),
// *models.LimitError.
func (s *Store) createClient(tx *gorm.DB, root models.Scope, actor models.Actor, o *models.Organization) error {
	if err := s.checkClientLimit(tx, root); err != nil {
		return err
	}
	o.ParentOrganizationID = &root.OrganizationID
	if err := createOrganization(tx, actor, o); err != nil {
		return err
	}
	return createOnboarding(tx, o, models.StepOrganization)
}

// checkClientLimit returns an error if a partner has created the most clients in 24 hours. Errors: *models.LimitError.
func (s *Store) checkClientLimit(tx *gorm.DB, root models.Scope) error {
	// Concurrent creations wait for each other.
	if err := tx.Exec("SELECT "+pg.LockClients.Wait("?"), root.OrganizationID).Error; err != nil {
		return err
	}
	var created int64
	limit := s.db.Quotas().Organizations
	err := tx.Raw(`
		SELECT count(*) FROM (
		  SELECT FROM organizations WHERE parent_organization_id = ? AND created_at > now() - interval '24 hours' LIMIT ?) o`,
		root.OrganizationID, limit).Scan(&created).Error
	if err != nil {
		return err
	}
	// guard: quotas: a partner makes no more organizations than it may
	if created >= int64(limit) {
		return &models.LimitError{What: models.LimitOrganizations, Limit: limit}
	}
	return nil
}

// NameHolder returns the id of the active client of root with the name; "" for none.
func (s *Store) NameHolder(ctx context.Context, root models.Scope, name string) (string, error) {
	key := nameKey(name)
	id, err := nameHolder(s.db.OpenTables().GORM(ctx), &root.OrganizationID, &key)
	return id, pg.Translate(err)
}

// skipIfNameTaken makes an insert do nothing if an active client of the parent has the name.
var skipIfNameTaken = clause.OnConflict{
	Columns:     []clause.Column{{Name: "parent_organization_id"}, {Name: "name_key"}},
	TargetWhere: clause.Where{Exprs: []clause.Expression{clause.Expr{SQL: "status = 'ACTIVE'"}}},
	DoNothing:   true,
}

func createOrganization(tx *gorm.DB, actor models.Actor, o *models.Organization) error {
	if o.Name != nil {
		key := nameKey(*o.Name)
		o.NameKey = &key
	}
	created := tx.Clauses(skipIfNameTaken).Omit(clause.Associations).Create(o)
	if created.Error != nil {
		return created.Error
	}
	if created.RowsAffected == 0 {
		return duplicateName(tx, o)
	}
	o.Settings = models.DefaultSettings(o.ID)
	o.Settings.UpdatedAt = o.CreatedAt
	if err := tx.Create(&o.Settings).Error; err != nil {
		return err
	}
	if _, err := nexus.Begin(tx, nexus.OnboardingPause, o.Settings); err != nil {
		return err
	}
	return pg.Audit(tx, actor.Entry(models.Scope{OrganizationID: o.ID}, models.AuditCreate, "organization", o.ID))
}

// longestNameKey is far below the size of an index entry.
const longestNameKey = 1000

// nameKey returns the name for comparison. Normalization may turn a few characters into many. A result that is too long
// for the index is replaced by its hash.
func nameKey(name string) string {
	key := models.NormalizeName(name)
	if len(key) <= longestNameKey {
		return key
	}
	sum := sha256.Sum256([]byte(key))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// duplicateName returns an error with the organization that has the name of o.
func duplicateName(tx *gorm.DB, o *models.Organization) error {
	id, err := nameHolder(tx, o.ParentOrganizationID, o.NameKey)
	if err != nil {
		return err
	}
	return &models.DuplicateError{Field: "name", ExistingID: id}
}

func nameHolder(tx *gorm.DB, parentID, nameKey *string) (id string, err error) {
	err = tx.Model(&models.Organization{}).Select("id").
		Where("parent_organization_id = ? AND name_key = ? AND status = ?", parentID, nameKey, models.OrganizationActive).
		Limit(1).Find(&id).Error
	return id, err
}

// Organization returns the organization. Errors: models.ErrNotFound.
func (s *Store) Organization(ctx context.Context, scope models.Scope) (models.Organization, error) {
	return s.organization(ctx, "id = ?", scope.OrganizationID)
}

// Reachable returns root or one of its clients, archived ones included, and adds it to the reach of the context.
// Errors: models.ErrNotFound.
func (s *Store) Reachable(ctx context.Context, root models.Scope, id string) (models.Organization, error) {
	o, err := s.organization(
		ctx, "id = ? AND (id = ? OR parent_organization_id = ?)", id, root.OrganizationID, root.OrganizationID,
	)
	if err == nil {
		models.ReachOf(ctx).Add(o.ID)
	}
	return o, err
}

func (s *Store) organization(ctx context.Context, where string, values ...any) (models.Organization, error) {
	var o models.Organization
	err := s.db.OpenTables().GORM(ctx).Joins("Settings").Joins("Grant").Where(where, values...).Take(&o).Error
	return o, pg.Translate(err)
}

var organizationOrder = pg.Sortable{
	"name": true, "created_at": false, "status": false, "updated_at": false, "external_id": false,
	"onboarding_status": false,
}

// ListOrganizations returns a page of root and its clients; of all organizations for the empty scope. order may contain
// the columns of organizationOrder.
func (s *Store) ListOrganizations(
	ctx context.Context, root models.Scope, f models.OrganizationFilter, order []models.Order, page models.Page,
) (models.List[models.Organization], error) {
	q := s.db.OpenTables().GORM(ctx)
	if root.OrganizationID != "" {
		q = q.Where("(id = ? OR parent_organization_id = ?)", root.OrganizationID, root.OrganizationID)
	}
	if f.Text != "" {
		part := pg.Containing(f.Text)
		q = q.Where("(name ILIKE ? OR external_id ILIKE ? OR id = ?)", part, part, f.Text)
	}
	q = pg.OneOf(q, "status IN ?", f.Statuses)
	q = pg.OneOf(q, "onboarding_status IN ?", f.Onboarding)
	if f.IsTest != nil {
		q = q.Where("is_test = ?", *f.IsTest)
	}
	return pg.ReadPage[models.Organization](q.Preload("Settings").Preload("Grant"), organizationOrder, order, page)
}

// NamesOf returns the public names of organizations, by id. Unknown ids have none.
func (s *Store) NamesOf(ctx context.Context, ids []string) (map[string]string, error) {
	rows, err := s.db.Query(models.AcrossOrganizations(ctx),
		"SELECT id::text, name FROM organizations WHERE id = ANY ($1)", ids)
	names := make(map[string]string, len(ids))
	var id, name string
	err = pg.ForEach(rows, err, []any{&id, &name}, func() error { names[id] = name; return nil })
	return names, err
}
