package audit

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"levy/models"
	"levy/store/pg"
)

// placeName is the name of the place of a record x: the state's, else the code of the country.
const placeName = "coalesce(nullif(x.state_name, ''), x.country_code)"

// nameOf are, by type of record, the FROM and the name of a record x of the organization $1 with the id w.id.
var nameOf = map[string]struct{ from, name string }{
	"api_key":       {ofOrganization("api_keys"), "x.name"}, // a partner does not tell its clients how it calls its own
	"calendar_feed": {ofOrganization("calendar_feeds"), "x.name"},
	"customer":      {ofOrganization("customers"), "coalesce(x.name, x.external_id)"},
	"exemption": {`exemptions x LEFT JOIN customers c ON c.organization_id = x.organization_id AND c.id = x.customer_id
		LEFT JOIN transactions t ON t.organization_id = x.organization_id AND t.id = x.transaction_id
		WHERE x.organization_id = $1 AND x.id = w.id`, "coalesce(c.name, c.external_id, t.external_id)"},
	"exemption_attachment": {ofOrganization("exemption_attachments"), "x.filename"},
	"filing": {`filings f JOIN registrations x ON x.organization_id = f.organization_id AND x.id = f.registration_id
		WHERE f.organization_id = $1 AND f.id = w.id`,
		placeName + " || ', ' || f.start_date || ' to ' || f.end_date"},
	"grant":              {"organizations x WHERE x.id = w.id", "x.name"},
	"nexus":              {ofOrganization("nexus_records"), placeName},
	"notice":             {ofOrganization("notices"), "x.authority"},
	"notice_document":    {ofOrganization("notice_documents"), "x.filename"},
	"organization":       {"organizations x WHERE x.id = w.id AND x.id = $1", "x.name"},
	"physical_nexus":     {ofOrganization("physical_nexus"), "x.state_code || ', ' || x.category"},
	"product":            {ofOrganization("products"), "x.name"},
	"rate_override":      {ofOrganization("rate_overrides"), "x.jurisdiction_name"},
	"registration":       {ofOrganization("registrations"), placeName},
	"transaction":        {ofOrganization("transactions"), "x.external_id"},
	"transaction_import": {ofOrganization("transaction_imports"), "x.name"},
	"user":               {"users x WHERE x.id = w.id", "x.name"},
}

func ofOrganization(table string) string {
	return table + " x WHERE x.organization_id = $1 AND x.id = w.id"
}

// selectNames reads the names of records with the types $2 and the ids $3 in one statement.
var selectNames = func() string {
	arms := make([]string, 0, len(nameOf))
	for _, kind := range slices.Sorted(maps.Keys(nameOf)) {
		of := nameOf[kind]
		arms = append(arms, "SELECT "+of.name+" AS name FROM "+of.from+" AND w.type = '"+kind+"'")
	}
	return `
	SELECT w.type, w.id, n.name
	  FROM unnest($2::text[], $3::text[]) AS w (type, id)
	 CROSS JOIN LATERAL (` + strings.Join(arms, "\n\tUNION ALL ") + `) n
	 WHERE n.name IS NOT NULL`
}()

// record is a record or an actor with a name.
type record struct{ kind, id string }

// complete adds the names of records and keys to entries of an organization, by one statement for all of them.
func (s *Store) complete(ctx context.Context, organizationID string, entries []models.AuditEntry) error {
	wanted := map[record]string{}
	for i := range entries {
		e := &entries[i]
		if _, named := nameOf[e.EntityType]; named {
			wanted[record{e.EntityType, e.EntityID}] = ""
		}
		if e.APIKeyID != nil {
			wanted[record{"api_key", *e.APIKeyID}] = ""
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	var kinds, ids []string
	for _, r := range slices.SortedFunc(maps.Keys(wanted), func(a, b record) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.id, b.id))
	}) {
		kinds, ids = append(kinds, r.kind), append(ids, r.id)
	}
	rows, err := s.db.Query(ctx, selectNames, organizationID, kinds, ids)
	if err != nil {
		return pg.Translate(err)
	}
	var r record
	var name string
	err = pg.Each([]any{&r.kind, &r.id, &name}, func() error {
		wanted[r] = name
		return nil
	})(rows)
	for i := range entries {
		e := &entries[i]
		e.ObjectName = wanted[record{e.EntityType, e.EntityID}]
		if e.APIKeyID != nil {
			e.ActorName = wanted[record{"api_key", *e.APIKeyID}]
		}
	}
	return pg.Translate(err)
}
